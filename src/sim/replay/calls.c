/* From calls of a trace to commands: messages, requests, collective calls, files. */
#include "sim/replay/actor.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void push(struct actor *actor, const struct fth_sim_command *command)
{
    if (actor->queue_at == actor->queue_end)
        actor->queue_at = actor->queue_end = 0;
    actor->queue =
        fth_reach(actor->queue, &actor->queue_limit, actor->queue_end, sizeof *actor->queue);
    actor->queue[actor->queue_end++] = *command;
}

void fth_sim_actor_compute(const struct replay *replay, struct actor *actor, int64_t until)
{
    int64_t end = fth_trace_info(replay->trace)->end;
    if (until > end)
        until = end;
    int64_t gap = until - actor->last;
    if (gap <= 0)
        return;
    struct fth_sim_command command = {.verb = FTH_SIM_COMPUTE, .nanoseconds = gap};
    if (replay->options.instructions) {
        unsigned __int128 work = (unsigned __int128)gap * replay->options.instructions;
        command.nanoseconds = 0;
        command.instructions = (uint64_t)(work / 1000000000) + 1;
    }
    push(actor, &command);
    actor->last = until;
}

/* What was computed before the call, and the call. */
static void act(const struct replay *replay, struct actor *actor, const struct fth_call *call,
                const struct fth_sim_command *command)
{
    fth_sim_actor_compute(replay, actor, call->start);
    bool is_file = command->verb >= FTH_SIM_FILE_OPEN && command->verb <= FTH_SIM_FILE_WRITE_ALL;
    if (!(is_file ? replay->options.without_files : replay->options.without_messages)) {
        struct fth_sim_command numbered = *command;
        numbered.line = (uint32_t)call->number;
        push(actor, &numbered);
    }
    if (call->end > actor->last)
        actor->last = call->end;
}

/* ---- what calls say ---- */

static const struct fth_value *value_of(const struct fth_call *call, int parameter)
{
    static const struct fth_value none;
    return parameter < 0 ? &none : &call->arguments[parameter];
}

static bool is_named(const struct fth_value *value, const char *name)
{
    return value->type == FTH_VALUE_INTEGER && value->text && !strcmp(value->text, name);
}

/* The communicator of a call, as the program numbers them. */
enum group { KNOWN, SELF, UNKNOWN };
static enum group group_of(const struct replay *replay, const struct actor *actor,
                           const struct fth_call *call, uint32_t *communicator)
{
    const struct fth_handle *group = call->group;
    *communicator = 0;
    if (!group)
        return UNKNOWN;
    if (fth_sim_group_is_all(group, actor->rank, replay->program.ranks))
        return KNOWN;
    if (group->group_size == 1)
        return SELF;
    *communicator = fth_sim_groups_find(&replay->groups, actor->rank, group->number);
    return *communicator ? KNOWN : UNKNOWN;
}

static uint64_t bytes_of(const struct fth_sim_sense *sense, const struct fth_access *access)
{
    const struct fth_value *count = value_of(&access->call, sense->count);
    if (!access->datatype || count->type != FTH_VALUE_INTEGER || count->integer < 0 ||
        access->datatype->size < 0)
        return 0;
    uint64_t bytes = 0;
    if (__builtin_mul_overflow((uint64_t)count->integer, (uint64_t)access->datatype->size, &bytes))
        return 0;
    return bytes < FTH_SIM_MOST_BYTES ? bytes : 0;
}

/* ---- requests ---- */

static struct slot *slot_of(struct actor *actor, int64_t number)
{
    enum { MOST_SLOTS = 1 << 22 };
    if (number < 0 || number >= MOST_SLOTS)
        return NULL;
    actor->slots =
        fth_reach(actor->slots, &actor->slot_limit, (uint32_t)number, sizeof *actor->slots);
    return &actor->slots[number];
}

static void wait_for(const struct replay *replay, struct actor *actor, const struct fth_call *call,
                     int64_t number)
{
    struct slot *slot = slot_of(actor, number);
    if (!slot || !slot->pending)
        return;
    slot->pending = false;
    uint32_t request = (uint32_t)number + 1;
    act(replay, actor, call,
        &(struct fth_sim_command){
            .verb = FTH_SIM_WAIT, .request = request, .last_request = request});
}

/* A number is used again: nobody was seen to wait for what it stood for before. */
static void begin(const struct replay *replay, struct actor *actor, const struct fth_call *call,
                  int64_t number, const struct fth_sim_command *command)
{
    struct slot *slot = slot_of(actor, number);
    if (!slot)
        return;
    wait_for(replay, actor, call, number);
    slot->pending = true;
    struct fth_sim_command begun = *command;
    begun.request = (uint32_t)number + 1;
    act(replay, actor, call, &begun);
}

