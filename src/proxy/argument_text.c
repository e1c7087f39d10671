/* The arguments of a call, by what is known of them. */
#include "proxy/written_call.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "proxy/sizes.h"
#include "views/sentences/named_numbers.h"

#include <inttypes.h>
#include <string.h>

static FILE *out(struct fth_written_call *call)
{
    return call->text.file;
}
/* ---- numbers ---- */

static void put_number(struct fth_written_call *call, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(call->writing, call->item, number, &constant, &is_constant);
    fputs(text, out(call));
    free(text);
}

/* The largest rank that all ranks name at the place of this number, where it is no constant. */
static int64_t largest_of_all(const struct fth_written_call *call, uint32_t number)
{
    const struct fth_writing *writing = call->writing;
    const struct fth_body *body = writing->body;
    int64_t least = INT64_MAX;
    for (size_t m = 0; m < body->member_count; m++) {
        if (body->makers && !(body->makers[call->item->number] & 1u << body->members[m]->group))
            continue;
        int64_t most =
            fth_statement_form(body->members[m], fth_body_sequence(body, m), call->item->number)
                ->numbers[number]
                .most;
        least = most < least ? most : least;
    }
    return least == INT64_MAX ? 0 : least;
}

/* A rank of a communicator: so many have to be there, unless it depends on who calls. */
static void put_peer(struct fth_written_call *call, uint32_t number)
{
    struct fth_writing *writing = call->writing;
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(writing, call->item, number, &constant, &is_constant);
    bool by_rank = !is_constant && strstr(text, writing->self);
    int64_t most = is_constant ? constant
                   : by_rank   ? 0
                               : largest_of_all(call, number),
            *largest = is_constant ? &writing->constant_peer : &writing->counted_peer;
    if (!fth_proxy_in_program(writing) && most > *largest)
        *largest = most;
    fputs(text, out(call));
    free(text);
}

static void put_list(struct fth_written_call *call, size_t i)
{
    const struct fth_field *field = &call->form->row->fields[i];
    const struct fth_argument *argument = &call->form->arguments[i];
    char type[64];
    if (argument->null) {
        fputs("NULL", out(call));
        return;
    }
    fprintf(out(call), "(%s[]){", fth_proxy_element_type(field, type));
    for (uint32_t k = 0; k < argument->count; k++) {
        fputs(k ? ", " : "", out(call));
        long begin = ftell(out(call));
        put_number(call, argument->first + k);
        fflush(out(call));
        if (strstr(call->text.text + begin, "rank") &&
            !fth_proxy_part(call->writing, call->item, argument->first + k) &&
            !fth_proxy_has_grown_place(call->writing, call->item, k))
            fth_proxy_limit_ranks(call->writing, 1, call->writing->rank_count,
                                  "ranks have places in an array that is as large as in the run");
    }
    fputs(argument->count ? "}" : "0}", out(call));
}

static void put_table(struct fth_written_call *call, size_t i)
{
    const struct fth_argument *argument = &call->form->arguments[i];
    struct fth_writing *writing = call->writing;
    char type[64];
    size_t number = ++writing->tables_made;
    fprintf(writing->tables.file, "static %s list_%zu[] = {",
            fth_proxy_element_type(&call->form->row->fields[i], type), number);
    for (uint32_t k = 0; k < argument->count; k++)
        fprintf(writing->tables.file, "%s%" PRId64,
                !k            ? ""
                : k % 12 == 0 ? ",\n    "
                              : ", ",
                argument->table[k]);
    fprintf(writing->tables.file, "};\n");
    fprintf(out(call), "list_%zu", number);
}

static void put_flags(struct fth_written_call *call, size_t i)
{
    const struct fth_argument *argument = &call->form->arguments[i];
    const char *words = call->form->row->fields[i].role_words;
    int64_t constant;
    bool is_constant;
    char *text =
        fth_proxy_write_number(call->writing, call->item, argument->first, &constant, &is_constant);
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    if (is_constant && !strncmp(words, "flags ", 6) &&
        fth_views_put_flags(&sink, call->writing->trace, call->form->proc, words + 6, constant))
        for (size_t k = 0; k < sink.used; k++)
            fprintf(out(call), sink.bytes[k] == '|' ? " | " : "%c", sink.bytes[k]);
    else
        fputs(text, out(call));
    fth_sink_close_memory(&sink);
    free(text);
}

static void put_command(struct fth_written_call *call, size_t i)
{
    const struct fth_argument *argument = &call->form->arguments[i];
    static const char *const parts[] = {"l_type", "l_whence", "l_start", "l_len"};
    if (argument->count < 4) {
        if (argument->count)
            put_number(call, argument->first);
        else
            fputc('0', out(call));
        return;
    }
    fputs("&(struct flock){", out(call));
    for (uint32_t k = 0; k < 4; k++) {
        fprintf(out(call), "%s.%s = ", k ? ", " : "", parts[k]);
        put_number(call, argument->first + k);
    }
    fputc('}', out(call));
}

static bool is_mode(const struct fth_field *field)
{
    return field->role == FTH_ROLE_MODE;
}

static void put_mode(struct fth_written_call *call, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(call->writing, call->item, number, &constant, &is_constant);
    if (is_constant)
        fprintf(out(call), "0%" PRIo64, (uint64_t)constant);
    else
        fputs(text, out(call));
    free(text);
}

