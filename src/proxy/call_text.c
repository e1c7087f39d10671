/* A call as a statement of C: its arguments by what is known of them, and the check of its
 * result. */
#include "proxy/writing.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "proxy/plain_paths.h"
#include "views/sentences/named_numbers.h"

#include <inttypes.h>
#include <string.h>

enum { LINE_WIDTH = 100 };

struct statement {
    struct fth_writing *writing;
    const struct fth_item *item;
    const struct fth_form *form;
    struct fth_growing_text text;
    uint32_t buffers, unused;
};

static FILE *out(struct statement *statement)
{
    return statement->text.file;
}

/* ---- names ---- */

static bool is_secret(const struct statement *statement, size_t field)
{
    const struct fth_field *of = &statement->form->row->fields[field];
    return statement->writing->settings->anonymous &&
           (of->role == FTH_ROLE_PATH || strstr(of->name, "name") || strstr(of->name, "path"));
}

struct name_text {
    struct fth_growing_text format, arguments;
    bool counts; /* a number in it is no constant */
};

static void put_name_number(struct statement *statement, struct name_text *name,
                            const struct fth_argument *argument, uint32_t i)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(statement->writing, statement->item, argument->first + i,
                                        &constant, &is_constant);
    const struct fth_proxy_process *process = statement->writing->body->members[0];
    const struct fth_sequence *sequence = fth_body_sequence(statement->writing->body, 0);
    unsigned width = fth_statement_form(process, sequence, statement->item->number)
                         ->numbers[argument->first + i]
                         .width;
    if (is_constant) {
        fprintf(name->format.file, "%0*" PRId64, (int)argument->widths[i], constant);
    } else {
        fprintf(name->format.file, width ? "%%0%uld" : "%%ld", width);
        fprintf(name->arguments.file, ", %s", text);
        name->counts = true;
    }
    free(text);
}

static void put_plain_byte(struct name_text *name, const char *at)
{
    const char one[2] = {*at, 0};
    fth_proxy_write_escaped(name->format.file, one, false);
}

static void put_name(struct statement *statement, size_t field)
{
    const struct fth_argument *argument = &statement->form->arguments[field];
    if (argument->null) {
        fputs("NULL", out(statement));
        return;
    }
    char *own =
        is_secret(statement, field)
            ? fth_proxy_write_anonymous(statement->writing, argument->text,
                                        statement->form->row->fields[field].role == FTH_ROLE_PATH)
            : fth_text_copy(argument->text);
    struct name_text name = {0};
    fth_growing_text_open(&name.format);
    fth_growing_text_open(&name.arguments);
    uint32_t number = 0;
    for (const char *at = own; *at; at++)
        if (*at == 1)
            put_name_number(statement, &name, argument, number++);
        else if (*at == '%')
            fputs("%%", name.format.file);
        else
            put_plain_byte(&name, at);
    fth_growing_text_end(&name.format);
    fth_growing_text_end(&name.arguments);
    if (name.counts || strchr(own, '%')) {
        statement->writing->needs |= FTH_NEEDS_NAME;
        fprintf(out(statement), "name(\"%s\"%s)", name.format.text, name.arguments.text);
    } else {
        fprintf(out(statement), "\"%s\"", name.format.text);
    }
    free(name.format.text);
    free(name.arguments.text);
    free(own);
}

/* ---- handles ---- */

static void put_variable(struct statement *statement, const struct fth_field *field,
                         uint32_t variable)
{
    struct fth_written_class *of = &statement->writing->classes[field->class_index];
    if (of->most > 1)
        fprintf(out(statement), "%s[%u]", of->name, (unsigned)variable);
    else
        fputs(of->name, out(statement));
}

static void put_handle(struct statement *statement, const struct fth_field *field,
                       const struct fth_argument *argument, uint32_t i)
{
    if (argument->variables[i] == FTH_NO_VARIABLE)
        fputs(argument->names[i], out(statement));
    else
        put_variable(statement, field, argument->variables[i]);
}

static bool is_contiguous(const struct fth_argument *argument)
{
    for (uint32_t i = 0; i < argument->handle_count; i++)
        if (argument->variables[i] == FTH_NO_VARIABLE ||
            argument->variables[i] != argument->variables[0] + i)
            return false;
    return true;
}

static const char *element_type(const struct fth_field *field, char type[static 64])
{
    const char *from = field->type;
    if (!strncmp(from, "const ", 6))
        from += 6;
    snprintf(type, 64, "%s", from);
    size_t length = strlen(type);
    if (length && type[length - 1] == '*' && !field->array)
        length--;
    while (length && type[length - 1] == ' ')
        length--;
    type[length] = '\0';
    return type;
}

