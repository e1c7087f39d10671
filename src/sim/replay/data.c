/* From calls on files to commands: which file, which bytes, and accesses that another call
 * completes. */
#include "sim/replay/actor.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool file_of(const struct replay *replay, const struct fth_call *call, uint32_t *number)
{
    const char *path = fth_sim_path_of(call);
    return path && fth_intern_find(&replay->names, path, strlen(path), number);
}

static int by_offset(const void *one, const void *other)
{
    const struct fth_sim_extent *a = one, *b = other;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static bool is_possible(struct actor *actor, const struct fth_access *access)
{
    struct fth_range range;
    bool possible = access->length <= FTH_SIM_MOST_BYTES;
    for (size_t i = 0; possible && i < FTH_SIM_MOST_RANGES; i++) {
        if (!fth_accesses_range(actor->accesses, &range))
            break;
        possible = range.offset <= FTH_SIM_MOST_POSITION && range.length <= FTH_SIM_MOST_BYTES;
    }
    fth_accesses_rewind(actor->accesses);
    return possible;
}

/* The call's ranges in ascending order; what is accessed twice once. */
static struct fth_sim_ranges ranges_of(struct actor *actor, const struct fth_access *access)
{
    struct fth_range range;
    uint32_t count = 0, kept = 0;
    while (fth_accesses_range(actor->accesses, &range)) {
        if (count == FTH_SIM_MOST_RANGES)
            return (struct fth_sim_ranges){
                .offset = actor->extents[0].offset, .bytes = access->length, .count = 1};
        actor->extents =
            fth_reach(actor->extents, &actor->extent_limit, count, sizeof *actor->extents);
        actor->extents[count++] = (struct fth_sim_extent){range.offset, range.length};
    }
    for (uint32_t i = 1; i < count; i++)
        if (actor->extents[i].offset < actor->extents[i - 1].offset) {
            qsort(actor->extents, count, sizeof *actor->extents, by_offset);
            break;
        }
    for (uint32_t i = 0; i < count; i++) {
        struct fth_sim_extent next = actor->extents[i];
        struct fth_sim_extent *last = kept ? &actor->extents[kept - 1] : NULL;
        if (last && next.offset <= last->offset + last->bytes) {
            uint64_t end = next.offset + next.bytes;
            if (end > last->offset + last->bytes)
                last->bytes = end - last->offset;
        } else {
            actor->extents[kept++] = next;
        }
    }
    return (struct fth_sim_ranges){.count = kept, .list = kept ? actor->extents : NULL};
}

static bool is_together(const struct replay *replay, const struct actor *actor,
                        const struct fth_call *call, struct fth_sim_command *command)
{
    const struct fth_sim_replay_group *place = fth_sim_actor_place(replay, actor, call);
    command->communicator = place->communicator;
    return call->collective && place->kind == FTH_SIM_GROUP_KNOWN;
}

bool fth_sim_actor_file(struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_call *call)
{
    struct fth_sim_command command = {
        .verb = semantics->verb, .name = semantics->name, .is_mpiio = semantics->is_mpiio};
    command.creates = call->handle && (call->handle->creation_flags & FTH_CREATE) != 0;
    if (!file_of(replay, call, &command.file))
        return false;
    if (is_together(replay, actor, call, &command))
        command.verb = command.verb == FTH_SIM_FILE_OPEN    ? FTH_SIM_FILE_OPEN_ALL
                       : command.verb == FTH_SIM_FILE_CLOSE ? FTH_SIM_FILE_CLOSE_ALL
                                                            : command.verb;
    fth_sim_actor_act(replay, actor, call, &command);
    return true;
}

/* ---- accesses that do not block ---- */

/* Numbers of their requests, which those of messages do not reach. */
enum { FIRST_REQUEST = 1 << 24, MOST_REQUESTS = 1 << 24 };

static void begin_operation(struct actor *actor, const struct fth_call *call,
                            struct fth_sim_command *command)
{
    command->request = FIRST_REQUEST + actor->begun++ % MOST_REQUESTS;
    FTH_GROW(actor->operations, actor->operation_count);
    actor->operations[actor->operation_count++] =
        (struct operation){call->thread, call->number, command->request};
}

static void end_operation(struct replay *replay, struct actor *actor, const struct fth_call *call,
                          const struct fth_call_name *begin)
{
    for (uint32_t i = 0; i < actor->operation_count; i++) {
        struct operation *operation = &actor->operations[i];
        if (operation->thread != begin->thread || operation->number != begin->number)
            continue;
        struct fth_sim_command wait = {.verb = FTH_SIM_WAIT,
                                       .request = operation->request,
                                       .last_request = operation->request};
        *operation = actor->operations[--actor->operation_count];
        fth_sim_actor_act(replay, actor, call, &wait);
        return;
    }
}

void fth_sim_actor_end_operations(struct replay *replay, struct actor *actor,
                                  const struct fth_access *access)
{
    for (size_t i = 0; i < access->operation_count && actor->operation_count; i++)
        end_operation(replay, actor, &access->call, &access->operations[i].begin);
}

/* ---- data ---- */

/* Whether a call on it takes as long as it did. */
static bool stays(const struct replay *replay, const struct fth_call *call)
{
    const char *path = fth_sim_path_of(call);
    return path && replay->options.stays && replay->options.stays(path);
}

/* A call of the system on the descriptor of a pipe: those of streams make such calls. */
static bool is_pipe(const struct fth_call *call)
{
    const struct fth_handle *handle = call->handle;
    if (!handle || strcmp(handle->handle_class, "fd") != 0)
        return false;
    const char *path = handle->identity.path ? handle->identity.path : handle->path;
    return path && !strncmp(path, "pipe:[", 6);
}

/* Whether the call is replayed: who takes part in a collective access comes to it, also with
 * nothing. */
bool fth_sim_actor_data(struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    struct fth_sim_command command = {.is_mpiio = semantics->is_mpiio};
    bool all = semantics->is_mpiio && is_together(replay, actor, call, &command);
    command.verb = call->reads ? (all ? FTH_SIM_FILE_READ_ALL : FTH_SIM_FILE_READ)
                               : (all ? FTH_SIM_FILE_WRITE_ALL : FTH_SIM_FILE_WRITE);
    if (!call->reads && !call->writes)
        return false;
    if (stays(replay, call)) {
        bool waits = replay->options.pipes_hold && call->reads && is_pipe(call);
        if (waits)
            fth_sim_actor_leave_out(replay, actor, call);
        if (waits && access->kind != FTH_ACCESS_BYTES && !access->length)
            fth_sim_actor_hold(actor);
        return waits;
    }
    if (access->kind == FTH_ACCESS_NONE && access->operation_count)
        return semantics->is_mpiio; /* the second half of a split access, which was waited for */
    bool is_known = access->kind == FTH_ACCESS_BYTES && is_possible(actor, access);
    bool has_file = file_of(replay, call, &command.file);
    if (access->kind != FTH_ACCESS_NONE && !is_known)
        fth_sim_lose(replay, semantics, all && has_file ? FTH_SIM_LOST_BYTES : FTH_SIM_LOST_PLACE);
    if (!has_file || (!is_known && !all))
        return false;
    if (is_known)
        command.ranges = ranges_of(actor, access);
    if (!all && !command.ranges.count)
        return false;
    if (call->function->starts)
        begin_operation(actor, call, &command);
    fth_sim_actor_act(replay, actor, call, &command);
    return true;
}
