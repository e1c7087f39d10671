/* One row of the catalogue becomes one wrapper in C, written as a person would write it: look
 * the handles up, call the real function, keep the values, commit. src/capture/record/runtime.h
 * holds what the wrapper calls. */
#include "catalog/generate/wrapper_writer.h"

#include <stdarg.h>
#include <string.h>

/* ---- prototypes ---- */

static void write_declaration(FILE *out, const struct fth_field *field)
{
    const char *inside = strstr(field->type, "(*)");
    if (inside)
        fprintf(out, "%.*s(*%s)%s", (int)(inside - field->type), field->type, field->name,
                inside + 3);
    else
        fprintf(out, "%s%s%s%s", field->type,
                field->type[strlen(field->type) - 1] == '*' ? "" : " ", field->name,
                field->array ? "[]" : "");
}

static void write_parameters(struct writer *writer, bool as_list)
{
    const struct fth_row *row = writer->row;
    bool optional =
        row->field_count && row->fields[row->field_count - 1].optional && !writer->bound;
    size_t count = row->field_count - (optional ? 1 : 0);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", writer->out);
        write_declaration(writer->out, &row->fields[i]);
    }
    if ((row->flags & FTH_CALL_VARIADIC) && !writer->bound)
        fputs(as_list && row->via ? ", va_list more" : ", ...", writer->out);
    else if (!count)
        fputs("void", writer->out);
}

/* ---- the wrapper ---- */

static void write_optional_argument(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    const struct fth_field *last = &row->fields[row->field_count - 1];
    const struct fth_field *before = &row->fields[row->field_count - 2];
    line(writer, "va_list more;");
    line(writer, "va_start(more, %s);", before->name);
    bool narrow = strcmp(last->type, "mode_t") == 0;
    line(writer, "%s %s = %sva_arg(more, %s);", last->type, last->name, narrow ? "(mode_t)" : "",
         narrow ? "unsigned" : last->type);
    line(writer, "va_end(more);");
}

static void write_head(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    FILE *out = writer->out;
    if (writer->bound) {
        fprintf(out, "static %s (*real_%s)(", row->result.type, row->name);
        write_parameters(writer, false);
        fprintf(out, ");\nstatic %s wrap_%s(", row->result.type, row->name);
    } else {
        fprintf(out, "FTH_PUBLIC %s%s %s(",
                has_flag(writer, FTH_CALL_NORETURN) ? "__attribute__((noreturn)) " : "",
                row->result.type, row->name);
    }
    write_parameters(writer, false);
    fputs(")\n{\n", out);
    if (writer->bound) {
        line(writer, "__typeof__(real_%s) real = real_%s;", row->name, row->name);
        return;
    }
    fprintf(out, "    static %s (*real)(", row->result.type);
    write_parameters(writer, true);
    fputs(");\n", out);
    line(writer, "if (FTH_UNLIKELY(!real))");
    line(writer, "    real = (__typeof__(real))fth_real(\"%s\");", row->via ? row->via : row->name);
}

/* It may not come back, so it is recorded before. */
static void write_parting(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    line(writer, "fth_end(&call);");
    if (strcmp(row->result.type, "void") == 0) {
        write_after(writer);
        write_untraced(writer);
        fputs("}\n", writer->out);
        return;
    }
    line(writer, "%s result = 0;", row->result.type);
    write_after(writer);
    fputs(returns_nothing(writer) ? "    " : "    result = ", writer->out);
    write_real_call(writer, false);
    fputs(";\n", writer->out);
    write_return(writer, "    ");
    fputs("}\n", writer->out);
}

