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

static void find_handles(const struct fth_accesses *accesses, struct fth_sense *sense)
{
    const struct fth_row *row = sense->row;
    sense->handle = sense->other = sense->made = sense->given_up = FTH_NO_FIELD;
    sense->handle_at = sense->other_at = FTH_NO_FIELD;
    int plan = sense->meaning->handle;
    if (plan >= 0 && sense->meaning->plan[plan].field >= 0) {
        sense->handle = sense->meaning->plan[plan].field;
        sense->handle_class = sense->meaning->handle_class;
        sense->handle_at = pointed_behind(row, (size_t)sense->handle);
    }
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (!is_of_file(accesses, field))
            continue;
        if (field->role == FTH_ROLE_NEW) {
            sense->made = (int)i;
            sense->made_class = field->class_index;
        } else if (field->role == FTH_ROLE_CLOSE) {
            sense->given_up = (int)i;
        } else if ((int)i != sense->handle && field->role == FTH_ROLE_USE) {
            sense->other = (int)i;
            sense->other_class = field->class_index;
            sense->other_at = pointed_behind(row, i);
        }
    }
    if (row->result.role == FTH_ROLE_NEW && is_of_file(accesses, &row->result)) {
        sense->made = FTH_RESULT;
        sense->made_class = row->result.class_index;
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

static int64_t append_flag(const struct fth_accesses *accesses, const struct fth_field *field)
{
    const struct fth_flags *flags = &accesses->trace->catalog.flags[field->flags_index];
    const struct fth_flags *own = fth_mpi_flags(accesses->process->constants, flags->name);
    return flag_to_append(own ? own : flags);
}

static void find_places(const struct fth_accesses *accesses, struct fth_sense *sense)
{
    const struct fth_row *row = sense->row;
    sense->offset = with_role(row, FTH_ROLE_OFFSET);
    sense->view = with_role(row, FTH_ROLE_OFFSET_VIEW);
    sense->distance = with_role(row, FTH_ROLE_DISTANCE);
    sense->position = row->result.role == FTH_ROLE_POSITION ? FTH_RESULT : FTH_NO_FIELD;
    sense->count = with_role(row, FTH_ROLE_COUNT);
    sense->aio = with_role(row, FTH_ROLE_AIO);
    sense->flags = with_role(row, FTH_ROLE_FLAGS);
    if (sense->flags >= 0)
        sense->append = append_flag(accesses, &row->fields[sense->flags]);
    sense->comm = sense->datatype = FTH_NO_FIELD;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role != FTH_ROLE_USE || fth_field_has_length(field))
            continue;
        const char *name = accesses->trace->catalog.classes[field->class_index].name;
        if (sense->comm < 0 && strcmp(name, "comm") == 0)
            sense->comm = (int)i;
        if (sense->datatype < 0 && field->class_index == accesses->datatype_class)
            sense->datatype = (int)i;
    }
}

/* Requests, and what is said of them. */
static void find_requests(const struct fth_accesses *accesses, struct fth_sense *sense)
{
    const struct fth_row *row = sense->row;
    sense->request = sense->indices = sense->codes = sense->event_set = FTH_NO_FIELD;
    sense->aio_list = with_role(row, FTH_ROLE_AIO_LIST);
    sense->status = with_role(row, FTH_ROLE_STATUS);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->class_index >= 0 &&
            accesses->trace->catalog.classes[field->class_index].form == FTH_CLASS_ANONYMOUS &&
            strstr(accesses->trace->catalog.classes[field->class_index].name, "request"))
            sense->request = (int)i;
        if (strcmp(field->name, "es_id") == 0 && field->role == FTH_ROLE_USE)
            sense->event_set = (int)i;
        if (field->role == FTH_ROLE_OUT && fth_field_has_length(field))
            sense->indices = (int)i;
        else if (field->role == FTH_ROLE_OUT && sense->out_count < 2)
            sense->outs[sense->out_count++] = (int)i;
    }
    /* As many as there are requests, and nothing says how many of them are meant: what became of
     * each. */
    if (sense->indices >= 0 && sense->request >= 0 && !sense->out_count &&
        row->fields[sense->indices].length_field == row->fields[sense->request].length_field) {
        sense->codes = sense->indices;
        sense->indices = FTH_NO_FIELD;
    }
    bool moves = sense->meaning->reads || sense->meaning->writes || is_kind(row, "sync");
    sense->starts = (moves || sense->event_set >= 0 || sense->aio_list >= 0) &&
                    (row->flags & (FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN));
    sense->ends = (row->flags & FTH_CALL_END) != 0;
    sense->asks = is_kind(row, "test");
    sense->waits = is_kind(row, "wait");
    sense->cancels = is_kind(row, "cancel");
}

