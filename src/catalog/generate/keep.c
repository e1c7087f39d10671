/* What a wrapper keeps of each value of a call: of its result, of what it makes, of parameters. */
#include "catalog/generate/wrapper_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept of a failure. */
static const char *failure(const struct writer *writer)
{
    return writer->bound && !is_of_mpi(writer->row) ? "FTH_FAILED_UNREPORTED"
                                                    : "fth_failure(&call)";
}

/* Did the call succeed, for what it stores and reads through pointers? */
const char *success(const struct writer *writer)
{
    const struct fth_field *result = &writer->row->result;
    if (result->ask || result->moved_all)
        return "result == 0";
    switch (result->role) {
    case FTH_ROLE_CODE:
        return "result == 0";
    case FTH_ROLE_VALUE:
        return "(int64_t)result >= 0";
    case FTH_ROLE_RESULT_STATUS:
    case FTH_ROLE_MOVED:
    case FTH_ROLE_POSITION:
        return "result >= 0";
    case FTH_ROLE_POINTER:
        return "result != NULL && (intptr_t)result != -1";
    case FTH_ROLE_TEXT:
        return "result != NULL";
    case FTH_ROLE_NEW: {
        enum handle_form form = form_of(writer->catalog, writer->row, result);
        bool number =
            form == FORM_DESCRIPTOR || (form == FORM_LIBRARY && !strchr(result->type, '*'));
        return form == FORM_FOREIGN ? "true" : number ? "result >= 0" : "result != NULL";
    }
    default:
        return "true";
    }
}

/* Rows of users may say that a function reads what it does not: what they point to is read only
 * where the result shows that the call has read it, or after a look whether it is there
 * (fth_doubted of wrap_plugin.h). */
bool is_doubted(const struct writer *writer)
{
    return is_of_plugin(writer) && strcmp(success(writer), "true") == 0;
}

static bool receives(const struct fth_row *row)
{
    return strcmp(row->kind, "recv") == 0 || strcmp(row->kind, "exchange") == 0;
}

/* The same for a handle of a library other than MPI. */
static void write_library_opening(struct writer *writer, const struct fth_field *made,
                                  const char *path)
{
    const struct fth_row *row = writer->row;
    const char *class = writer->catalog->classes[made->class_index].name;
    bool is_result = made == &row->result;
    const char *star = is_result ? "" : "*", *handle = is_result ? "result" : made->name;
    if (made->in_field < 0)
        fprintf(writer->out, "fth_library_open(FTH_CLASS_%s, FTH_HANDLE_NUMBER(%s%s), %s)", class,
                star, handle, path);
    else
        fprintf(writer->out,
                "fth_library_open_in(&call, FTH_CLASS_%s, FTH_HANDLE_NUMBER(%s%s), slot_%s, %s)",
                class, star, handle, row->fields[made->in_field].name,
                made->name_field >= 0 ? row->fields[made->name_field].name : "NULL");
}

/* The descriptor that the call copies; NULL: it makes no copy of one. */
static const struct fth_field *copied_by(const struct writer *writer, const struct fth_field *made)
{
    const struct fth_row *row = writer->row;
    int use = fth_field_with_role(row, FTH_ROLE_USE);
    bool copies = made == &row->result && strcmp(row->kind, "dup") == 0 && use >= 0;
    return copies && fth_field_is_descriptor(writer->catalog, &row->fields[use]) ? &row->fields[use]
                                                                                 : NULL;
}