static size_t requests_in(const struct fth_value *value)
{
    return value->type == FTH_VALUE_HANDLE    ? 1
           : value->type == FTH_VALUE_HANDLES ? value->count
                                              : 0;
}

static int64_t request_in(const struct fth_value *value, size_t index)
{
    return value->type == FTH_VALUE_HANDLE ? value->integer : value->integers[index];
}

/* Which of its requests a call found complete is told by what it gave back: nothing (all of them), a flag, an index, or how many and which. */
static void wait_for_some(const struct replay *replay, struct actor *actor,
                          const struct fth_sim_sense *sense, const struct fth_call *call)
{
    const struct fth_value *requests = value_of(call, sense->requests);
    const struct fth_value *first = value_of(call, sense->outs[0]);
    const struct fth_value *indices = value_of(call, sense->indices);
    size_t count = requests_in(requests);
    if (sense->indices >= 0) {
        for (size_t i = 0;
             i < indices->count && first->type == FTH_VALUE_INTEGER && (int64_t)i < first->integer;
             i++)
            if (indices->integers[i] >= 0 && (size_t)indices->integers[i] < count)
                wait_for(replay, actor, call, request_in(requests, (size_t)indices->integers[i]));
        return;
    }
    bool has_flag = sense->is_test;
    bool has_index = sense->outs[0] >= 0 && (!has_flag || sense->outs[1] >= 0);
    const struct fth_value *flag = value_of(call, sense->outs[has_index]);
    if (has_flag && (flag->type != FTH_VALUE_INTEGER || !flag->integer))
        return;
    for (size_t i = 0; i < count; i++)
        if (!has_index || (first->type == FTH_VALUE_INTEGER && first->integer == (int64_t)i))
            wait_for(replay, actor, call, request_in(requests, i));
}

static void start_again(const struct replay *replay, struct actor *actor,
                        const struct fth_sim_sense *sense, const struct fth_call *call)
{
    const struct fth_value *requests = value_of(call, sense->requests);
    for (size_t i = 0; i < requests_in(requests); i++) {
        int64_t number = request_in(requests, i);
        const struct slot *slot = slot_of(actor, number);
        if (slot && slot->persistent)
            begin(replay, actor, call, number, &actor->persistent[slot->persistent - 1]);
    }
}

/* ---- MPI ---- */

static void issue(struct replay *replay, struct actor *actor, const struct fth_sim_sense *sense,
                  const struct fth_call *call, const struct fth_sim_command *command)
{
    const struct fth_value *made = value_of(call, sense->made);
    if (sense->made < 0) {
        act(replay, actor, call, command);
    } else if (made->type == FTH_VALUE_HANDLE && call->function->nonblocking) {
        begin(replay, actor, call, made->integer, command);
    } else if (made->type == FTH_VALUE_HANDLE) {
        struct slot *slot = slot_of(actor, made->integer);
        if (!slot)
            return;
        FTH_GROW(actor->persistent, actor->persistent_count);
        actor->persistent[actor->persistent_count++] = *command;
        slot->persistent = actor->persistent_count;
    }
}

/* A rank that a call names; false: nobody. */
static bool peer_of(const struct replay *replay, const struct actor *actor, enum group group,
                    const struct fth_value *value, uint32_t *rank)
{
    if (is_named(value, "MPI_ANY_SOURCE")) {
        *rank = group == SELF ? actor->rank : FTH_SIM_ANY;
        return true;
    }
    if (value->type != FTH_VALUE_INTEGER || value->integer < 0 ||
        value->integer >= replay->program.ranks)
        return false;
    *rank = group == SELF ? actor->rank : (uint32_t)value->integer;
    return true;
}

static uint32_t tag_of(const struct fth_value *value)
{
    return is_named(value, "MPI_ANY_TAG") || value->type != FTH_VALUE_INTEGER
               ? FTH_SIM_ANY
               : (uint32_t)value->integer;
}