/* Does it change flags by a command (F_SETFL of fcntl)? These are then those of open. Such a call
 * has commands to copy descriptors, too. */
static void find_flags_command(const struct fth_accesses *accesses, struct fth_sense *sense)
{
    const struct fth_catalog *catalog = &accesses->trace->catalog;
    sense->argument = with_role(sense->row, FTH_ROLE_ARGUMENT);
    if (sense->argument < 0 || sense->flags < 0)
        return;
    const struct fth_flags *commands =
        &catalog->flags[sense->row->fields[sense->flags].flags_index];
    sense->copy_commands[0] = sense->copy_commands[1] = FTH_NOWHERE;
    for (size_t i = 0; i < commands->count; i++) {
        const struct fth_flag *command = &commands->entries[i];
        if (strcmp(command->name, "F_SETFL") == 0) {
            sense->sets_flags = true;
            sense->set_command = command->value;
        }
        if (strcmp(command->name, "F_DUPFD") == 0)
            sense->copy_commands[0] = command->value;
        if (strcmp(command->name, "F_DUPFD_CLOEXEC") == 0)
            sense->copy_commands[1] = command->value;
    }
    for (size_t i = 0; i < catalog->flags_count && sense->sets_flags; i++)
        if (strcmp(catalog->flags[i].name, "open") == 0)
            sense->append = flag_to_append(&catalog->flags[i]);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Arrays, by what their parameters are called (docs/catalog.md). */
static void find_arrays(struct fth_sense *sense)
{
    const struct fth_row *row = sense->row;
    sense->space_deed = fth_space_deed_of(row->builds);
    sense->dataset = sense->memory_space = sense->file_space = FTH_NO_FIELD;
    sense->variable = sense->starts_list = sense->counts_list = FTH_NO_FIELD;
    sense->strides_list = sense->block_count = FTH_NO_FIELD;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        bool is_list = field->role == FTH_ROLE_IN;
        int *found = strcmp(field->name, "mem_space_id") == 0    ? &sense->memory_space
                     : strcmp(field->name, "file_space_id") == 0 ? &sense->file_space
                     : strcmp(field->name, "dset_id") == 0       ? &sense->dataset
                     : begins(field->name, "varid")              ? &sense->variable
                     : strcmp(field->name, "num") == 0           ? &sense->block_count
                     : !is_list                                  ? NULL
                     : begins(field->name, "start") || begins(field->name, "index")
                         ? &sense->starts_list
                     : begins(field->name, "count")  ? &sense->counts_list
                     : begins(field->name, "stride") ? &sense->strides_list
                                                     : NULL;
        if (found)
            *found = (int)i;
    }
}

static bool makes_type(const struct fth_accesses *accesses, const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_NEW &&
            row->fields[i].class_index == accesses->datatype_class)
            return true;
    return false;
}

static void make(const struct fth_accesses *accesses, struct fth_sense *sense)
{
    const struct fth_row *row = sense->row;
    find_handles(accesses, sense);
    find_places(accesses, sense);
    find_requests(accesses, sense);
    find_arrays(sense);
    find_flags_command(accesses, sense);
    int about = sense->handle >= 0            ? sense->handle_class
                : sense->made != FTH_NO_FIELD ? sense->made_class
                                              : -1;
    sense->is_mpi = about >= 0 && about == accesses->file_class;
    sense->opens = sense->meaning->opens;
    sense->dups = is_kind(row, "dup");
    sense->seeks = is_kind(row, "seek");
    sense->makes_process =
        row->orders && (strcmp(row->orders, "fork") == 0 || strcmp(row->orders, "child") == 0);
    sense->locks = is_kind(row, "lock") || is_kind(row, "control");
    bool is_view = is_kind(row, "view") && sense->is_mpi;
    sense->gets_view = is_view && makes_type(accesses, row);
    sense->sets_view = is_view && !sense->gets_view && sense->datatype >= 0;
    sense->builds = row->builds && fth_datatype_form_of(row->builds, &sense->form);
    sense->frees_type = is_kind(row, "type") && fth_field_with_role(row, FTH_ROLE_CLOSE) >= 0;
    sense->ready = true;
}

const struct fth_sense *fth_sense_of(struct fth_accesses *accesses, const struct fth_call *call)
{
    size_t function = (size_t)(call->function - accesses->trace->functions);
    struct fth_sense *sense = &accesses->senses[function];
    if (!sense->ready) {
        sense->row = &accesses->trace->catalog.rows[function];
        sense->meaning = &accesses->trace->meanings[function];
        make(accesses, sense);
    }
    return sense;
}
