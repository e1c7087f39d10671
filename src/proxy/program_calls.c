#include "proxy/program_calls.h"

#include "trace/record/builtin.h"
#include "proxy/buffer_bytes.h"
#include "repeat/what/library_memory.h"

#include <string.h>

static void drop(struct fth_proxy_calls *kept, const struct fth_field *field,
                 const struct fth_value *value)
{
    int64_t id;
    if (field->role == FTH_ROLE_AIO && fth_form_block_id(value, &id))
        fth_variable_drop(&kept->variables, FTH_BLOCK_CLASS, id);
    if (field->role != FTH_ROLE_NEW)
        return;
    if (value->type == FTH_VALUE_HANDLE)
        fth_variable_drop(&kept->variables, (uint32_t)field->class_index, value->integer);
    for (size_t k = 0; value->type == FTH_VALUE_HANDLES && k < value->count; k++)
        fth_variable_drop(&kept->variables, (uint32_t)field->class_index, value->integers[k]);
}

/* Handles that the call has made have no variables, so that calls on them are left out, too. */
static void leave_out(struct fth_proxy_calls *kept, const char *why)
{
    const struct fth_call *call = &kept->access.call;
    const struct fth_row *row = kept->reading.form.row;
    fth_kept_calls_leave_out(kept, why);
    for (size_t i = 0; i < row->field_count; i++)
        drop(kept, &row->fields[i], &call->arguments[i]);
    drop(kept, &row->result, &call->result);
    fth_kept_calls_lose(kept, row);
}

/* ---- datatypes of HDF5 with parts of variable length ---- */

/* In memory these are pointers, which the program has none for. Their handles are marked, and so is
 * what is made with such a handle: copies, compounds, datasets, attributes and what these say their
 * datatype is. */

static bool holds_pointers(const struct fth_proxy_calls *kept, size_t i)
{
    const struct fth_form *form = &kept->reading.form;
    const struct fth_argument *argument = &form->arguments[i];
    if (form->row->fields[i].role != FTH_ROLE_USE || argument->written != FTH_WRITTEN_HANDLES)
        return false;
    for (uint32_t k = 0; k < argument->handle_count; k++)
        if (fth_variable_is_marked(&kept->variables, (uint32_t)form->row->fields[i].class_index,
                                   argument->variables[k]))
            return true;
    return false;
}

static void mark_argument(struct fth_proxy_calls *kept, size_t i)
{
    const struct fth_form *form = &kept->reading.form;
    const struct fth_argument *argument = &form->arguments[i];
    for (uint32_t k = 0; k < argument->handle_count; k++)
        fth_variable_mark(&kept->variables, (uint32_t)form->row->fields[i].class_index,
                          argument->variables[k]);
}

static void follow_pointers(struct fth_proxy_calls *kept)
{
    const struct fth_form *form = &kept->reading.form;
    const struct fth_row *row = form->row;
    bool has = fth_repeat_makes_sequence(row);
    if (!fth_layer_is(row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER) &&
        fth_repeat_sets_variable_size(&kept->access.call, row))
        mark_argument(kept, 0);
    for (size_t i = 0; i < row->field_count && !has; i++)
        has = holds_pointers(kept, i);
    if (!has)
        return;
    if (form->result != FTH_NO_VARIABLE)
        fth_variable_mark(&kept->variables, (uint32_t)row->result.class_index, form->result);
    for (size_t i = 0; i < row->field_count; i++)
        if (!strcmp(row->fields[i].name, "parent_id") && row->fields[i].role == FTH_ROLE_USE)
            mark_argument(kept, i);
}

/* To write them, or to free what they point to (H5Dvlen_reclaim). */
static bool gives_pointers(const struct fth_proxy_calls *kept)
{
    const struct fth_form *form = &kept->reading.form;
    bool gives = false, has = false;
    for (size_t i = 0; i < form->row->field_count; i++) {
        gives |= form->arguments[i].written == FTH_WRITTEN_BUFFER ||
                 (form->arguments[i].written == FTH_WRITTEN_UNUSED &&
                  !strcmp(form->row->fields[i].type, "void *"));
        has |= strstr(form->row->fields[i].name, "type") && holds_pointers(kept, i);
    }
    return gives && has && !kept->access.call.reads;
}

/* What is freed, copied or taken apart of a datatype of NetCDF in memory (nc_reclaim_data); the
 * value of a member of an enumeration is a number. */
