/* What functions do to positions, views and operations: from their rows. */
#include "model/ranges/spaces.h"

#include "catalog/values.h"

#include <string.h>

static bool is_kind(const struct fth_row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

static int with_role(const struct fth_row *row, enum fth_role role)
{
    int field = fth_field_with_role(row, role);
    return field < 0 ? FTH_NO_FIELD : field;
}

static bool is_of_file(const struct fth_accesses *accesses, const struct fth_field *field)
{
    return field->class_index >= 0 && !fth_field_has_length(field) &&
           accesses->trace->catalog.classes[field->class_index].form == FTH_CLASS_FILE;
}

/* A position behind a pointer, which belongs to the descriptor right before it. */
static int pointed_behind(const struct fth_row *row, size_t i)
{
    enum fth_role role = i + 1 < row->field_count ? row->fields[i + 1].role : FTH_ROLE_NONE;
    bool one = (role == FTH_ROLE_IN || role == FTH_ROLE_OUT) && row->fields[i + 1].length == 1;
    return one ? (int)i + 1 : FTH_NO_FIELD;
}

static void find_handles(const struct fth_accesses *accesses, struct fth_range_semantics *semantics)
{
    const struct fth_row *row = semantics->row;
    semantics->handles.file = semantics->handles.other = semantics->handles.made =
        semantics->handles.given_up = FTH_NO_FIELD;
    semantics->handles.file_at = semantics->handles.other_at = FTH_NO_FIELD;
    int plan = semantics->meaning->about.handle;
    if (plan >= 0 && semantics->meaning->plan[plan].field >= 0) {
        semantics->handles.file = semantics->meaning->plan[plan].field;
        semantics->handles.file_class = semantics->meaning->about.handle_class;
        semantics->handles.file_at = pointed_behind(row, (size_t)semantics->handles.file);
    }
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (!is_of_file(accesses, field))
            continue;
        if (field->role == FTH_ROLE_NEW) {
            semantics->handles.made = (int)i;
            semantics->handles.made_class = field->class_index;
        } else if (field->role == FTH_ROLE_CLOSE) {
            semantics->handles.given_up = (int)i;
        } else if ((int)i != semantics->handles.file && field->role == FTH_ROLE_USE) {
            semantics->handles.other = (int)i;
            semantics->handles.other_class = field->class_index;
            semantics->handles.other_at = pointed_behind(row, i);
        }
    }
    if (row->result.role == FTH_ROLE_NEW && is_of_file(accesses, &row->result)) {
        semantics->handles.made = FTH_RESULT;
        semantics->handles.made_class = row->result.class_index;
    }
}

/* The flag that makes each write go to the end: O_APPEND, RWF_APPEND, MPI_MODE_APPEND. */
static int64_t flag_to_append(const struct fth_flags *flags)
{
    static const char end[] = "_APPEND";
    for (size_t i = 0; i < flags->count; i++) {
        size_t length = strlen(flags->entries[i].name);
        if (length >= sizeof end - 1 &&
            strcmp(flags->entries[i].name + length - (sizeof end - 1), end) == 0 &&
            !strstr(flags->entries[i].name, "_NO"))
            return flags->entries[i].value;
    }
    return 0;
}

int64_t fth_flag_to_append(const struct fth_catalog *catalog)
{
    for (size_t i = 0; i < catalog->flags_count; i++)
        if (strcmp(catalog->flags[i].name, "open") == 0)
            return flag_to_append(&catalog->flags[i]);
    return 0;
}

static int64_t append_flag(const struct fth_accesses *accesses, const struct fth_field *field)
{
    const struct fth_flags *flags = &accesses->trace->catalog.flags[field->flags_index];
    const struct fth_flags *own = fth_mpi_flags(accesses->process->constants, flags->name);
    return flag_to_append(own ? own : flags);
}

