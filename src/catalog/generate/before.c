/* What a wrapper does before the call: it looks handles up, gives up those that the call closes,
 * and asks the library what only it knows. */
#include "catalog/generate/wrapper_writer.h"

#include <string.h>

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

/* Is the field the folder that the path of the call is in? */
static bool is_directory(const struct writer *writer, const struct fth_field *field)
{
    int path = fth_field_with_role(writer->row, FTH_ROLE_PATH);
    return path >= 0 && writer->row->fields[path].at_field == field - writer->row->fields;
}

/* A call about a handle that the filters leave out is passed on; but not if it takes the place of
 * one that they do not, moves bytes to or from one, or may find one in a folder of links: what
 * happens to that matters. */
static void pass_excluded(struct writer *writer, const struct fth_field *field)
{
    const struct fth_field *matters = field_replaced(writer);
    if (!matters)
        matters = field_beside(writer, field);
    char unless[160] = "";
    bool is_folder = is_directory(writer, field);
    if (is_folder)
        snprintf(unless, sizeof unless, " && !fth_leads_elsewhere(%.64s)", field->name);
    else if (matters)
        snprintf(unless, sizeof unless, " && fth_find_descriptor(FTH_CLASS_fd, %.64s) < 0",
                 matters->name);
    line(writer, "if (FTH_UNLIKELY(slot_%s == FTH_EXCLUDED%s)) {", field->name, unless);
    write_excluded(writer);
    line(writer, "}");
    if (matters || is_folder)
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
    if (about) /* openat is about the path: it has no cursor */
        line(writer, "fth_about(&call, %s, slot_%s);",
             is_directory(writer, field) ? "-1" : ordinal_text(writer, field->class_index),
             field->name);
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

/* The last one of a list that the program gives, or the sum of all. */
static void write_ask_of_list(struct writer *writer, const struct fth_field *field)
{
    const struct fth_field *list = &writer->row->fields[field->ask->arguments[0]];
    char length[128];
    line(writer, "int64_t %s = fth_%s(%s, %s, sizeof *%s);", answer_of(writer, field),
         field->ask->function, list->name, length_of(writer, list, length, sizeof length),
         list->name);
}

static bool asks_with_buffer(const struct writer *writer, const struct fth_ask *ask)
{
    for (int i = 0; i < ask->count; i++)
        if (ask->arguments[i] != FTH_ASK_ANSWER &&
            strstr(writer->row->fields[ask->arguments[i]].type, "void *"))
            return true;
    return false;
}

/* What is asked of the library is asked before the call, while the arguments are those that the
 * program gave; or after it, how much it moved only if it did. A function of the library is asked
 * only if the handles among its arguments are known: it might complain about others. One of ours
 * (src/capture/LIBRARY) sees to that itself. With a buffer it is not asked in Fortran, where
 * MPI_IN_PLACE is another address. */
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
    if (writer->fortran && asks_with_buffer(writer, ask)) {
        line(writer, "int64_t %s = -1;", answer);
        return;
    }
    for (int i = 0; i < ask->count; i++)
        is_stored = is_stored || ask->arguments[i] == FTH_ASK_ANSWER;
    if (is_stored)
        line(writer, "int answer_%s = -1;", answer);
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
        fprintf(writer->out, "%s%s%s", i ? ", " : "", argument == FTH_ASK_ANSWER ? "&answer_" : "",
                argument == FTH_ASK_ANSWER ? answer : row->fields[argument].name);
    }
    fprintf(writer->out, ")%s%s;\n", is_stored ? " != 0 ? -1 : answer_" : "",
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

void write_before(struct writer *writer)
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
