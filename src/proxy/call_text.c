/* A call as a statement of C, with the check of its result. */
#include "proxy/written_call.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <string.h>

enum { LINE_WIDTH = 100 };

static FILE *out(struct fth_written_call *call)
{
    return call->text.file;
}

/* The ends of lines in contents of the proxy's own are not those of the run: there may be none. */
static bool reads_line(const struct fth_form *form)
{
    for (size_t i = 0; i < form->row->field_count; i++)
        if (form->arguments[i].written == FTH_WRITTEN_LINE)
            return true;
    return false;
}

/* What a good result is compared with; NULL: any result is good. */
static const char *good_result(const struct fth_form *form)
{
    const struct fth_field *result = &form->row->result;
    bool pointer = strchr(result->type, '*') != NULL;
    /* What a program asks of files that are not its own may have another answer, and where ranks
     * delete the same file, another one may have been first. */
    if (form->failed || !strcmp(result->type, "void") || !strcmp(form->row->kind, "delete") ||
        (!strcmp(form->row->kind, "stat") && result->role != FTH_ROLE_NEW) || reads_line(form))
        return NULL;
    switch (result->role) {
    case FTH_ROLE_CODE:
        return "0";
    case FTH_ROLE_NEW:
    case FTH_ROLE_MOVED:
    case FTH_ROLE_POSITION:
    case FTH_ROLE_RESULT_STATUS:
    case FTH_ROLE_LINE:
        return pointer ? "!= NULL" : ">= 0";
    default:
        return NULL;
    }
}

/* What compilers put in place of other functions is in no header. */
static void declare(struct fth_writing *writing, const struct fth_row *row)
{
    if (fth_interned_before(&writing->used, row->name, strlen(row->name)))
        return;
    fth_intern(&writing->used, row->name, strlen(row->name));
    fprintf(writing->declarations.file, "%s %s(", row->result.type, row->name);
    for (size_t i = 0; i < row->field_count; i++)
        fprintf(writing->declarations.file, "%s%s%s", i ? ", " : "", row->fields[i].type,
                row->fields[i].array ? " *" : "");
    fprintf(writing->declarations.file, "%s);\n", row->via ? ", ..." : "");
}

/* Is it what macros call where the buffer of a stream that they read is used up? */
static bool is_used_up(const struct fth_written_call *call, size_t field)
{
    const struct fth_row *row = call->form->row;
    const struct fth_layer *layer = fth_trace_layer(call->writing->trace, row->layer);
    return fth_kind_reads(row->kind) && row->fields[field].role == FTH_ROLE_USE && layer &&
           fth_layer_refills(layer, row->name);
}

static void put_argument(struct fth_written_call *call, size_t field)
{
    if (!is_used_up(call, field)) {
        fth_proxy_put_argument(call, field);
        return;
    }
    call->writing->needs |= FTH_NEEDS_TAKE;
    fputs("read_up(", out(call));
    fth_proxy_put_argument(call, field);
    fputc(')', out(call));
}

/* Makes a file or folder under a name of its own choice (mkstemp, mkdtemp): its parameter; -1. */
static int chosen_name(const struct fth_row *row)
{
    int path = fth_field_with_role(row, FTH_ROLE_PATH);
    return path >= 0 && !strncmp(row->fields[path].type, "char", 4) ? path : -1;
}

/* With the name that it had in the run, by which later calls know it. */
static void put_chosen(struct fth_written_call *call, size_t path)
{
    bool is_file = call->form->row->result.role == FTH_ROLE_NEW;
    fputs(is_file ? "open(" : "mkdir(", out(call));
    fth_proxy_put_argument(call, path);
    fputs(is_file ? ", O_RDWR | O_CREAT | O_EXCL, 0600)" : ", 0700)", out(call));
}

/* Is there nothing in the proxy that its result takes the place of (dup2, freopen)? */
static bool has_free_target(const struct fth_form *form)
{
    for (size_t i = 0; i < form->row->field_count; i++)
        if (fth_standard_is_target(form->row, &form->row->fields[i]))
            return form->arguments[i].written == FTH_WRITTEN_NULL;
    return false;
}

