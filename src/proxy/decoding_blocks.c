/* Asynchronous operations of the system: each has a control block of the program, from the call
 * that begins it to the one that asks for its result. Both are about a descriptor, a place in its
 * file and a number of bytes, by which the trace knows them. */
#include "proxy/decoding.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { DESCRIPTOR, OFFSET, BYTES, NUMBERS };

static bool ends(const struct fth_row *row)
{
    return row->result.role == FTH_ROLE_MOVED;
}

bool fth_form_block_id(const struct fth_value *value, int64_t *id)
{
    if (value->type != FTH_VALUE_INTEGERS || value->count < NUMBERS)
        return false;
    *id = (int64_t)(fth_hash_bytes(FTH_HASH_START, value->integers,
                                   NUMBERS * sizeof *value->integers) &
                    INT64_MAX);
    return true;
}

static void begin(struct fth_decoding *decoding, size_t field, const struct fth_value *value)
{
    const struct fth_form_context *context = decoding->context;
    uint32_t variable = FTH_NO_VARIABLE;
    if (context->descriptor)
        variable = fth_variable_of(context->variables, (uint32_t)context->descriptor->class_index,
                                   value->integers[DESCRIPTOR]);
    if (variable == FTH_NO_VARIABLE)
        fth_decoding_leave_out(decoding, "no repeated call has made its handle");
    struct fth_argument *argument = fth_decoding_argument(decoding, field);
    FTH_GROW(argument->variables, argument->handle_count);
    FTH_GROW(argument->names, argument->handle_count);
    argument->names[0] = NULL;
    argument->variables[argument->handle_count++] = variable;
    fth_decoding_number(decoding, field, value->integers[OFFSET]);
    fth_decoding_number(decoding, field, value->integers[BYTES]);
}

void fth_decoding_block(struct fth_decoding *decoding, size_t field, const struct fth_value *value)
{
    struct fth_argument *argument = fth_decoding_argument(decoding, field);
    const char *kind = decoding->row->kind;
    int64_t id = 0;
    argument->written = FTH_WRITTEN_BLOCK;
    argument->block = FTH_NO_VARIABLE;
    if (!strcmp(kind, "test") || !strcmp(kind, "cancel"))
        fth_decoding_leave_out(decoding, "the program waits for an operation where the run asked "
                                         "for its result (aio_return)");
    else if (!fth_form_block_id(value, &id))
        fth_decoding_leave_out(decoding, "the trace does not have its control block");
    else if (decoding->call->error_number && !ends(decoding->row))
        fth_decoding_leave_out(decoding, "the operation did not begin");
    else if (!ends(decoding->row))
        begin(decoding, field, value);
    else
        argument->block = fth_variable_of(decoding->context->variables, FTH_BLOCK_CLASS, id);
    if (ends(decoding->row) && argument->block == FTH_NO_VARIABLE)
        fth_decoding_leave_out(decoding, "no repeated call has begun its operation");
}

void fth_decoding_make_block(struct fth_decoding *decoding, size_t field)
{
    struct fth_variables *variables = decoding->context->variables;
    int64_t id;
    if (!fth_form_block_id(&decoding->call->arguments[field], &id))
        return;
    if (ends(decoding->row))
        fth_variable_drop(variables, FTH_BLOCK_CLASS, id);
    else
        fth_decoding_argument(decoding, field)->block =
            fth_variable_make(variables, FTH_BLOCK_CLASS, id);
}