static void find_places(const struct fth_accesses *accesses, struct fth_range_semantics *semantics)
{
    const struct fth_row *row = semantics->row;
    semantics->place.offset = with_role(row, FTH_ROLE_OFFSET);
    semantics->place.view = with_role(row, FTH_ROLE_OFFSET_VIEW);
    semantics->place.distance = with_role(row, FTH_ROLE_DISTANCE);
    semantics->place.position = row->result.role == FTH_ROLE_POSITION ? FTH_RESULT : FTH_NO_FIELD;
    semantics->place.count = with_role(row, FTH_ROLE_COUNT);
    semantics->place.aio = with_role(row, FTH_ROLE_AIO);
    semantics->control.flags = with_role(row, FTH_ROLE_FLAGS);
    if (semantics->control.flags >= 0)
        semantics->control.append = append_flag(accesses, &row->fields[semantics->control.flags]);
    semantics->comm = semantics->datatype = FTH_NO_FIELD;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role != FTH_ROLE_USE || fth_field_has_length(field))
            continue;
        const char *name = accesses->trace->catalog.classes[field->class_index].name;
        if (semantics->comm < 0 && strcmp(name, "comm") == 0)
            semantics->comm = (int)i;
        if (semantics->datatype < 0 && field->class_index == accesses->classes.datatype)
            semantics->datatype = (int)i;
    }
}

/* Requests, and what is said of them. */
static void find_requests(const struct fth_accesses *accesses,
                          struct fth_range_semantics *semantics)
{
    const struct fth_row *row = semantics->row;
    semantics->request.handle = semantics->request.indices = semantics->request.codes =
        semantics->request.event_set = FTH_NO_FIELD;
    semantics->request.aio_list = with_role(row, FTH_ROLE_AIO_LIST);
    semantics->request.status = with_role(row, FTH_ROLE_STATUS);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->class_index >= 0 &&
            accesses->trace->catalog.classes[field->class_index].form == FTH_CLASS_ANONYMOUS &&
            strstr(accesses->trace->catalog.classes[field->class_index].name, "request"))
            semantics->request.handle = (int)i;
        if (strcmp(field->name, "es_id") == 0 && field->role == FTH_ROLE_USE)
            semantics->request.event_set = (int)i;
        if (field->role == FTH_ROLE_OUT && fth_field_has_length(field))
            semantics->request.indices = (int)i;
        else if (field->role == FTH_ROLE_OUT && semantics->request.out_count < 2)
            semantics->request.outs[semantics->request.out_count++] = (int)i;
    }
    /* As many as there are requests, and nothing says how many of them are meant: what became of
     * each. */
    if (semantics->request.indices >= 0 && semantics->request.handle >= 0 &&
        !semantics->request.out_count &&
        row->fields[semantics->request.indices].length_field ==
            row->fields[semantics->request.handle].length_field) {
        semantics->request.codes = semantics->request.indices;
        semantics->request.indices = FTH_NO_FIELD;
    }
    bool moves = semantics->meaning->reads || semantics->meaning->writes || is_kind(row, "sync");
    semantics->request.starts =
        (moves || semantics->request.event_set >= 0 || semantics->request.aio_list >= 0) &&
        (row->flags & (FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN));
    semantics->request.ends = (row->flags & FTH_CALL_END) != 0;
    semantics->request.asks = is_kind(row, "test");
    semantics->request.waits = is_kind(row, "wait");
    semantics->request.cancels = is_kind(row, "cancel");
}

/* Does it change flags by a command (F_SETFL of fcntl)? These are then those of open. Such a call
 * has commands to copy descriptors, too. */