/* Binds what the call has made: an expression that gives its slot. */
void write_opening(struct writer *writer, const struct fth_field *made, const char *path)
{
    static const char *const openers[] = {"fth_open_descriptor", "fth_open_stream",
                                          "fth_open_directory", "fth_mpi_open"};
    const struct fth_row *row = writer->row;
    enum handle_form form = form_of(writer->catalog, writer->row, made);
    bool is_result = made == &row->result;
    if (form == FORM_LIBRARY) {
        write_library_opening(writer, made, path);
        return;
    }
    const struct fth_field *copied = copied_by(writer, made);
    if (copied && form == FORM_DESCRIPTOR) {
        fprintf(writer->out, "fth_copy_descriptor(FTH_CLASS_%s, result, slot_%s)",
                writer->catalog->classes[made->class_index].name, copied->name);
        return;
    }
    int path_field = fth_field_with_role(row, FTH_ROLE_PATH);
    fprintf(writer->out, "%s(FTH_CLASS_%s, %s%s, %s", openers[form],
            writer->catalog->classes[made->class_index].name,
            !is_result && form == FORM_DESCRIPTOR ? "*" : "", is_result ? "result" : made->name,
            path);
    if (form != FORM_FOREIGN)
        fprintf(writer->out, ", %s",
                path_field >= 0 ? directory_of(writer, &row->fields[path_field]) : "FTH_HERE");
    fputs(")", writer->out);
}

/* Of the values kept before the request that a call makes, those that say whose request it is:
 * handles, peers, tags. */
static unsigned identity_of(const struct writer *writer, const struct fth_field *request)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int count = fth_plan_values(writer->catalog, writer->row, plan);
    unsigned identity = 0;
    for (int i = 0; i < count && plan[i].field != request - writer->row->fields; i++) {
        if (plan[i].field < 0)
            continue;
        enum fth_role role = writer->row->fields[plan[i].field].role;
        if (plan[i].part == FTH_PART_SLOT || role == FTH_ROLE_PEER || role == FTH_ROLE_ROOT ||
            role == FTH_ROLE_TAG)
            identity |= 1u << i;
    }
    return identity;
}

/* The expression that what the parameter points to is there, after a call that worked. */
static const char *there(const struct writer *writer, const struct fth_field *field, char text[256])
{
    snprintf(text, 256, is_doubted(writer) ? "fth_is_readable(%s, sizeof *%s)" : "%s", field->name,
             field->name);
    return text;
}

/* The peer and the tag of what is received come last. */
static const char *takes_any(const struct fth_row *row, char *text, size_t size)
{
    const char *peer = NULL, *tag = NULL;
    for (size_t i = 0; i < row->field_count; i++) {
        if (row->fields[i].role == FTH_ROLE_PEER)
            peer = row->fields[i].name;
        if (row->fields[i].role == FTH_ROLE_TAG)
            tag = row->fields[i].name;
    }
    if (!peer || !tag)
        return "FTH_REQUEST_RECEIVES";
    snprintf(text, size, "fth_mpi_receives_from(%s, %s)", peer, tag);
    return text;
}

static void keep_new(struct writer *writer, const struct fth_field *field)
{
    const struct fth_row *row = writer->row;
    enum handle_form form = form_of(writer->catalog, writer->row, field);
    const char *class = writer->catalog->classes[field->class_index].name;
    const char *path = fth_field_with_role(row, FTH_ROLE_PATH) >= 0 ? "given" : "NULL";
    bool is_result = field == &row->result;
    if (form == FORM_FOREIGN && strcmp(class, "request") == 0) {
        char any[256];
        line(writer,
             "fth_keep(&call, call.worked ? fth_mpi_open_request(&call, %s, 0x%x, %s) "
             ": fth_failure(&call));",
             field->name, identity_of(writer, field),
             is_data_call(row) ? "FTH_REQUEST_OF_FILE"
             : receives(row)   ? takes_any(row, any, sizeof any)
                               : "FTH_REQUEST_OTHER");
        return;
    }
    if (fth_field_has_length(field) && form == FORM_DESCRIPTOR) {
        line(writer,
             "fth_keep(&call, fth_open_descriptors(&call, FTH_CLASS_%s, %s, %lld, call.worked));",
             class, field->name, (long long)field->length);
        return;
    }
    const char *name = is_result ? "" : field->name;
    char there_text[256];
    fprintf(writer->out, "    int64_t made_%s = call.worked%s%s ? ", name,
            form == FORM_LIBRARY && !is_result ? " && " : "",
            form == FORM_LIBRARY && !is_result ? there(writer, field, there_text) : "");
    write_opening(writer, field, path);
    fprintf(writer->out, " : %s;\n", failure(writer));
    if (field_replaced(writer))
        line(writer, "made_%s = made_%s == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : made_%s;", name, name,
             name);
    int flags = fth_field_with_role(row, FTH_ROLE_FLAGS);
    bool opens = is_result && strcmp(row->kind, "open") == 0 && strcmp(path, "given") == 0;
    if (opens && form == FORM_DESCRIPTOR && flags >= 0)
        line(writer, "fth_opened_with(made_%s, (int)%s);", name, row->fields[flags].name);
    line(writer, "fth_keep(&call, made_%s);", name);
    if (fth_field_is_descriptor(writer->catalog, field))
        line(writer, "fth_keep(&call, call.worked ? %s%s - made_%s : 0);", is_result ? "" : "*",
             is_result ? "result" : name, name);
}