void write_body(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    if (has_flag(writer, FTH_CALL_HOOKED))
        line(writer, "fth_before_%s(%s);", row->name,
             has_flag(writer, FTH_CALL_WATCHED) ? all_arguments(row, false) : "");
    /* before anything is saved for what comes: programs on a file system that are not recorded */
    line(writer, "if (FTH_UNLIKELY(fth_wanted[FTH_CALL_%s] == FTH_NOT_WANTED)) {", row->name);
    write_untraced(writer);
    line(writer, "}");
    line(writer, "struct fth_draft call;");
    line(writer, "if (!%s(&call, FTH_CALL_%s, FTH_CONTEXT_%s%s)) {",
         writer->by_number ? "fth_begin_at" : "fth_begin", row->name, row->name,
         writer->by_number ? ", (uintptr_t)with_[FTH_SYSTEM_FRAME]" : "");
    write_untraced(writer);
    line(writer, "}");
    if (writer->fortran)
        write_fortran_before(writer);
    else if (is_called_from_fortran(writer))
        line(writer, "fth_take_language(&call);");
    write_before(writer);
    if (!is_asked_after(writer))
        write_asks(writer);
    const struct fth_field *stands = field_that_stands(writer);
    if (stands && moves_where_it_stands(row))
        line(writer, "int64_t stood = fth_standing(slot_%s, %s);", stands->name, stands->name);
    line(writer, "fth_start(&call);");
    if (has_flag(writer, FTH_CALL_NORETURN)) {
        write_parting(writer);
        return;
    }
    write_result(writer, true, "    ");
    line(writer, "fth_end(&call);");
    if (writer->fortran)
        write_fortran_after(writer);
    if (row->via)
        line(writer, "va_end(more);");
    write_after(writer);
    if (has_flag(writer, FTH_CALL_HOOKED))
        line(writer, "fth_after_%s(%s);", row->name, hook_arguments(writer));
    if (!returns_nothing(writer) || writer->by_number)
        write_return(writer, "    ");
    fputs("}\n", writer->out);
}

/* What the library's functions for Fortran call instead of the wrapper: it says so, and calls
 * it. */
void write_entry_of_fortran(FILE *out, const struct fth_row *row)
{
    struct writer writer = {out, NULL, row, true, false, false};
    fprintf(out, "\nstatic %s fortran_%s(", row->result.type, row->name);
    write_parameters(&writer, false);
    fputs(")\n{\n", out);
    line(&writer, "fth_from_fortran(FTH_CALL_%s);", row->name);
    fprintf(out, "    %swrap_%s(", returns_nothing(&writer) ? "" : "return ", row->name);
    for (size_t i = 0; i < row->field_count; i++)
        fprintf(out, "%s%s", i ? ", " : "", row->fields[i].name);
    fputs(");\n}\n", out);
}

void write_asked_function(FILE *out, const struct fth_row *row)
{
    struct writer writer = {out, NULL, row, true, false, false};
    fprintf(out, "static %s (*asked_%s)(", row->result.type, row->name);
    write_parameters(&writer, false);
    fputs(");\n", out);
}

void write_wrapper(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row,
                   bool bound)
{
    struct writer writer = {out, catalog, row, bound, false, false};
    fprintf(out, "\n/* %s:%d */\n", row->file, row->line);
    write_head(&writer);
    if (row->via) {
        line(&writer, "va_list more;");
        line(&writer, "va_start(more, %s);", row->fields[row->field_count - 1].name);
    } else if ((row->flags & FTH_CALL_VARIADIC) && !bound) {
        write_optional_argument(&writer);
    }
    write_body(&writer);
}

/* Of the offset of a list of buffers there are two halves, the upper one empty. */
static bool has_halves(const struct fth_row *row, size_t at)
{
    bool has_list = false;
    for (size_t i = 0; i < at; i++)
        has_list |= row->fields[i].role == FTH_ROLE_IOV;
    return has_list && row->fields[at].role == FTH_ROLE_OFFSET;
}

void write_wrapper_by_number(FILE *out, const struct fth_catalog *catalog,
                             const struct fth_row *row)
{
    struct writer writer = {out, catalog, row, false, false, true};
    size_t at = 1;
    fprintf(out, "\n/* %s:%d */\nstatic long number_%s(const long *with_)\n{\n", row->file,
            row->line, row->name);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        line(&writer, "%s %s%s = (%s%s)with_[%zu];", field->type, field->array ? "*" : "",
             field->name, field->type, field->array ? " *" : "", at);
        line(&writer, "(void)%s;", field->name);
        at += has_halves(row, i) ? 2 : 1;
    }
    write_body(&writer);
}