static void find_flags_command(const struct fth_accesses *accesses,
                               struct fth_range_semantics *semantics)
{
    const struct fth_catalog *catalog = &accesses->trace->catalog;
    semantics->control.argument = with_role(semantics->row, FTH_ROLE_ARGUMENT);
    if (semantics->control.argument < 0 || semantics->control.flags < 0)
        return;
    const struct fth_flags *commands =
        &catalog->flags[semantics->row->fields[semantics->control.flags].flags_index];
    semantics->control.copy_commands[0] = semantics->control.copy_commands[1] = FTH_NOWHERE;
    for (size_t i = 0; i < commands->count; i++) {
        const struct fth_flag *command = &commands->entries[i];
        if (strcmp(command->name, "F_SETFL") == 0) {
            semantics->control.sets_flags = true;
            semantics->control.set_command = command->value;
        }
        if (strcmp(command->name, "F_DUPFD") == 0)
            semantics->control.copy_commands[0] = command->value;
        if (strcmp(command->name, "F_DUPFD_CLOEXEC") == 0)
            semantics->control.copy_commands[1] = command->value;
    }
    if (semantics->control.sets_flags)
        semantics->control.append = accesses->flag_to_append;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Arrays, by what their parameters are called (docs/catalog.md). */
static void find_arrays(struct fth_range_semantics *semantics)
{
    const struct fth_row *row = semantics->row;
    semantics->array.space_operation = fth_space_operation_of(row->builds);
    semantics->array.dataset = semantics->array.memory_space = semantics->array.file_space =
        FTH_NO_FIELD;
    semantics->array.variable = semantics->array.starts = semantics->array.counts = FTH_NO_FIELD;
    semantics->array.strides = semantics->array.block_count = FTH_NO_FIELD;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        bool is_list = field->role == FTH_ROLE_IN;
        int *found = strcmp(field->name, "mem_space_id") == 0    ? &semantics->array.memory_space
                     : strcmp(field->name, "file_space_id") == 0 ? &semantics->array.file_space
                     : strcmp(field->name, "dset_id") == 0       ? &semantics->array.dataset
                     : begins(field->name, "varid")              ? &semantics->array.variable
                     : strcmp(field->name, "num") == 0           ? &semantics->array.block_count
                     : !is_list                                  ? NULL
                     : begins(field->name, "start") || begins(field->name, "index")
                         ? &semantics->array.starts
                     : begins(field->name, "count")  ? &semantics->array.counts
                     : begins(field->name, "stride") ? &semantics->array.strides
                                                     : NULL;
        if (found)
            *found = (int)i;
    }
}

static bool makes_type(const struct fth_accesses *accesses, const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_NEW &&
            row->fields[i].class_index == accesses->classes.datatype)
            return true;
    return false;
}

static void make(const struct fth_accesses *accesses, struct fth_range_semantics *semantics)
{
    const struct fth_row *row = semantics->row;
    find_handles(accesses, semantics);
    find_places(accesses, semantics);
    find_requests(accesses, semantics);
    find_arrays(semantics);
    find_flags_command(accesses, semantics);
    int about = semantics->handles.file >= 0              ? semantics->handles.file_class
                : semantics->handles.made != FTH_NO_FIELD ? semantics->handles.made_class
                                                          : -1;
    semantics->is_mpi = about >= 0 && about == accesses->classes.file;
    semantics->opens = semantics->meaning->opens;
    semantics->dups = is_kind(row, "dup");
    semantics->seeks = is_kind(row, "seek");
    semantics->makes_process =
        row->orders && (strcmp(row->orders, "fork") == 0 || strcmp(row->orders, "child") == 0);
    semantics->locks = is_kind(row, "lock") || is_kind(row, "control");
    bool is_view = is_kind(row, "view") && semantics->is_mpi;
    semantics->gets_view = is_view && makes_type(accesses, row);
    semantics->sets_view = is_view && !semantics->gets_view && semantics->datatype >= 0;
    semantics->builds = row->builds && fth_datatype_form_of(row->builds, &semantics->form);
    semantics->frees_type = is_kind(row, "type") && fth_field_with_role(row, FTH_ROLE_CLOSE) >= 0;
    semantics->ready = true;
}

const struct fth_range_semantics *fth_range_semantics_of(struct fth_accesses *accesses,
                                                         const struct fth_call *call)
{
    size_t function = (size_t)(call->function - accesses->trace->functions);
    struct fth_range_semantics *semantics = &accesses->semantics_table[function];
    if (!semantics->ready) {
        semantics->row = &accesses->trace->catalog.rows[function];
        semantics->meaning = &accesses->trace->meanings[function];
        make(accesses, semantics);
    }
    return semantics;
}
