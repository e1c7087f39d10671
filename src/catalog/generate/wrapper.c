/* One row of the catalogue becomes one wrapper in C, written as a person would write it: look
 * the handles up, call the real function, keep the values, commit. src/capture/record/runtime.h
 * holds what the wrapper calls. */
#include "catalog/generate/writer.h"

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

/* A subroutine of Fortran returns nothing, but its ierror is the result that the row means. */
static bool returns_nothing(const struct writer *writer)
{
    return strcmp(writer->row->result.type, "void") == 0 ||
           (writer->fortran && !is_fortran_function(writer->row));
}

bool is_pointer(const struct fth_field *field)
{
    return field->array || strchr(field->type, '*');
}

bool is_data_call(const struct fth_row *row)
{
    return fth_kind_reads(row->kind) || fth_kind_writes(row->kind);
}

/* Requests are given up by the library when it sets them to null, not when they are passed. */
bool gives_up_later(const struct writer *writer)
{
    return strcmp(writer->row->kind, "wait") == 0 || strcmp(writer->row->kind, "test") == 0;
}

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

static void write_call(struct writer *writer, bool recorded)
{
    const struct fth_row *row = writer->row;
    if (writer->fortran) {
        write_fortran_call(writer, recorded);
        return;
    }
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

/* Calls the real function; `result` is what came back, if anything did. */
static void write_result(struct writer *writer, bool recorded, const char *indent)
{
    bool nothing = returns_nothing(writer);
    fputs(indent, writer->out);
    if (!nothing)
        fprintf(writer->out, "%s result = ", writer->row->result.type);
    write_call(writer, recorded);
    fputs(";\n", writer->out);
    if (nothing && writer->fortran)
        fprintf(writer->out, "%sint result = %s;\n", indent, fortran_result(writer->row));
}

void write_return(struct writer *writer, const char *indent)
{
    fprintf(writer->out, "%sreturn%s;\n", indent, returns_nothing(writer) ? "" : " result");
}

/* What the program gave. */
static const char *all_arguments(const struct fth_row *row, bool with_result)
{
    static char text[512];
    size_t used = (size_t)sprintf(text, "%s", with_result ? "result" : "");
    for (size_t i = 0; i < row->field_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                 row->fields[i].name);
    return text;
}

/* What fth_after_NAME is told: the result, if there is one, and the handle that the call is about,
 * if that is of a library other than MPI, or all arguments (`watched`). */
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

static void write_untraced(struct writer *writer)
{
    write_unrecorded(writer, false);
}

static void write_excluded(struct writer *writer)
{
    line(writer, "    fth_pass(&call);");
    write_unrecorded(writer, true);
}

/* ---- before the call ---- */

static const struct fth_field *field_or_result(const struct fth_row *row, size_t i)
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
static const struct fth_field *field_that_asks(const struct writer *writer,
                                               const struct fth_field *field)
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

/* Where the class stands among those of files. What a plug-in adds is numbered when it is
 * loaded. */
static const char *ordinal_text(const struct writer *writer, int class_index)
{
    static char text[64];
    const struct fth_catalog *catalog = writer->catalog;
    int ordinal = ordinal_of(catalog, class_index), given = 0;
    for (size_t i = 0; i < catalog->given_classes; i++)
        given += catalog->classes[i].form == FTH_CLASS_FILE;
    if (ordinal >= 0 && given && (size_t)class_index >= catalog->given_classes)
        snprintf(text, sizeof text, "(int)fth_plugin.first_file + %d", ordinal - given);
    else
        snprintf(text, sizeof text, "%d", ordinal);
    return text;
}

static size_t stars(const char *type)
{
    size_t count = 0;
    for (; *type; type++)
        count += *type == '*';
    return count;
}

/* How many stars the handle itself has, as rows of the library show that use or return one; -1:
 * none does. */
static int stars_of_handle(const struct writer *writer, int class_index)
{
    const struct fth_catalog *catalog = writer->catalog;
    for (size_t i = 0; i < catalog->row_count; i++)
        for (size_t k = 0; k <= catalog->rows[i].field_count; k++) {
            const struct fth_row *row = &catalog->rows[i];
            const struct fth_field *field = k < row->field_count ? &row->fields[k] : &row->result;
            if (field->class_index != class_index || strcmp(row->library, writer->row->library) ||
                fth_field_has_length(field))
                continue;
            if (field->role == FTH_ROLE_USE || field == &row->result)
                return (int)stars(field->type);
            if (field->role == FTH_ROLE_NEW)
                return (int)stars(field->type) - 1;
        }
    return -1;
}

/* A handle may be given up through a pointer to it; and a library's handle may be an address
 * itself. */
static bool is_pointer_to_handle(const struct writer *writer, const struct fth_field *field)
{
    int own = stars_of_handle(writer, field->class_index);
    return is_pointer(field) && field->role == FTH_ROLE_CLOSE &&
           (own < 0 ? !strstr(field->type, "void") && !strstr(field->type, "struct")
                    : (int)stars(field->type) > own);
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
        else if (is_pointer(length)) /* the call may be told not to say */
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

static const char *finder(const struct writer *writer, enum handle_form form)
{
    static const char *const names[] = {"fth_find_descriptor", "fth_find_stream",
                                        "fth_find_directory", "fth_mpi_find", "fth_library_find"};
    return form == FORM_FOREIGN && !is_of_mpi(writer->row) ? "fth_library_find_in_mpi"
                                                           : names[form];
}

static const char *closer(enum handle_form form)
{
    static const char *const names[] = {"fth_close_descriptor", "fth_close_stream",
                                        "fth_close_directory", "fth_mpi_close",
                                        "fth_library_close"};
    return names[form];
}

/* The handle in the parameter, as the functions of the runtime take it. */
static void handle_expression(const struct writer *writer, const struct fth_field *field,
                              char *text, size_t size)
{
    const char *class = writer->catalog->classes[field->class_index].name;
    enum handle_form form = form_of(writer->catalog, writer->row, field);
    if (form == FORM_LIBRARY && is_pointer_to_handle(writer, field))
        snprintf(text, size, "%s ? FTH_HANDLE_NUMBER(*%s) : 0", field->name, field->name);
    else if (form == FORM_LIBRARY)
        snprintf(text, size, "FTH_HANDLE_NUMBER(%s)", field->name);
    else if (form == FORM_FOREIGN && !is_of_mpi(writer->row))
        snprintf(text, size, "(uintptr_t)%s", field->name);
    else if (form != FORM_FOREIGN)
        snprintf(text, size, "%s", field->name);
    else if (is_pointer(field))
        snprintf(text, size, "fth_mpi_at(FTH_CLASS_%s, %s)", class, field->name);
    else
        snprintf(text, size, "fth_mpi_value(FTH_CLASS_%s, (uintptr_t)%s)", class, field->name);
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
static const struct fth_field *field_beside(const struct writer *writer,
                                            const struct fth_field *field)
{
    const struct fth_row *row = writer->row;
    for (size_t i = 0; i < row->field_count && is_data_call(row); i++)
        if (&row->fields[i] != field && row->fields[i].role == FTH_ROLE_USE &&
            fth_field_is_descriptor(writer->catalog, &row->fields[i]))
            return &row->fields[i];
    return NULL;
}

/* Reads or writes, or so for sockets. */
static bool moves_where_it_stands(const struct fth_row *row)
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

/* A call about a handle that the filters leave out is passed on; but not if it takes the place of
 * one that they do not, or moves bytes to or from one: what happens to that matters. */
static void pass_excluded(struct writer *writer, const struct fth_field *field)
{
    const struct fth_field *matters = field_replaced(writer);
    if (!matters)
        matters = field_beside(writer, field);
    line(writer, "if (FTH_UNLIKELY(slot_%s == FTH_EXCLUDED%s%s%s)) {", field->name,
         matters ? " && fth_find_descriptor(FTH_CLASS_fd, " : "", matters ? matters->name : "",
         matters ? ") < 0" : "");
    write_excluded(writer);
    line(writer, "}");
    if (matters)
        line(writer, "slot_%s = slot_%s == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : slot_%s;", field->name,
             field->name, field->name);
}

static void look_handle_up(struct writer *writer, int index, bool about)
{
    const struct fth_field *field = &writer->row->fields[index];
    const struct fth_class *class = &writer->catalog->classes[field->class_index];
    enum handle_form form = form_of(writer->catalog, writer->row, field);
    char handle[128], length[64];
    if (fth_field_has_length(field) && form == FORM_LIBRARY) {
        length_of(writer, field, length, sizeof length);
        line(writer, "struct fth_library_handles saved_%s;", field->name);
        line(writer, "fth_library_save(&call, FTH_CLASS_%s, %s, %s, sizeof *%s, &saved_%s);",
             class->name, field->name, length, field->name, field->name);
        return;
    }
    if (fth_field_has_length(field)) {
        length_of(writer, field, length, sizeof length);
        line(writer, "struct fth_mpi_handles saved_%s;", field->name);
        line(writer, "fth_mpi_save%s(&call, FTH_CLASS_%s, %s, %s, &saved_%s);",
             field->role == FTH_ROLE_CLOSE ? "_ending" : "", class->name, field->name, length,
             field->name);
        return;
    }
    handle_expression(writer, field, handle, sizeof handle);
    line(writer, "int32_t slot_%s = %s(FTH_CLASS_%s, %s);", field->name, finder(writer, form),
         class->name, handle);
    if (field->role == FTH_ROLE_CLOSE && gives_up_later(writer))
        line(writer, "uint64_t given_%s = %s;", field->name, handle);
    if (class->form == FTH_CLASS_FILE && !(field->role == FTH_ROLE_CLOSE))
        pass_excluded(writer, field);
    if (class->form != FTH_CLASS_ANONYMOUS)
        line(writer, "fth_note_binding(&call, FTH_CLASS_%s, slot_%s);", class->name, field->name);
    int path = fth_field_with_role(writer->row, FTH_ROLE_PATH);
    bool is_directory = path >= 0 && writer->row->fields[path].at_field == index;
    if (about) /* openat is about the path: it has no cursor */
        line(writer, "fth_about(&call, %s, slot_%s);",
             is_directory ? "-1" : ordinal_text(writer, field->class_index), field->name);
}

/* Handles are given up last: until here the call may still be left out. */
static void give_handle_up(struct writer *writer, const struct fth_field *field)
{
    const struct fth_class *class = &writer->catalog->classes[field->class_index];
    char handle[128];
    if (fth_field_has_length(field) || gives_up_later(writer))
        return;
    handle_expression(writer, field, handle, sizeof handle);
    line(writer, "%s(FTH_CLASS_%s, %s);", closer(form_of(writer->catalog, writer->row, field)),
         class->name, handle);
    if (class->form != FTH_CLASS_FILE)
        return;
    if (field == field_replaced(writer)) {
        line(writer, "slot_%s = slot_%s == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : slot_%s;", field->name,
             field->name, field->name);
        return;
    }
    line(writer, "if (FTH_UNLIKELY(slot_%s == FTH_EXCLUDED)) {", field->name);
    write_excluded(writer);
    line(writer, "}");
}

const char *directory_of(const struct writer *writer, const struct fth_field *path)
{
    return path->at_field >= 0 ? writer->row->fields[path->at_field].name : "FTH_HERE";
}

static bool is_called_from_fortran(const struct writer *writer)
{
    const struct fth_library *library = bound_library(writer->catalog, writer->row);
    return library && library->fortran[0];
}

bool is_asked_after(const struct writer *writer)
{
    const struct fth_library *library = bound_library(writer->catalog, writer->row);
    return library && library->asked_after;
}

/* The last one of a list that the program gives, or the sum of all. */
static void write_ask_of_list(struct writer *writer, const struct fth_field *field)
{
    const struct fth_field *list = &writer->row->fields[field->ask->arguments[0]];
    char length[128];
    line(writer, "int64_t %s = fth_%s(%s, %s, sizeof *%s);", answer_of(writer, field),
         field->ask->function, list->name, length_of(writer, list, length, sizeof length),
         list->name);
}

/* What is asked of the library is asked before the call, while the arguments are those that the
 * program gave; or after it, how much it moved only if it did. A function of the library is asked
 * only if the handles among its arguments are known: it might complain about others. One of ours
 * (src/capture/LIBRARY) sees to that itself. */
static void write_ask(struct writer *writer, const struct fth_field *field)
{
    const struct fth_row *row = writer->row;
    const struct fth_ask *ask = field->ask;
    const char *answer = answer_of(writer, field);
    bool is_ours = !fth_catalog_find(writer->catalog, ask->function), is_stored = false;
    if (field != field_that_asks(writer, field))
        return; /* asked already */
    if (fth_ask_is_of_list(ask)) {
        write_ask_of_list(writer, field);
        return;
    }
    for (int i = 0; i < ask->count; i++)
        is_stored = is_stored || ask->arguments[i] == FTH_ASK_ANSWER;
    if (is_stored)
        line(writer, "int told_%s = -1;", answer);
    fprintf(writer->out, "    int64_t %s = ", answer);
    if (field == &row->result && is_asked_after(writer))
        fputs("result != 0 ? -1 : ", writer->out);
    for (int i = 0; i < ask->count && !is_ours; i++) {
        int argument = ask->arguments[i];
        if (argument != FTH_ASK_ANSWER && is_used(&row->fields[argument]))
            fprintf(writer->out, "slot_%s < 0 ? -1 : ", row->fields[argument].name);
    }
    if (!is_ours)
        fprintf(writer->out, "!asked_%s ? -1 : ", ask->function);
    fprintf(writer->out, "%s%s(", is_ours ? "fth_" : "asked_", ask->function);
    for (int i = 0; i < ask->count; i++) {
        int argument = ask->arguments[i];
        fprintf(writer->out, "%s%s%s", i ? ", " : "", argument == FTH_ASK_ANSWER ? "&told_" : "",
                argument == FTH_ASK_ANSWER ? answer : row->fields[argument].name);
    }
    fprintf(writer->out, ")%s%s;\n", is_stored ? " != 0 ? -1 : told_" : "",
            is_stored ? answer : "");
}

/* What the library fills in, and what is kept of it; in Fortran the caller's has a name of its
 * own. */
static void write_own_statuses(struct writer *writer, const struct fth_field *field)
{
    const struct fth_row *row = writer->row;
    const char *requests = NULL;
    for (size_t i = 0; i < row->field_count; i++)
        if (is_request(&row->fields[i]))
            requests = row->fields[i].name;
    line(writer, "struct fth_mpi_own_statuses own_%s;", field->name);
    line(writer, "MPI_Status *kept_%s = fth_mpi_own_statuses(%s, &saved_%s, &own_%s);", field->name,
         field->name, requests, field->name);
    line(writer, "void *status_or_own_%s = kept_%s == (void *)&own_%s ? kept_%s : (void *)%s%s;",
         field->name, field->name, field->name, field->name, writer->fortran ? "f_" : "",
         field->name);
}

static void write_before(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    int about = field_it_is_about(writer);
    if (has_flag(writer, FTH_CALL_ON_STDIN | FTH_CALL_ON_STDOUT)) {
        const char *stream = has_flag(writer, FTH_CALL_ON_STDIN) ? "stdin" : "stdout";
        int class_index = 0;
        while (strcmp(writer->catalog->classes[class_index].name, "stream") != 0)
            class_index++;
        line(writer, "int32_t slot_of_stream = fth_find_stream(FTH_CLASS_stream, %s);", stream);
        line(writer, "if (FTH_UNLIKELY(slot_of_stream == FTH_EXCLUDED)) {");
        write_excluded(writer);
        line(writer, "}");
        line(writer, "fth_note_binding(&call, FTH_CLASS_stream, slot_of_stream);");
        line(writer, "fth_about(&call, %s, slot_of_stream);", ordinal_text(writer, class_index));
        about = -1;
    }
    for (size_t i = 0; i < row->field_count; i++)
        if (is_used(&row->fields[i]))
            look_handle_up(writer, (int)i, (int)i == about);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role == FTH_ROLE_CLOSE)
            give_handle_up(writer, field);
        if (field->role == FTH_ROLE_STATUS && fth_field_has_length(field))
            write_own_statuses(writer, field);
        if (field->role == FTH_ROLE_STATUS && !fth_field_has_length(field)) {
            line(writer, "struct fth_mpi_own_status own_%s;", field->name);
            line(writer, "MPI_Status *status_or_own_%s = fth_mpi_status(%s, &own_%s);", field->name,
                 field->name, field->name);
        }
    }
}

/* What the library calls to answer is ours, and no call of the program that got lost. */
void write_asks(struct writer *writer)
{
    bool asks = false;
    for (size_t i = 0; i <= writer->row->field_count; i++) {
        const struct fth_field *field = field_or_result(writer->row, i);
        if (field->ask && !asks)
            line(writer, "uint64_t lost_before = call.recorder->live->lost;");
        if (field->ask)
            write_ask(writer, field);
        asks = asks || field->ask;
    }
    if (asks)
        line(writer, "call.recorder->live->lost = lost_before;");
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
    write_call(writer, false);
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
    line(writer, "struct fth_draft call;");
    line(writer, "if (!fth_begin(&call, FTH_CALL_%s, FTH_CONTEXT_%s)) {", row->name, row->name);
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
    if (!returns_nothing(writer))
        line(writer, "return result;");
    fputs("}\n", writer->out);
}

/* What the library's functions for Fortran call instead of the wrapper: it says so, and calls
 * it. */
void write_entry_of_fortran(FILE *out, const struct fth_row *row)
{
    struct writer writer = {out, NULL, row, true, false};
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
    struct writer writer = {out, NULL, row, true, false};
    fprintf(out, "static %s (*asked_%s)(", row->result.type, row->name);
    write_parameters(&writer, false);
    fputs(");\n", out);
}

void write_wrapper(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row,
                   bool bound)
{
    struct writer writer = {out, catalog, row, bound, false};
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