/* Then its result is one more: dup, fopen. */
static void put_made(struct fth_written_call *call)
{
    const struct fth_row *row = call->form->row;
    bool copies = !strcmp(row->kind, "dup");
    fputs(copies ? "dup(" : "fopen(", out(call));
    fth_proxy_put_argument(call, 0);
    if (!copies) {
        fputs(", ", out(call));
        fth_proxy_put_argument(call, 1);
    }
    fputc(')', out(call));
}

static void put_call(struct fth_written_call *call)
{
    const struct fth_row *row = call->form->row;
    if (has_free_target(call->form)) {
        put_made(call);
        return;
    }
    if (chosen_name(row) >= 0) {
        put_chosen(call, (size_t)chosen_name(row));
        return;
    }
    if (!strncmp(row->name, "__", 2))
        declare(call->writing, row);
    fprintf(out(call), "%s(", row->name);
    for (size_t i = 0; i < row->field_count; i++) {
        if (!strcmp(row->fields[i].type, "void") || !strcmp(row->fields[i].type, "..."))
            continue;
        fputs(i ? ", " : "", out(call));
        put_argument(call, i);
    }
    fputc(')', out(call));
}

/* How the program learns why a call has failed, and from whom. */
static const char *check_of(const struct fth_row *row)
{
    bool code = row->result.role == FTH_ROLE_CODE;
    if (code && fth_layer_is(row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
        return FTH_WRITING_CHECK_MPI;
    if (code && !strcmp(row->layer, "netcdf"))
        return FTH_WRITING_CHECK_NETCDF;
    if (code && !strcmp(row->layer, "pnetcdf"))
        return FTH_WRITING_CHECK_PNETCDF;
    if (strcmp(row->library, "libc") != 0)
        return FTH_WRITING_CHECK_LIBRARY;
    return code ? FTH_WRITING_CHECK_CODE : FTH_WRITING_CHECK;
}

/* Bytes that came to a stream without a call: put(stream, 4095). */
static void put_fill(struct fth_written_call *call)
{
    int stream = fth_field_with_role(call->form->row, FTH_ROLE_USE);
    call->writing->needs |= FTH_NEEDS_PUT;
    fputs("put(", out(call));
    fth_proxy_put_argument(call, (size_t)stream);
    fputs(", ", out(call));
    fth_proxy_put_argument(call, !stream);
    fputs(");", out(call));
}

static void put_checked_call(struct fth_written_call *call)
{
    const struct fth_form *form = call->form;
    if (form->step) {
        fth_proxy_put_step(call);
        return;
    }
    if (form->fills) {
        put_fill(call);
        return;
    }
    const char *good = good_result(form);
    bool assigns = form->result != FTH_NO_VARIABLE, code = form->row->result.role == FTH_ROLE_CODE;
    if (good) {
        const char *check = check_of(form->row);
        fth_intern(&call->writing->used, check, strlen(check));
        fprintf(out(call), assigns ? "%s((" : "%s(", check);
    } else if (!assigns && strcmp(form->row->result.type, "void") != 0) {
        fputs("(void)!", out(call));
    }
    if (assigns) {
        fth_proxy_put_variable(call, form->result_class, form->result);
        fputs(" = ", out(call));
    }
    put_call(call);
    if (good && code)
        fputc(')', out(call));
    else if (good)
        fprintf(out(call), "%s %s)", assigns ? ")" : "", good);
    fputc(';', out(call));
}

/* Breaks the statement at commas so that lines have at most LINE_WIDTH columns. */
static void put_lines(FILE *to, const char *text, int indent)
{
    size_t room = (size_t)(LINE_WIDTH - 4 * indent);
    fprintf(to, "%*s", 4 * indent, "");
    while (strlen(text) > room) {
        size_t at = room;
        while (at && !(text[at - 1] == ',' && text[at] == ' '))
            at--;
        if (!at)
            break;
        fprintf(to, "%.*s\n%*s", (int)at, text, 4 * indent + 8, "");
        text += at + 1;
        room = (size_t)(LINE_WIDTH - 4 * indent - 8);
    }
    fprintf(to, "%s\n", text);
}

void fth_proxy_write_statement(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                               int indent)
{
    const struct fth_body *body = writing->body;
    struct fth_written_call call = {writing, item, &fth_body_form(body, item->number)->form,
                                    {0},     0,    0};
    fth_growing_text_open(&call.text);
    put_checked_call(&call);
    fth_growing_text_end(&call.text);
    put_lines(to, call.text.text, indent);
    free(call.text.text);
}