static const char *stream_it_is_about(const struct writer *writer)
{
    int field = field_it_is_about(writer);
    if (has_flag(writer, FTH_CALL_ON_STDIN))
        return "stdin";
    return field >= 0 &&
                   form_of(writer->catalog, writer->row, &writer->row->fields[field]) == FORM_STREAM
               ? writer->row->fields[field].name
               : NULL;
}

/* Is what the function returns when it fails a number of its own, not errno? */
static bool reports_failure(const struct writer *writer)
{
    return writer->row->result.role == FTH_ROLE_MOVED && writer->bound && !is_of_mpi(writer->row);
}

void keep_result(struct writer *writer, enum fth_value_part part)
{
    const struct fth_row *row = writer->row;
    bool advances = fth_field_with_role(row, FTH_ROLE_OFFSET) < 0;
    const struct fth_field *stands = field_that_stands(writer);
    switch (row->result.role) {
    case FTH_ROLE_NEW:
        if (part == FTH_PART_SLOT)
            keep_new(writer, &row->result);
        return;
    case FTH_ROLE_MOVED:
        if (row->result.moved_all)
            line(writer, "int64_t moved = result == 0 ? call.asked : -1;");
        else if (row->result.ask)
            line(writer, "int64_t moved = result == 0 && %s > 0 ? %s : result == 0 ? 0 : -1;",
                 answer_of(writer, &row->result), answer_of(writer, &row->result));
        else
            line(writer, "int64_t moved = (int64_t)result;");
        if (stands)
            line(writer, "fth_stood(&call, slot_%s, %s, stood, moved);", stands->name,
                 stands->name);
        break;
    case FTH_ROLE_RESULT_ITEMS:
        line(writer, "int64_t moved = (int64_t)(result * %s);",
             row->fields[fth_field_with_role(row, FTH_ROLE_SIZE)].name);
        break;
    case FTH_ROLE_BYTE:
        line(writer, "int64_t moved = result == (%s)-1 ? -1 : 1;", row->result.type);
        break;
    case FTH_ROLE_TEXT:
        line(writer, "int64_t moved = result ? fth_length((const char *)result) : -1;");
        break;
    case FTH_ROLE_LINE: {
        int data = fth_field_with_role(row, FTH_ROLE_DATA),
            text = data >= 0 ? data : fth_field_with_role(row, FTH_ROLE_STRING);
        line(writer, "int64_t moved = result < 0 ? -1 : %s%s%s + %d;",
             data >= 0 ? "length_" : "fth_length(", text >= 0 ? row->fields[text].name : "NULL",
             data >= 0 ? "" : ")", has_flag(writer, FTH_CALL_ON_STDOUT) ? 1 : 0);
        break;
    }
    case FTH_ROLE_POSITION:
        if (stands)
            line(writer, "fth_sought(slot_%s, (int64_t)result);", stands->name);
        line(writer, "fth_keep_position(&call, (int64_t)result);");
        return;
    case FTH_ROLE_RESULT_STATUS:
        line(writer, "fth_keep(&call, (int64_t)result < 0 ? %s : (int64_t)result);",
             failure(writer));
        return;
    case FTH_ROLE_POINTER:
        line(writer, "fth_keep(&call, result == NULL || (intptr_t)result == -1 ? %s : 1);",
             failure(writer));
        return;
    case FTH_ROLE_CODE:
        line(writer, "fth_keep(&call, fth_code(result));");
        return;
    default:
        line(writer, "fth_keep(&call, (int64_t)result);");
        return;
    }
    if (row->result.role != FTH_ROLE_RESULT_ITEMS && fth_kind_reads(row->kind) &&
        stream_it_is_about(writer))
        line(writer, "fth_keep_read(&call, moved, %s);", stream_it_is_about(writer));
    else if (reports_failure(writer)) {
        line(writer, "if (moved < 0)");
        line(writer, "    fth_keep(&call, FTH_FAILED_WITH(result));");
        line(writer, "else");
        line(writer, "    fth_keep_moved(&call, moved, %s);", advances ? "true" : "false");
    } else
        line(writer, "fth_keep_moved(&call, moved, %s);", advances ? "true" : "false");
}