static void message(struct replay *replay, struct actor *actor, const struct fth_sim_sense *sense,
                    const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    struct fth_sim_command command = {.bytes = bytes_of(sense, access)};
    enum group group = group_of(replay, actor, call, &command.communicator);
    if (group == UNKNOWN) {
        replay->losses.other_groups++;
        return;
    }
    bool sends = sense->verb != FTH_SIM_RECV, receives = sense->verb != FTH_SIM_SEND;
    int source = sends && receives; /* the second peer */
    sends = sends && peer_of(replay, actor, group, value_of(call, sense->peers[0]), &command.to);
    receives = receives &&
               peer_of(replay, actor, group, value_of(call, sense->peers[source]), &command.from);
    if (!sends && !receives)
        return;
    command.tag = tag_of(value_of(call, sense->tags[0]));
    command.from_tag = tag_of(value_of(call, sense->tags[source]));
    command.verb = sends && receives ? FTH_SIM_SENDRECV : sends ? FTH_SIM_SEND : FTH_SIM_RECV;
    issue(replay, actor, sense, call, &command);
}

static void together(struct replay *replay, struct actor *actor, const struct fth_sim_sense *sense,
                     const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const struct fth_value *root = value_of(call, sense->root);
    struct fth_sim_command command = {.verb = sense->verb, .bytes = bytes_of(sense, access)};
    enum group group = group_of(replay, actor, call, &command.communicator);
    replay->losses.other_groups += group == UNKNOWN;
    if (group != KNOWN)
        return;
    if (root->type == FTH_VALUE_INTEGER && root->integer >= 0 &&
        root->integer < replay->program.ranks)
        command.root = (uint32_t)root->integer;
    issue(replay, actor, sense, call, &command);
}

/* ---- files ---- */

static bool file_of(const struct replay *replay, const struct fth_call *call, uint32_t *number)
{
    return call->file && fth_intern_find(&replay->names, call->file, strlen(call->file), number);
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
    return call->collective && group_of(replay, actor, call, &command->communicator) == KNOWN;
}

static bool file(struct replay *replay, struct actor *actor, const struct fth_sim_sense *sense,
                 const struct fth_call *call)
{
    struct fth_sim_command command = {.verb = sense->verb};
    if (!file_of(replay, call, &command.file))
        return false;
    if (is_together(replay, actor, call, &command))
        command.verb = command.verb == FTH_SIM_FILE_OPEN    ? FTH_SIM_FILE_OPEN_ALL
                       : command.verb == FTH_SIM_FILE_CLOSE ? FTH_SIM_FILE_CLOSE_ALL
                                                            : command.verb;
    act(replay, actor, call, &command);
    return true;
}

/* Whether the call is replayed: who takes part in a collective access comes to it, also with nothing. */
static bool data(struct replay *replay, struct actor *actor, const struct fth_sim_sense *sense,
                 const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    struct fth_sim_command command = {0};
    bool all = sense->is_mpiio && is_together(replay, actor, call, &command);
    command.verb = call->reads ? (all ? FTH_SIM_FILE_READ_ALL : FTH_SIM_FILE_READ)
                               : (all ? FTH_SIM_FILE_WRITE_ALL : FTH_SIM_FILE_WRITE);
    if (!call->reads && !call->writes)
        return false;
    bool is_known = access->kind == FTH_ACCESS_BYTES && is_possible(actor, access);
    replay->losses.unknown += access->kind != FTH_ACCESS_NONE && !is_known;
    if (!file_of(replay, call, &command.file) || (!is_known && !all))
        return false;
    if (is_known)
        command.ranges = ranges_of(actor, access);
    if (!all && !command.ranges.count)
        return false;
    replay->losses.begun += call->function->nonblocking;
    act(replay, actor, call, &command);
    return true;
}

/* ---- all of them ---- */

bool fth_sim_actor_call(struct replay *replay, struct actor *actor,
                        const struct fth_sim_sense *sense, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    bool covers =
        sense->is_mpi || (sense->is_mpiio && replay->options.level == FTH_SIM_REPLAY_MPIIO);
    if (call->error_number || (sense->is_mpiio && !covers))
        return covers;
    switch (sense->what) {
    case FTH_SIM_IS_NOTHING:
        break;
    case FTH_SIM_IS_MESSAGE:
        message(replay, actor, sense, access);
        break;
    case FTH_SIM_IS_TOGETHER:
        together(replay, actor, sense, access);
        break;
    case FTH_SIM_IS_ALL_OF_WORLD:
        act(replay, actor, call, &(struct fth_sim_command){.verb = FTH_SIM_BARRIER});
        break;
    case FTH_SIM_IS_START:
        start_again(replay, actor, sense, call);
        break;
    case FTH_SIM_IS_WAIT:
        wait_for_some(replay, actor, sense, call);
        break;
    case FTH_SIM_IS_FILE:
        covers |= file(replay, actor, sense, call);
        break;
    case FTH_SIM_IS_DATA:
        covers |= data(replay, actor, sense, access);
        break;
    }
    return covers;
}