/* No handle: constants of HDF5 are 0 and have names. */
static const char *no_handle(const struct fth_field *field)
{
    if (strchr(field->type, '*') || field->array)
        return "NULL";
    if (strcmp(field->type, "hid_t") != 0)
        return "0";
    return strstr(field->name, "pl_id") || strstr(field->name, "plist") ? "H5P_DEFAULT"
           : strstr(field->name, "space")                               ? "H5S_ALL"
                                                                        : "0";
}

static void put_handles(struct statement *statement, size_t i)
{
    const struct fth_field *field = &statement->form->row->fields[i];
    const struct fth_argument *argument = &statement->form->arguments[i];
    char type[64];
    bool pointer = strchr(field->type, '*') && !field->array &&
                   strncmp(field->type, "FILE", 4) != 0 && strncmp(field->type, "DIR", 3) != 0;
    if (argument->null || !argument->handle_count) {
        fputs(no_handle(field), out(statement));
    } else if (!field->array && !pointer) {
        put_handle(statement, field, argument, 0);
    } else if (is_contiguous(argument)) {
        fputc('&', out(statement));
        put_handle(statement, field, argument, 0);
    } else {
        fprintf(out(statement), "(%s[]){", element_type(field, type));
        for (uint32_t k = 0; k < argument->handle_count; k++) {
            fputs(k ? ", " : "", out(statement));
            put_handle(statement, field, argument, k);
        }
        fputc('}', out(statement));
    }
}

/* ---- numbers ---- */

static void put_number(struct statement *statement, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(statement->writing, statement->item, number, &constant,
                                        &is_constant);
    fputs(text, out(statement));
    free(text);
}

static void put_list(struct statement *statement, size_t i)
{
    const struct fth_field *field = &statement->form->row->fields[i];
    const struct fth_argument *argument = &statement->form->arguments[i];
    char type[64];
    if (argument->null) {
        fputs("NULL", out(statement));
        return;
    }
    fprintf(out(statement), "(%s[]){", element_type(field, type));
    for (uint32_t k = 0; k < argument->count; k++) {
        fputs(k ? ", " : "", out(statement));
        put_number(statement, argument->first + k);
    }
    fputs(argument->count ? "}" : "0}", out(statement));
}

static void put_table(struct statement *statement, size_t i)
{
    const struct fth_argument *argument = &statement->form->arguments[i];
    struct fth_writing *writing = statement->writing;
    char type[64];
    size_t number = ++writing->tables_made;
    fprintf(writing->tables.file, "static %s list_%zu[] = {",
            element_type(&statement->form->row->fields[i], type), number);
    for (uint32_t k = 0; k < argument->count; k++)
        fprintf(writing->tables.file, "%s%" PRId64,
                !k            ? ""
                : k % 12 == 0 ? ",\n    "
                              : ", ",
                argument->table[k]);
    fprintf(writing->tables.file, "};\n");
    fprintf(out(statement), "list_%zu", number);
}

static void put_flags(struct statement *statement, size_t i)
{
    const struct fth_argument *argument = &statement->form->arguments[i];
    const char *words = statement->form->row->fields[i].role_words;
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(statement->writing, statement->item, argument->first,
                                        &constant, &is_constant);
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    if (is_constant && !strncmp(words, "flags ", 6) &&
        fth_views_put_flags(&sink, statement->writing->trace, statement->form->proc, words + 6,
                            constant))
        for (size_t k = 0; k < sink.used; k++)
            fprintf(out(statement), sink.bytes[k] == '|' ? " | " : "%c", sink.bytes[k]);
    else
        fputs(text, out(statement));
    fth_sink_close_memory(&sink);
    free(text);
}

static void put_command(struct statement *statement, size_t i)
{
    const struct fth_argument *argument = &statement->form->arguments[i];
    static const char *const parts[] = {"l_type", "l_whence", "l_start", "l_len"};
    if (argument->count < 4) {
        if (argument->count)
            put_number(statement, argument->first);
        else
            fputc('0', out(statement));
        return;
    }
    fputs("&(struct flock){", out(statement));
    for (uint32_t k = 0; k < 4; k++) {
        fprintf(out(statement), "%s.%s = ", k ? ", " : "", parts[k]);
        put_number(statement, argument->first + k);
    }
    fputc('}', out(statement));
}

static bool is_mode(const struct fth_field *field)
{
    return field->role == FTH_ROLE_MODE;
}

static void put_mode(struct statement *statement, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(statement->writing, statement->item, number, &constant,
                                        &is_constant);
    if (is_constant)
        fprintf(out(statement), "0%" PRIo64, (uint64_t)constant);
    else
        fputs(text, out(statement));
    free(text);
}

static void put_format(struct statement *statement, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(statement->writing, statement->item, number, &constant,
                                        &is_constant);
    if (is_constant && constant > 0)
        fprintf(out(statement), "\"%%%" PRId64 "s\", \"\"", constant);
    else
        fprintf(out(statement), "\"%%*s\", (int)(%s), \"\"", text);
    free(text);
}

/* ---- arguments ---- */