/* `int ranges[][3]: in[n]`: the integers of n arrays of 3. */
static bool is_of_arrays(const struct fth_field *field)
{
    return field->role == FTH_ROLE_IN && fth_field_has_length(field) &&
           strstr(field->type, "(*)[") != NULL;
}

static void keep_out(struct writer *writer, const struct fth_field *field)
{
    char length[192], there_text[256];
    const char *doubts = is_of_plugin(writer) ? "fth_doubted(&call, " : "",
               *end = is_of_plugin(writer) ? ")" : "";
    if (field->of_lists)
        line(writer, "fth_keep(&call, %sfth_lists(&call, %s, %s, %s, sizeof **%s)%s);", doubts,
             field->name, writer->row->fields[field->length_field].name, answer_of(writer, field),
             field->name, end);
    else if (is_of_arrays(field))
        line(writer, "fth_keep(&call, %sfth_list(&call, %s, %s * %d, sizeof %s%s)%s);", doubts,
             field->name, length_of(writer, field, length, sizeof length),
             atoi(strstr(field->type, "(*)[") + 4), writer->fortran ? "*" : "**", field->name, end);
    else if (fth_field_has_length(field))
        line(writer, "fth_keep(&call, %s%sfth_list(&call, %s, %s, sizeof *%s)%s);",
             field->role == FTH_ROLE_OUT ? "!call.worked ? 0 : " : "", doubts, field->name,
             field->role == FTH_ROLE_OUT ? filled_length(writer, field, length, sizeof length)
                                         : length_of(writer, field, length, sizeof length),
             field->name, end);
    else
        line(writer, "fth_keep(&call, call.worked && %s ? (int64_t)*%s : FTH_ABSENT);",
             there(writer, field, there_text), field->name);
}

static void keep_handle(struct writer *writer, const struct fth_field *field)
{
    const char *class = writer->catalog->classes[field->class_index].name;
    bool later = field->role == FTH_ROLE_CLOSE && gives_up_later(writer);
    if (fth_field_has_length(field) &&
        form_of(writer->catalog, writer->row, field) == FORM_LIBRARY) {
        line(writer, "fth_keep(&call, fth_library_list(&call, &saved_%s));", field->name);
        if (field->role == FTH_ROLE_CLOSE)
            line(writer, "fth_library_close_all(FTH_CLASS_%s, %s, sizeof *%s, &saved_%s);", class,
                 field->name, field->name, field->name);
        return;
    }
    if (fth_field_has_length(field)) {
        line(writer, "fth_keep(&call, fth_mpi_list(&call, &saved_%s));", field->name);
        if (later)
            line(writer, "fth_mpi_done_all(FTH_CLASS_%s, %s, &saved_%s);", class, field->name,
                 field->name);
        return;
    }
    line(writer, "fth_keep(&call, slot_%s);", field->name);
    if (later)
        line(writer, "fth_mpi_done(FTH_CLASS_%s, %s, given_%s);", class, field->name, field->name);
}