static bool reworks_type(const struct fth_row *row)
{
    bool has_memory = false;
    for (size_t i = 0; i < row->field_count; i++)
        has_memory |= strstr(row->fields[i].type, "void *") && strcmp(row->fields[i].name, "value");
    return has_memory && !strcmp(row->kind, "type") && !strcmp(row->layer, "netcdf");
}

/* What a selection has in memory is filled, or freed (H5Dfill, H5Dvlen_reclaim). */
static bool reworks_memory(const struct fth_form *form)
{
    if (reworks_type(form->row))
        return true;
    bool has_memory = false, has_selection = false;
    for (size_t i = 0; i < form->row->field_count; i++) {
        has_memory |= form->arguments[i].written == FTH_WRITTEN_UNUSED &&
                      !strcmp(form->row->fields[i].type, "void *");
        has_selection |= !strcmp(form->row->fields[i].name, "space_id");
    }
    return has_memory && has_selection && fth_layer_is(form->row->layer, FTH_LAYER_HDF5);
}

/* Filters from 256 on (H5Z_FILTER_RESERVED) are code of programs and plug-ins. */
static bool has_own_filter(const struct fth_call *call, const struct fth_row *row)
{
    enum { FIRST_OF_OTHERS = 256 };
    for (size_t i = 0; i < row->field_count; i++)
        if ((!strcmp(row->fields[i].type, "H5Z_filter_t") ||
             (!strcmp(row->fields[i].type, "unsigned int") &&
              !strcmp(row->fields[i].name, "id"))) &&
            call->arguments[i].type == FTH_VALUE_INTEGER &&
            call->arguments[i].integer >= FIRST_OF_OTHERS)
            return true;
    return false;
}

/* What converts between two datatypes takes memory whose size the trace does not have, or needs a
 * conversion that is a function of the program (H5Tregister). */
static bool converts(const struct fth_row *row)
{
    bool from = false, to = false;
    for (size_t i = 0; i < row->field_count && !strcmp(row->kind, "type"); i++) {
        from |= !strcmp(row->fields[i].name, "src_id");
        to |= !strcmp(row->fields[i].name, "dst_id");
    }
    return from && to;
}

/* ---- the next one ---- */

static bool is_skipped(const struct fth_function *function, enum fth_proxy_skips skips)
{
    bool messages = fth_layer_is(function->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER),
         of_system = fth_layer_is(function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS);
    return (skips == FTH_SKIP_FILES && !messages) || (skips == FTH_SKIP_SYSTEM && of_system);
}

/* Why the program does not make the call; NULL: it does. */
static const char *why_not(struct fth_proxy_calls *kept, enum fth_proxy_skips skips,
                           uint64_t *bytes)
{
    const struct fth_call *call = &kept->access.call;
    const struct fth_row *row = kept->reading.form.row;
    const struct fth_process *process = fth_trace_process(kept->context.trace, call->proc);
    const char *why =
        fth_buffer_bytes(kept->accesses, &kept->access, &kept->reading.form, process, bytes);
    if (!kept->started && is_skipped(call->function, skips))
        return "the ranks do not all make it alike before the start of MPI";
    if (why)
        return why;
    if (has_own_filter(call, row))
        return "its filter is none of HDF5's own, and the program has no code of it";
    if (reworks_memory(&kept->reading.form))
        return "it fills or frees memory of the program, whose contents the trace does not have";
    if (converts(row))
        return "it converts memory of the program, by functions that may be the program's";
    if (gives_pointers(kept))
        return "its datatype has parts of variable length, which are pointers in memory";
    return NULL;
}

static bool is_given(struct fth_proxy_calls *kept)
{
    if (!fth_kept_calls_is_own(kept))
        return false;
    kept->given++;
    kept->knows_rank |= !kept->reading.form.step && fth_form_asks_rank(&kept->reading.form);
    return true;
}

int fth_program_calls_next(struct fth_proxy_calls *kept, enum fth_proxy_skips skips,
                           uint64_t *bytes, struct fth_error **error)
{
    int more;
    while ((more = fth_kept_calls_next(kept, error)) == 1) {
        bool is_call = !kept->reading.form.fills && !kept->reading.form.step;
        *bytes = 0;
        const char *why = is_call ? why_not(kept, skips, bytes) : NULL;
        if (why) {
            leave_out(kept, why);
            continue;
        }
        if (is_call)
            follow_pointers(kept);
        if (is_given(kept))
            return 1;
    }
    return more;
}
