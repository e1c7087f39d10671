/* The real function in a wrapper of C or of Fortran: how it is called, what comes back, and the
 * ways out of a wrapper without recording. */
#include "catalog/generate/wrapper_writer.h"

#include <string.h>

bool returns_nothing(const struct writer *writer)
{
    return strcmp(writer->row->result.type, "void") == 0 ||
           (writer->fortran && !is_fortran_function(writer->row));
}

void write_real_call(struct writer *writer, bool recorded)
{
    const struct fth_row *row = writer->row;
    if (writer->fortran) {
        write_fortran_call(writer, recorded);
        return;
    }
    if (writer->by_number) {
        fprintf(writer->out,
                returns_nothing(writer) ? "fth_make_by_number(with_)"
                                        : "(%s)fth_make_by_number(with_)",
                row->result.type);
        return;
    }
    if (has_flag(writer, FTH_CALL_AROUND))
        fprintf(writer->out, "fth_around_%s(real%s", row->name, row->field_count ? ", " : "");
    else
        fputs("real(", writer->out);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        bool own = recorded && field->role == FTH_ROLE_STATUS;
        fprintf(writer->out, "%s%s%s", i ? ", " : "", own ? "status_or_own_" : "", field->name);
    }
    if (row->via)
        fputs(", more", writer->out);
    fputs(")", writer->out);
}

void write_result(struct writer *writer, bool recorded, const char *indent)
{
    bool nothing = returns_nothing(writer);
    fputs(indent, writer->out);
    if (!nothing)
        fprintf(writer->out, "%s result = ", writer->row->result.type);
    write_real_call(writer, recorded);
    fputs(";\n", writer->out);
    if (nothing && writer->fortran)
        fprintf(writer->out, "%sint result = %s;\n", indent, fortran_result(writer->row));
}

void write_return(struct writer *writer, const char *indent)
{
    const char *nothing = writer->by_number ? " 0" : "";
    fprintf(writer->out, "%sreturn%s;\n", indent,
            returns_nothing(writer) ? nothing
            : writer->by_number     ? " (long)result"
                                    : " result");
}

const char *all_arguments(const struct fth_row *row, bool with_result)
{
    static char text[512];
    size_t used = (size_t)sprintf(text, "%s", with_result ? "result" : "");
    for (size_t i = 0; i < row->field_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                 row->fields[i].name);
    return text;
}

const char *hook_arguments(const struct writer *writer)
{
    static char text[128];
    const struct fth_row *row = writer->row;
    if (has_flag(writer, FTH_CALL_WATCHED))
        return all_arguments(row, !returns_nothing(writer));
    int about = field_it_is_about(writer);
    const char *handle =
        about >= 0 && form_of(writer->catalog, row, &row->fields[about]) == FORM_LIBRARY
            ? row->fields[about].name
            : NULL;
    bool has_result = !returns_nothing(writer) || writer->fortran;
    snprintf(text, sizeof text, "%s%s%s", has_result ? "result" : "",
             has_result && handle ? ", " : "", handle ? handle : "");
    return text;
}

/* Is what it moves in what the system counts for the process? */
static bool is_counted(const struct writer *writer)
{
    const struct fth_row *row = writer->row;
    return layer_is(writer->catalog, row, FTH_LAYER_SYSTEM) && is_data_call(row) &&
           row->result.role == FTH_ROLE_MOVED && !(row->flags & FTH_CALL_UNCOUNTED);
}

/* The filters leave the call out; how much it moves is kept, in sum. A copy (two descriptors) reads
 * and writes. */
static void write_passed(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    int descriptors = 0;
    for (size_t i = 0; i < row->field_count; i++)
        descriptors += row->fields[i].role == FTH_ROLE_USE;
    if (fth_kind_reads(row->kind) || descriptors > 1)
        line(writer, "    fth_passed_read(&call, (int64_t)result);");
    if (fth_kind_writes(row->kind) || descriptors > 1)
        line(writer, "    fth_passed_write(&call, (int64_t)result);");
}

/* The descriptor of a call that reads or writes where it stands: it may be a counter of events,
 * whose number is in the buffer. */
static const struct fth_field *field_that_counts(const struct writer *writer, const char **buffer)
{
    const struct fth_row *row = writer->row;
    const struct fth_field *found = NULL;
    *buffer = "NULL";
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role == FTH_ROLE_USE) {
            if (found || !fth_field_is_descriptor(writer->catalog, field))
                return NULL;
            found = field;
        }
        if (field->role == FTH_ROLE_BYTES && i && is_pointer(&row->fields[i - 1]))
            *buffer = row->fields[i - 1].name;
    }
    return writer->bound || is_of_plugin(writer) || !is_counted(writer) ||
                   fth_field_with_role(row, FTH_ROLE_OFFSET) >= 0
               ? NULL
               : found;
}

/* Calls the real function without recording and returns; `passed`: because of its file. */
static void write_unrecorded(struct writer *writer, bool passed)
{
    const struct fth_row *row = writer->row;
    FILE *out = writer->out;
    const char *buffer;
    const struct fth_field *counts = passed ? field_that_counts(writer, &buffer) : NULL;
    if (counts)
        line(writer, "    uint64_t since = fth_counter_since(%s);", counts->name);
    write_result(writer, false, "        ");
    if (passed && is_counted(writer))
        write_passed(writer);
    if (counts)
        line(writer,
             "    fth_counter_changed(%s, %s, %s, (int64_t)result, since, "
             "(uintptr_t)__builtin_frame_address(0));",
             fth_kind_writes(row->kind) ? "true" : "false", counts->name, buffer);
    if (row->via)
        fputs("        va_end(more);\n", out);
    if (has_flag(writer, FTH_CALL_HOOKED))
        fprintf(out, "        fth_after_%s(%s);\n", row->name, hook_arguments(writer));
    else if (writer->fortran && returns_nothing(writer))
        fputs("        (void)result;\n", out);
    if (has_flag(writer, FTH_CALL_NORETURN) && returns_nothing(writer) && !writer->fortran)
        fputs("        __builtin_unreachable();\n", out);
    else
        write_return(writer, "        ");
}

void write_untraced(struct writer *writer)
{
    write_unrecorded(writer, false);
}

void write_excluded(struct writer *writer)
{
    line(writer, "    fth_pass(&call);");
    write_unrecorded(writer, true);
}
