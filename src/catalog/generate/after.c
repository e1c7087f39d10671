/* What a wrapper does after the call: is it recorded, did it work, and in which order are its
 * values kept (keep.c)? */
#include "catalog/generate/wrapper_writer.h"

#include <string.h>

/* Does recording the call follow pointers of the program? */
static bool follows_pointers(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        switch (row->fields[i].role) {
        case FTH_ROLE_NONE:
        case FTH_ROLE_USE:
        case FTH_ROLE_CLOSE:
            break;
        default:
            if (is_pointer(&row->fields[i]))
                return true;
        }
    return false;
}

/* Bytes asked for, as far as the trace can know them from the values kept. */
static void write_asked(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    int bytes = fth_field_with_role(row, FTH_ROLE_BYTES),
        size = fth_field_with_role(row, FTH_ROLE_SIZE);
    int items = fth_field_with_role(row, FTH_ROLE_ITEMS),
        iov = fth_field_with_role(row, FTH_ROLE_IOV);
    char length[192];
    if (bytes >= 0)
        line(writer, "call.asked = (int64_t)%s;", row->fields[bytes].name);
    else if (size >= 0 && items >= 0)
        line(writer, "call.asked = (int64_t)(%s * %s);", row->fields[size].name,
             row->fields[items].name);
    else if (iov >= 0)
        line(writer, "call.asked = fth_iov_bytes(&call, %s, %s);", row->fields[iov].name,
             length_of(writer, &row->fields[iov], length, sizeof length));
    else if (row->result.role == FTH_ROLE_BYTE)
        line(writer, "call.asked = 1;");
}

/* Where a path begins, if that may be the working directory. */
static void write_directory(struct writer *writer, const struct fth_field *path, const char *given)
{
    if (path->at_field >= 0)
        line(writer, "if (%s == FTH_HERE)", writer->row->fields[path->at_field].name);
    line(writer, "%sfth_note_directory(&call, %s);", path->at_field < 0 ? "" : "    ", given);
    if (path->at_field >= 0) {
        line(writer, "else");
        line(writer, "    fth_note_folder(&call, %s);", writer->row->fields[path->at_field].name);
    }
}

