/* Calls of a simulated run as the integers that the tracer would have kept of them, in the order of
 * their rows. */
#include "sim/record/recorder_state.h"

#include <string.h>

enum {
    ANY = -1,     /* what MPI says of a message whose source nobody asked for */
    CURSORS = 256 /* handles with a higher slot have none */
};

/* `count` and its like: those of messages that are received have a size of their own. */
static int64_t integer_of(const struct call *call, const struct fth_field *field)
{
    const struct fth_sim_command *command = &call->command;
    const char *name = field->name ? field->name : "";
    bool receives = !strcmp(name, "recvcount") && command->verb == FTH_SIM_SENDRECV;
    switch (field->role) {
    case FTH_ROLE_COUNT:
    case FTH_ROLE_BYTES:
        return (int64_t)(receives ? call->received : call->bytes);
    case FTH_ROLE_PEER:
        if (fth_sim_is_one_sided(command->verb))
            return call->target;
        if (strcmp(name, "source"))
            return command->to;
        return command->from == FTH_SIM_ANY ? ANY : (int64_t)command->from;
    case FTH_ROLE_TAG:
        if (!strcmp(name, "recvtag") || command->verb == FTH_SIM_RECV)
            return command->from_tag == FTH_SIM_ANY ? ANY : (int64_t)command->from_tag;
        return command->tag;
    case FTH_ROLE_ROOT:
        return command->root;
    case FTH_ROLE_FLAGS: /* O_RDWR | O_CREAT; MPI_MODE_RDWR | MPI_MODE_CREATE */
        return fth_sim_is_collective_file(command->verb) ? 8 | 1 : 2 | 0100;
    case FTH_ROLE_MODE:
        return 0644;
    case FTH_ROLE_VALUE:
        return !strcmp(name, "color") ? call->color : call->key;
    default:
        return 0;
    }
}

int64_t fth_sim_slot_of_communicator(const struct fth_sim_recorder *recorder, uint32_t rank,
                                     uint32_t communicator)
{
    int64_t slot = communicator != 0;
    for (uint32_t i = 0; i + 1 < communicator; i++)
        slot += recorder->program->communicators[i].size[rank] > 0;
    return slot;
}

static int64_t slot_of(const struct fth_sim_recorder *recorder, const struct call *call,
                       const struct fth_field *field)
{
    const char *class = recorder->part.catalog->classes[field->class_index].name;
    if (!strcmp(class, "comm"))
        return field->role == FTH_ROLE_NEW
                   ? call->new_communicator
                   : fth_sim_slot_of_communicator(recorder, call->rank, call->command.communicator);
    if (!strcmp(class, "request"))
        return call->number;
    if (!strcmp(class, "fd") || !strcmp(class, "mpi_file"))
        return call->file ? (int64_t)call->file->slot : FTH_SLOT_UNKNOWN;
    bool is_only_one = !strcmp(class, "datatype") || !strcmp(class, "op") || !strcmp(class, "win");
    return is_only_one ? 0 : FTH_SLOT_NONE;
}

/* Offsets are kept as the distance to where the last access of the handle ended, those of MPI-IO to
 * where it began. */
static int64_t offset_of(const struct call *call, bool in_view)
{
    int64_t offset = (int64_t)call->offset, before = 0;
    if (call->file && call->file->slot < CURSORS) {
        before = call->file->cursor;
        call->file->cursor = in_view ? offset : offset + (int64_t)call->bytes;
    }
    return offset - before;
}

static int64_t value_of(struct fth_sim_recorder *recorder, const struct call *call,
                        const struct fth_row *row, const struct fth_value_plan *plan)
{
    const struct fth_field *field =
        plan->field == FTH_RESULT ? &row->result : &row->fields[plan->field];
    bool is_access = call->command.verb >= FTH_SIM_FILE_OPEN;
    switch (plan->part) {
    case FTH_PART_INTEGER:
        return plan->field == FTH_RESULT ? 0 : integer_of(call, field);
    case FTH_PART_SLOT:
        return slot_of(recorder, call, field);
    case FTH_PART_NUMBER:
        return FTH_SIM_FIRST_DESCRIPTOR;
    case FTH_PART_ELEMENT:
        return 1;
    case FTH_PART_TEXT:
        return call->path
                   ? (int64_t)fth_part_module(&recorder->part, call->path, strlen(call->path))
                   : 0;
    case FTH_PART_LIST:
        return call->parts;
    case FTH_PART_OFFSET:
    case FTH_PART_VIEW:
        return offset_of(call, plan->part == FTH_PART_VIEW);
    case FTH_PART_SOURCE:
        return is_access ? FTH_STATUS_MOVED : call->source;
    case FTH_PART_TAG:
        return is_access ? (int64_t)call->bytes : call->tag;
    case FTH_PART_MOVED:
        return 0;
    default:
        return FTH_ABSENT;
    }
}

uint32_t fth_sim_make_signature(struct fth_sim_recorder *recorder, const struct call *call)
{
    const struct fth_catalog *catalog = recorder->part.catalog;
    struct fth_value_plan plan[FTH_MOST_VALUES];
    struct made_signature made = {.function = fth_sim_function_of(recorder, call)};
    if (made.function == UINT32_MAX)
        return UINT32_MAX;
    const struct fth_row *row = &catalog->rows[made.function];
    made.count = fth_plan_values(catalog, row, plan);
    for (int i = 0; i < made.count; i++)
        made.values[i] = value_of(recorder, call, row, &plan[i]);
    return fth_intern(&recorder->signatures, &made,
                      offsetof(struct made_signature, values) +
                          (size_t)made.count * sizeof *made.values);
}