/* Of contents: how long a text is, and nothing else. */
static void keep_data(struct writer *writer, const struct fth_field *field)
{
    line(writer,
         is_doubted(writer) ? "int64_t length_%s = fth_doubted(&call, fth_data(&call, %s));"
                            : "int64_t length_%s = fth_data(&call, %s);",
         field->name, field->name);
    line(writer, "fth_keep(&call, length_%s);", field->name);
}

static void keep_status(struct writer *writer, const struct fth_field *field,
                        enum fth_value_part part)
{
    const struct fth_row *row = writer->row;
    char length[192];
    const struct fth_field *request = NULL;
    const char *flag = "", *indices = "NULL";
    char valid[192], received[128] = "", of_file[128] = "false";
    for (size_t i = 0; i < row->field_count; i++) {
        if (strcmp(row->fields[i].name, "flag") == 0 && row->fields[i].role == FTH_ROLE_OUT)
            flag = " && *flag";
        if (strcmp(row->fields[i].name, "array_of_indices") == 0)
            indices = "array_of_indices";
        if (is_request(&row->fields[i]))
            request = &row->fields[i];
    }
    if (request && part != FTH_PART_LIST) {
        bool several = fth_field_has_length(request);
        snprintf(received, sizeof received,
                 several ? " && fth_mpi_receives_at(&saved_%s, index)"
                         : " && fth_mpi_receives(slot_%s)",
                 request->name);
        snprintf(of_file, sizeof of_file,
                 several ? "fth_mpi_is_of_file_at(&saved_%s, index)"
                         : "fth_mpi_is_of_file(slot_%s)",
                 request->name);
    }
    snprintf(valid, sizeof valid, "result == 0%s%s", flag, received);
    if (part == FTH_PART_LIST)
        line(writer,
             "fth_keep(&call, %s ? fth_mpi_statuses(&call, kept_%s, %s, &saved_%s, %s) : 0);",
             valid, field->name, filled_length(writer, field, length, sizeof length), request->name,
             indices);
    else if (part == FTH_PART_SOURCE)
        line(writer, "fth_keep(&call, %s ? fth_mpi_source(status_or_own_%s, %s) : FTH_ABSENT);",
             valid, field->name, of_file);
    else if (part == FTH_PART_TAG)
        line(writer, "fth_keep(&call, %s ? fth_mpi_tag(status_or_own_%s, %s) : FTH_ABSENT);", valid,
             field->name, of_file);
    else {
        line(writer, "int64_t moved = %s ? fth_mpi_bytes(status_or_own_%s) : -1;", valid,
             field->name);
        line(writer, "fth_keep_moved(&call, moved, false);");
    }
}

/* The datatype that a count counts in: the next one behind it. */
static const char *datatype_of(const struct fth_row *row, int count)
{
    for (size_t i = (size_t)count; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_USE &&
            strcmp(row->fields[i].type, "MPI_Datatype") == 0 &&
            !fth_field_has_length(&row->fields[i]))
            return row->fields[i].name;
    return NULL;
}

static void keep_offset(struct writer *writer, const struct fth_field *field)
{
    char there_text[256];
    if (is_pointer(field))
        line(writer, "fth_keep_offset(&call, call.worked && %s ? (int64_t)*%s : -1, call.asked);",
             there(writer, field, there_text), field->name);
    else
        line(writer, "fth_keep_offset(&call, (int64_t)%s, call.asked);", field->name);
}

/* The communicator whose root it is. */
static const char *comm_of(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_USE && strcmp(row->fields[i].type, "MPI_Comm") == 0)
            return row->fields[i].name;
    return "NULL";
}