static int field_called(const struct fth_row *row, const char *name)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (strcmp(row->fields[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* The further path of a call that names two, or NULL. */
static const struct fth_field *other_path(const struct fth_row *row, const struct fth_field *path)
{
    for (const struct fth_field *other = path + 1; other < row->fields + row->field_count; other++)
        if (other->role == FTH_ROLE_PATH)
            return other;
    return NULL;
}

/* An expression: what becomes of the file that the call names (enum fth_path_use)? False: nothing
 * that matters to others. */
static bool put_use(const struct writer *writer, char *text, size_t size)
{
    const struct fth_row *row = writer->row;
    int flags = fth_field_with_role(row, FTH_ROLE_FLAGS), mode = field_called(row, "mode");
    const char *writes = "false";
    char by_flags[64];
    if (strcmp(row->library, "libc") != 0)
        return false;
    if (strcmp(row->kind, "truncate") == 0 || strcmp(row->kind, "name") == 0 ||
        row->opens & (FTH_OPENS_TO_WRITE | FTH_OPENS_NEW | FTH_OPENS_EMPTY))
        writes = "true";
    else if (strcmp(row->kind, "open") != 0)
        return false;
    else if (mode >= 0 && row->fields[mode].role == FTH_ROLE_STRING)
        writes = "fth_mode_writes(fth_given_text(&call, mode))";
    else if (flags >= 0) {
        snprintf(by_flags, sizeof by_flags, "fth_open_writes((int)%.32s)", row->fields[flags].name);
        writes = by_flags;
    }
    snprintf(text, size, "fth_use_of(%s, %s)", success(writer), writes);
    return true;
}

/* Leaves the call out when the filters do not want its file; what it has made is left out with
 * it. */
static void write_filter(struct writer *writer, const struct fth_field *path)
{
    const struct fth_row *row = writer->row;
    const struct fth_field *other = other_path(row, path);
    char use[160];
    line(writer,
         is_doubted(writer) ? "const char *given = fth_doubted(&call, fth_given_text(&call, %s));"
                            : "const char *given = fth_given_text(&call, %s);",
         path->name);
    if (!put_use(writer, use, sizeof use))
        line(writer, "if (!fth_path_is_wanted(given, %s)) {", directory_of(writer, path));
    else if (!other)
        line(writer, "if (!fth_opened_path_is_wanted(given, %s, %s)) {", directory_of(writer, path),
             use);
    else /* each is asked for, as each becomes another file */
        line(writer,
             "if (!fth_opened_path_is_wanted(given, %s, %s) & "
             "!fth_opened_path_is_wanted(fth_given_text(&call, %s), %s, %s)) {",
             directory_of(writer, path), use, other->name, directory_of(writer, other), use);
    for (int i = -1; i < (int)row->field_count; i++) {
        const struct fth_field *made = i < 0 ? &row->result : &row->fields[i];
        if (made->role != FTH_ROLE_NEW || fth_field_has_length(made))
            continue;
        line(writer, "    if (call.worked)");
        fputs("            ", writer->out);
        write_opening(writer, made, "given");
        fputs(";\n", writer->out);
    }
    line(writer, "    fth_leave_out(&call);");
    if (has_flag(writer, FTH_CALL_HOOKED))
        line(writer, "    fth_after_%s(%s);", row->name, hook_arguments(writer));
    write_return(writer, "        ");
    line(writer, "}");
    write_directory(writer, path, "given");
}

/* Where the further paths of the call begin, which its file does not say. */
static void write_further_directories(struct writer *writer, int first)
{
    const struct fth_row *row = writer->row;
    char given[256];
    for (size_t i = (size_t)first + 1; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_PATH) {
            snprintf(given, sizeof given,
                     is_doubted(writer) ? "fth_doubted(&call, fth_given_text(&call, %.128s))"
                                        : "fth_given_text(&call, %.128s)",
                     row->fields[i].name);
            write_directory(writer, &row->fields[i], given);
        }
}

/* Says which names the call has changed: what has a handle says itself which file that is. */
static void write_changed(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    bool cuts = strcmp(row->kind, "truncate") == 0, deletes = strcmp(row->kind, "delete") == 0;
    if (strcmp(row->library, "libc") != 0 || (!cuts && !deletes && strcmp(row->kind, "name") != 0))
        return;
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_PATH) {
            line(writer, "if (%s)", success(writer));
            line(writer, "    fth_name_is_changed(fth_given_text(&call, %s), %s, %s);",
                 row->fields[i].name, directory_of(writer, &row->fields[i]),
                 cuts ? "true" : "false");
        }
}

static bool moves_bytes(const struct fth_row *row)
{
    switch (row->result.role) {
    case FTH_ROLE_MOVED:
    case FTH_ROLE_RESULT_ITEMS:
    case FTH_ROLE_BYTE:
    case FTH_ROLE_TEXT:
    case FTH_ROLE_LINE:
        return is_data_call(row);
    default: {
        int status = fth_field_with_role(row, FTH_ROLE_STATUS);
        return is_data_call(row) && status >= 0 && !fth_field_has_length(&row->fields[status]);
    }
    }
}

/* A `dup` that makes no new handle: the one that it is about is open once more. */
static void write_open_again(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    int about = field_it_is_about(writer);
    if (strcmp(row->kind, "dup") != 0 || row->result.role == FTH_ROLE_NEW || about < 0 ||
        form_of(writer->catalog, row, &row->fields[about]) != FORM_LIBRARY)
        return;
    line(writer, "if (%s)", success(writer));
    line(writer, "    fth_library_open_again(FTH_CLASS_%s, FTH_HANDLE_NUMBER(%s));",
         writer->catalog->classes[row->fields[about].class_index].name, row->fields[about].name);
}

/* All processes of a communicator have come here: a phase may end (fathom record --select). */
static void write_meeting(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    const unsigned needed = FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN;
    if (!is_of_mpi(row) || !has_flag(writer, FTH_CALL_COLLECTIVE) || row->flags & needed)
        return;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role != FTH_ROLE_USE || fth_field_has_length(field))
            continue;
        const char *class = writer->catalog->classes[field->class_index].name;
        if (strcmp(class, "comm") == 0 || strcmp(class, "mpi_file") == 0) {
            line(writer, "fth_met(FTH_CLASS_%s, slot_%s);", class, field->name);
            return;
        }
    }
}

void write_after(struct writer *writer)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int count = fth_plan_values(writer->catalog, writer->row, plan);
    int path = fth_field_with_role(writer->row, FTH_ROLE_PATH);
    if (follows_pointers(writer->row) || writer->row->result.role == FTH_ROLE_NEW)
        line(writer, "call.worked = %s;", success(writer));
    if (path >= 0) {
        write_filter(writer, &writer->row->fields[path]);
        write_further_directories(writer, path);
        write_changed(writer);
    }
    if (is_asked_after(writer))
        write_asks(writer);
    write_asked(writer);
    write_open_again(writer);
    for (int i = 0; i < count; i++) {
        if (plan[i].field == FTH_RESULT)
            keep_result(writer, plan[i].part);
        else if (plan[i].field == FTH_ON_STREAM)
            line(writer, "fth_keep(&call, slot_of_stream);");
        else
            keep_field(writer, &plan[i]);
    }
    line(writer,
         moves_bytes(writer->row) ? "fth_commit_data(&call, moved);" : "fth_commit(&call);");
    write_meeting(writer);
}
