/* What the writers of wrappers ask of a row and its fields: what a call is about, which of its
 * parameters are handles, arrays or positions, and what the library is asked; and how a line is
 * written. */
#include "catalog/generate/wrapper_writer.h"

#include <stdarg.h>
#include <string.h>

void line(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("    ", writer->out);
    vfprintf(writer->out, format, arguments);
    fputc('\n', writer->out);
    va_end(arguments);
}

bool has_flag(const struct writer *writer, unsigned flag)
{
    return (writer->row->flags & flag) != 0;
}

bool is_pointer(const struct fth_field *field)
{
    return field->array || strchr(field->type, '*');
}

/* Requests are given up by the library when it sets them to null, not when they are passed. */
bool gives_up_later(const struct writer *writer)
{
    return strcmp(writer->row->kind, "wait") == 0 || strcmp(writer->row->kind, "test") == 0;
}

const struct fth_field *field_or_result(const struct fth_row *row, size_t i)
{
    return i < row->field_count ? &row->fields[i] : &row->result;
}

static bool asks_the_same(const struct fth_ask *one, const struct fth_ask *other)
{
    return one && other && strcmp(one->function, other->function) == 0 &&
           one->count == other->count &&
           memcmp(one->arguments, other->arguments, (size_t)one->count * sizeof *one->arguments) ==
               0;
}

/* The first field with the same question. */
const struct fth_field *field_that_asks(const struct writer *writer, const struct fth_field *field)
{
    size_t i = 0;
    while (!asks_the_same(field_or_result(writer->row, i)->ask, field->ask))
        i++;
    return field_or_result(writer->row, i);
}

const char *answer_of(const struct writer *writer, const struct fth_field *field)
{
    static char text[128];
    const struct fth_field *first = field_that_asks(writer, field);
    snprintf(text, sizeof text, "answer_%s", *first->name ? first->name : "moved");
    return text;
}

bool is_of_plugin(const struct writer *writer)
{
    return writer->catalog->given_rows > 0;
}

const char *length_of(const struct writer *writer, const struct fth_field *field, char *text,
                      size_t size)
{
    if (field->ask) {
        snprintf(text, size, "%s", answer_of(writer, field));
    } else if (field->length >= 0) {
        snprintf(text, size, "%lld", (long long)field->length);
    } else {
        const struct fth_field *length = &writer->row->fields[field->length_field];
        if (is_pointer(length) && is_of_plugin(writer))
            snprintf(text, size, "fth_is_readable(%s, sizeof *%s) ? (int64_t)*%s : -1",
                     length->name, length->name, length->name);
        else if (is_pointer(length)) /* the call may be asked not to say */
            snprintf(text, size, "%s ? (int64_t)*%s : -1", length->name, length->name);
        else
            snprintf(text, size, "(int64_t)%s", length->name);
    }
    return text;
}

/* Arrays that the call fills only in part: outcount says how far. */
const char *filled_length(const struct writer *writer, const struct fth_field *field, char *text,
                          size_t size)
{
    for (size_t i = 0; i < writer->row->field_count; i++)
        if (strcmp(writer->row->fields[i].name, "outcount") == 0) {
            snprintf(text, size, "result == 0 ? fth_mpi_filled(outcount) : 0");
            return text;
        }
    return length_of(writer, field, text, size);
}

bool is_used(const struct fth_field *field)
{
    return (field->role == FTH_ROLE_USE || field->role == FTH_ROLE_CLOSE);
}

bool is_request(const struct fth_field *field)
{
    return is_used(field) && strstr(field->type, "MPI_Request");
}

/* The handle that the call is about, as the reader sees it: that of a file before others
 * (trace/state/state.c). */
int field_it_is_about(const struct writer *writer)
{
    int first = -1;
    for (int i = 0; i < (int)writer->row->field_count; i++) {
        const struct fth_field *field = &writer->row->fields[i];
        if (field->role == FTH_ROLE_PATH)
            return first; /* it is about the path */
        if (!is_used(field) || fth_field_has_length(field))
            continue;
        if (writer->catalog->classes[field->class_index].form == FTH_CLASS_FILE)
            return i;
        if (first < 0)
            first = i;
    }
    return first;
}

/* The other descriptor of a call that moves bytes between two. */
const struct fth_field *field_beside(const struct writer *writer, const struct fth_field *field)
{
    const struct fth_row *row = writer->row;
    for (size_t i = 0; i < row->field_count && is_data_call(row); i++)
        if (&row->fields[i] != field && row->fields[i].role == FTH_ROLE_USE &&
            fth_field_is_descriptor(writer->catalog, &row->fields[i]))
            return &row->fields[i];
    return NULL;
}

/* Reads or writes, or so for sockets. */
bool moves_where_it_stands(const struct fth_row *row)
{
    return is_data_call(row) ||
           (row->orders && (strcmp(row->orders, "give") == 0 || strcmp(row->orders, "take") == 0));
}

const struct fth_field *field_that_stands(const struct writer *writer)
{
    const struct fth_row *row = writer->row;
    int about = field_it_is_about(writer);
    bool seeks = row->result.role == FTH_ROLE_POSITION;
    if (about < 0 || writer->bound || is_of_plugin(writer) ||
        !fth_field_is_descriptor(writer->catalog, &row->fields[about]) ||
        !(seeks || (moves_where_it_stands(row) && row->result.role == FTH_ROLE_MOVED)) ||
        fth_field_with_role(row, FTH_ROLE_OFFSET) >= 0 || field_beside(writer, &row->fields[about]))
        return NULL;
    return &row->fields[about];
}

const struct fth_field *field_replaced(const struct writer *writer)
{
    const struct fth_row *row = writer->row;
    int closed = fth_field_with_role(row, FTH_ROLE_CLOSE);
    bool copies = row->result.role == FTH_ROLE_NEW && strcmp(row->kind, "dup") == 0;
    return copies && closed >= 0 ? &row->fields[closed] : NULL;
}

const char *directory_of(const struct writer *writer, const struct fth_field *path)
{
    return path->at_field >= 0 ? writer->row->fields[path->at_field].name : "FTH_HERE";
}

bool is_called_from_fortran(const struct writer *writer)
{
    const struct fth_library *library = bound_library(writer->catalog, writer->row);
    return library && library->fortran[0];
}

bool is_asked_after(const struct writer *writer)
{
    const struct fth_library *library = bound_library(writer->catalog, writer->row);
    return library && library->asked_after;
}