void keep_field(struct writer *writer, const struct fth_value_plan *plan)
{
    const struct fth_row *row = writer->row;
    const struct fth_field *field = &row->fields[plan->field];
    const char *name = field->name, *type;
    char length[192];
    switch (plan->part) {
    case FTH_PART_SLOT:
        if (field->role == FTH_ROLE_AIO)
            line(writer, "fth_keep_aio(&call, FTH_CLASS_fd, %d, %s);", 0, name);
        else if (field->role == FTH_ROLE_NEW)
            keep_new(writer, field);
        else
            keep_handle(writer, field);
        break;
    case FTH_PART_TEXT:
        if (field->role == FTH_ROLE_STRING && field->at_field >= 0)
            line(writer, "fth_keep(&call, fth_mpi_is_root(%s, %s) ? fth_text(&call, %s) : 0);",
                 comm_of(row), row->fields[field->at_field].name, name);
        else if (field->role == FTH_ROLE_STRING && row->orders && !strcmp(row->orders, "child"))
            line(writer, "fth_keep(&call, fth_command(&call, %s));", name);
        else
            line(writer,
                 is_doubted(writer) ? "fth_keep(&call, fth_doubted(&call, fth_text(&call, %s)));"
                                    : "fth_keep(&call, fth_text(&call, %s));",
                 plan->field == fth_field_with_role(row, FTH_ROLE_PATH) ? "given" : name);
        break;
    case FTH_PART_TEXTS:
        line(writer,
             is_doubted(writer)
                 ? "fth_keep(&call, fth_doubted(&call, fth_texts(&call, (char *const *)%s)));"
                 : "fth_keep(&call, fth_texts(&call, (char *const *)%s));",
             name);
        break;
    case FTH_PART_LIST:
        if (field->role == FTH_ROLE_STATUS)
            keep_status(writer, field, plan->part);
        else if (field->role == FTH_ROLE_ARGUMENT)
            line(writer, "fth_keep(&call, fth_argument_of_fcntl(&call, %s, %s));",
                 row->fields[fth_field_with_role(row, FTH_ROLE_FLAGS)].name, name);
        else if (field->role == FTH_ROLE_AIO_LIST)
            line(writer, "fth_keep(&call, fth_aio_list(&call, FTH_CLASS_fd, %s, %s));", name,
                 length_of(writer, field, length, sizeof length));
        else if (field->role == FTH_ROLE_NEW)
            keep_new(writer, field);
        else if (is_used(field))
            keep_handle(writer, field);
        else
            keep_out(writer, field);
        break;
    case FTH_PART_OFFSET:
        if (field->role != FTH_ROLE_AIO)
            keep_offset(writer, field);
        break;
    case FTH_PART_VIEW:
        line(writer, "fth_keep_view(&call, (int64_t)%s);", name);
        break;
    case FTH_PART_DISTANCE: {
        int whence = fth_field_with_role(row, FTH_ROLE_WHENCE);
        line(writer, "fth_keep_distance(&call, (int64_t)%s, %s);", name,
             whence >= 0 ? row->fields[whence].name : "0");
        break;
    }
    case FTH_PART_ELEMENT:
        type = datatype_of(row, plan->field);
        if (type && is_data_call(row))
            line(writer, "call.asked = (int64_t)%s * fth_mpi_size(slot_%s);", name, type);
        line(writer, "fth_keep(&call, %s%s%s);", type ? "fth_mpi_size(slot_" : "1",
             type ? type : "", type ? ")" : "");
        break;
    case FTH_PART_SOURCE:
    case FTH_PART_TAG:
    case FTH_PART_MOVED:
        keep_status(writer, field, plan->part);
        break;
    case FTH_PART_NULLS:
        line(writer, "fth_keep(&call, (int64_t)saved_%s.nulls);", name);
        break;
    case FTH_PART_NUMBER:
        break; /* kept with the slot before it */
    default:
        if (field->role == FTH_ROLE_AIO)
            break;
        if (field->role == FTH_ROLE_OUT)
            keep_out(writer, field);
        else if (field->role == FTH_ROLE_DATA)
            keep_data(writer, field);
        else if (field->role == FTH_ROLE_IOV)
            line(writer, "fth_keep(&call, fth_iov_bytes(&call, %s, %s));", name,
                 length_of(writer, field, length, sizeof length));
        else if (field->optional && strcmp(field->type, "mode_t") == 0)
            line(writer, "fth_keep(&call, fth_open_needs_mode(%s) ? (int64_t)%s : FTH_ABSENT);",
                 row->fields[fth_field_with_role(row, FTH_ROLE_FLAGS)].name, name);
        else
            line(writer, "fth_keep(&call, (int64_t)%s);", name);
    }
}