static void put_buffer(struct statement *statement)
{
    bool first = !statement->buffers++;
    statement->writing->needs |= first ? FTH_NEEDS_BUFFER : FTH_NEEDS_BUFFER | FTH_NEEDS_OTHER;
    fputs(first ? "buffer" : "other", out(statement));
}

/* Results that a call stores have places of their own. */
static void put_unused(struct statement *statement)
{
    uint32_t number = ++statement->unused;
    if (number > statement->writing->unused)
        statement->writing->unused = number;
    fprintf(out(statement), "unused_%u", (unsigned)number);
}

static void put_argument(struct statement *statement, size_t i)
{
    const struct fth_field *field = &statement->form->row->fields[i];
    const struct fth_argument *argument = &statement->form->arguments[i];
    FILE *to = out(statement);
    switch (argument->written) {
    case FTH_WRITTEN_NULL:
        fputs(strchr(field->type, '*') || field->array ? "NULL" : no_handle(field), to);
        return;
    case FTH_WRITTEN_BUFFER:
        put_buffer(statement);
        return;
    case FTH_WRITTEN_UNUSED:
        put_unused(statement);
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
            put_mode(statement, argument->first);
        else
            put_number(statement, argument->first);
        return;
    case FTH_WRITTEN_FLAGS:
        put_flags(statement, i);
        return;
    case FTH_WRITTEN_FILLER:
        fputs("'x'", to);
        return;
    case FTH_WRITTEN_CONTENT:
        statement->writing->needs |= FTH_NEEDS_TEXT | FTH_NEEDS_BUFFER;
        fputs("text(", to);
        put_number(statement, argument->first);
        fputc(')', to);
        return;
    case FTH_WRITTEN_NAME:
        put_name(statement, i);
        return;
    case FTH_WRITTEN_LIST:
        put_list(statement, i);
        return;
    case FTH_WRITTEN_TABLE:
        put_table(statement, i);
        return;
    case FTH_WRITTEN_HANDLES:
        put_handles(statement, i);
        return;
    case FTH_WRITTEN_FORMAT:
        put_format(statement, argument->first);
        return;
    case FTH_WRITTEN_PIECES:
        statement->writing->needs |= FTH_NEEDS_PIECES | FTH_NEEDS_BUFFER;
        fputs("pieces(", to);
        put_number(statement, argument->first);
        fputs(", ", to);
        if (field->length_field >= 0)
            put_argument(statement, (size_t)field->length_field);
        else
            fputc('1', to);
        fputc(')', to);
        return;
    case FTH_WRITTEN_COMMAND:
        put_command(statement, i);
        return;
    case FTH_WRITTEN_RANK:
        fputs("&own_rank", to);
        return;
    }
}

/* What a good result is compared with; NULL: any result is good. */
static const char *good_result(const struct fth_form *form)
{
    const struct fth_field *result = &form->row->result;
    bool pointer = strchr(result->type, '*') != NULL;
    /* What a program asks of files that are not its own may have another answer. */
    if (form->failed || !strcmp(result->type, "void") ||
        (!strcmp(form->row->kind, "stat") && result->role != FTH_ROLE_NEW))
        return NULL;
    switch (result->role) {
    case FTH_ROLE_CODE:
        return "== 0";
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

static void put_call(struct statement *statement)
{
    const struct fth_row *row = statement->form->row;
    if (!strncmp(row->name, "__", 2))
        declare(statement->writing, row);
    fprintf(out(statement), "%s(", row->name);
    for (size_t i = 0; i < row->field_count; i++) {
        if (!strcmp(row->fields[i].type, "void") || !strcmp(row->fields[i].type, "..."))
            continue;
        fputs(i ? ", " : "", out(statement));
        put_argument(statement, i);
    }
    fputc(')', out(statement));
}

static void put_checked_call(struct statement *statement)
{
    const struct fth_form *form = statement->form;
    const char *good = good_result(form);
    bool assigns = form->result != FTH_NO_VARIABLE;
    if (good) {
        statement->writing->needs |= FTH_NEEDS_CHECK;
        fputs(assigns ? "CHECK((" : "CHECK(", out(statement));
    } else if (strcmp(form->row->result.type, "void") != 0) {
        fputs("(void)!", out(statement));
    }
    if (assigns) {
        put_variable(statement, &form->row->result, form->result);
        fputs(" = ", out(statement));
    }
    put_call(statement);
    if (good)
        fprintf(out(statement), "%s %s)", assigns ? ")" : "", good);
    fputc(';', out(statement));
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
    struct statement statement = {
        writing,
        item,
        &fth_statement_form(body->members[0], fth_body_sequence(body, 0), item->number)->form,
        {0},
        0,
        0};
    fth_growing_text_open(&statement.text);
    put_checked_call(&statement);
    fth_growing_text_end(&statement.text);
    put_lines(to, statement.text.text, indent);
    free(statement.text.text);
}