static void put_format(struct fth_written_call *call, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(call->writing, call->item, number, &constant, &is_constant);
    if (call->writing->settings->grows)
        fprintf(out(call), "\"%%*s\", (int)((%s) * sizes), \"\"", text);
    else if (is_constant && constant > 0)
        fprintf(out(call), "\"%%%" PRId64 "s\", \"\"", constant);
    else
        fprintf(out(call), "\"%%*s\", (int)(%s), \"\"", text);
    free(text);
}

/* A number that grows with the sizes of the program, if it has such a parameter. */
static void put_amount(struct fth_written_call *call, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    if (!call->writing->settings->grows) {
        put_number(call, number);
        return;
    }
    char *text = fth_proxy_write_number(call->writing, call->item, number, &constant, &is_constant);
    if (is_constant && !constant)
        fputs(text, out(call));
    else
        fprintf(out(call), strchr(text, ' ') ? "(%s) * sizes" : "%s * sizes", text);
    free(text);
}

/* ---- arguments ---- */

static void put_buffer(struct fth_written_call *call)
{
    const struct fth_row *row = call->form->row;
    /* What was read may be no number that another call can write: NetCDF converts numbers. */
    bool converts = fth_proxy_converts(call->writing),
         first = !call->buffers++ && !(converts && fth_kind_reads(row->kind));
    call->writing->needs |= first ? FTH_NEEDS_BUFFER : FTH_NEEDS_BUFFER | FTH_NEEDS_OTHER;
    fputs(first ? "buffer" : "other", out(call));
}

/* Results that a call stores have places of their own. */
static void put_unused(struct fth_written_call *call)
{
    uint32_t number = ++call->unused;
    if (number > call->writing->unused)
        call->writing->unused = number;
    fprintf(out(call), "unused_%u", (unsigned)number);
}

void fth_proxy_put_argument(struct fth_written_call *call, size_t i)
{
    const struct fth_field *field = &call->form->row->fields[i];
    const struct fth_argument *argument = &call->form->arguments[i];
    FILE *to = out(call);
    switch (argument->written) {
    case FTH_WRITTEN_NULL:
        fputs(strchr(field->type, '*') || field->array ? "NULL" : fth_proxy_no_handle(field), to);
        return;
    case FTH_WRITTEN_BUFFER:
        put_buffer(call);
        return;
    case FTH_WRITTEN_UNUSED:
        put_unused(call);
        return;
    case FTH_WRITTEN_IGNORED:
        fputs(field->array || strchr(field->role_words, '[') ? "MPI_STATUSES_IGNORE"
                                                             : "MPI_STATUS_IGNORE",
              to);
        return;
    case FTH_WRITTEN_WIDE:
        fputs("(size_t)-1", to);
        return;
    case FTH_WRITTEN_NUMBER:
        if (is_mode(field))
            put_mode(call, argument->first);
        else if (field->role == FTH_ROLE_PEER || field->role == FTH_ROLE_ROOT)
            put_peer(call, argument->first);
        else if (fth_proxy_grows(call->form->row, i))
            put_amount(call, argument->first);
        else
            put_number(call, argument->first);
        return;
    case FTH_WRITTEN_FLAGS:
        put_flags(call, i);
        return;
    case FTH_WRITTEN_FILLER:
        fputs("'x'", to);
        return;
    case FTH_WRITTEN_CONTENT:
        call->writing->needs |= FTH_NEEDS_TEXT | FTH_NEEDS_BUFFER;
        fputs("text(", to);
        put_amount(call, argument->first);
        fputc(')', to);
        return;
    case FTH_WRITTEN_NAME:
        fth_proxy_put_name(call, i);
        return;
    case FTH_WRITTEN_LIST:
        put_list(call, i);
        return;
    case FTH_WRITTEN_TABLE:
        put_table(call, i);
        return;
    case FTH_WRITTEN_HANDLES:
        fth_proxy_put_handles(call, i);
        return;
    case FTH_WRITTEN_FORMAT:
        put_format(call, argument->first);
        return;
    case FTH_WRITTEN_PIECES:
        call->writing->needs |= FTH_NEEDS_PIECES | FTH_NEEDS_BUFFER;
        fputs("pieces(", to);
        put_amount(call, argument->first);
        fputs(", ", to);
        if (field->length_field >= 0)
            fth_proxy_put_argument(call, (size_t)field->length_field);
        else
            fputc('1', to);
        fputc(')', to);
        return;
    case FTH_WRITTEN_COMMAND:
        put_command(call, i);
        return;
    case FTH_WRITTEN_LINE:
        call->writing->needs |= FTH_NEEDS_LINE;
        fputs(strstr(field->type, "**") ? "&line" : "&line_room", to);
        return;
    case FTH_WRITTEN_ROOM:
        call->writing->needs |= FTH_NEEDS_BUFFER;
        fputs("calloc(1, BUFFER_BYTES)", to);
        return;
    case FTH_WRITTEN_BLOCK:
        fth_proxy_put_block(call, i);
        return;
    case FTH_WRITTEN_RANK:
        fputs("&own_rank", to);
        return;
    }
}
