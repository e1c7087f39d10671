/* From calls of a trace to commands: messages, collective calls, and which calls are what. */
#include "sim/replay/actor.h"
#include "base/saturating.h"

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

/* How long something took that is done again. */
static void note(const struct replay *replay, struct actor *actor, enum fth_sim_verb verb,
                 int64_t time)
{
    replay->recorded[verb].count++;
    FTH_ADD_SATURATING(replay->recorded[verb].time, time);
    FTH_ADD_SATURATING(actor->recorded, time);
}

void fth_sim_actor_compute(const struct replay *replay, struct actor *actor, int64_t until)
{
    int64_t end = fth_trace_info(replay->trace)->end;
    if (until > end)
        until = end;
    int64_t gap = until - actor->last;
    if (gap <= 0)
        return;
    /* Where there were more processes than processors, it had its share of them. */
    struct fth_sim_command command = {
        .verb = FTH_SIM_COMPUTE,
        .nanoseconds = (int64_t)((__int128)gap * actor->processors / actor->ranks)};
    if (!command.nanoseconds)
        command.nanoseconds = 1;
    if (replay->options.instructions) {
        unsigned __int128 work =
            (unsigned __int128)command.nanoseconds * replay->options.instructions;
        command.nanoseconds = 0;
        command.instructions = (uint64_t)(work / 1000000000) + 1;
    }
    push(actor, &command);
    note(replay, actor, FTH_SIM_COMPUTE, gap);
    actor->last = until;
}

static void end_call(struct actor *actor, const struct fth_call *call)
{
    if (call->end > actor->last)
        actor->last = call->end;
}

void fth_sim_actor_leave_out(struct replay *replay, struct actor *actor,
                             const struct fth_call *call)
{
    fth_sim_actor_compute(replay, actor, call->start);
    if (call->end > actor->last && !replay->options.without_messages)
        note(replay, actor, FTH_SIM_AWAIT, call->end - actor->last);
    end_call(actor, call);
}

/* Of what is done with files together, all but closing them. */
static bool does_meet(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_OPEN_ALL || verb == FTH_SIM_FILE_READ_ALL ||
           verb == FTH_SIM_FILE_WRITE_ALL;
}

void fth_sim_actor_act(const struct replay *replay, struct actor *actor,
                       const struct fth_call *call, const struct fth_sim_command *command)
{
    fth_sim_actor_compute(replay, actor, call->start);
    bool is_file = command->verb >= FTH_SIM_FILE_OPEN && command->verb <= FTH_SIM_FILE_WRITE_ALL;
    bool is_left_out = is_file ? replay->options.without_files : replay->options.without_messages;
    bool meets = is_left_out && replay->options.files_meet && does_meet(command->verb);
    if (!is_left_out || meets) {
        struct fth_sim_command numbered = *command;
        numbered.verb = meets ? FTH_SIM_BARRIER : command->verb;
        numbered.line = (uint32_t)call->number;
        push(actor, &numbered);
        note(replay, actor, command->verb, call->end > actor->last ? call->end - actor->last : 0);
    }
    end_call(actor, call);
}

/* MPI_Init and MPI_Finalize: how long they took is the launcher's business. */
static void meet(const struct replay *replay, struct actor *actor, const struct fth_call *call)
{
    const struct fth_sim_command barrier = {
        .verb = FTH_SIM_BARRIER, .line = (uint32_t)call->number, .is_left_out = true};
    fth_sim_actor_compute(replay, actor, call->start);
    if (!replay->options.without_messages)
        push(actor, &barrier);
    actor->meets = true;
    end_call(actor, call);
}

/* ---- what calls say ---- */

bool fth_sim_is_named(const struct fth_value *value, const char *name)
{
    return value->type == FTH_VALUE_INTEGER && value->text && !strcmp(value->text, name);
}

/* Who knows no more of a communicator than its size takes those that have all processes for that of
 * all. */
static const struct fth_sim_replay_group *place_by_size(const struct replay *replay,
                                                        const struct actor *actor,
                                                        const struct fth_handle *group)
{
    static const struct fth_sim_replay_group all = {.kind = FTH_SIM_GROUP_KNOWN},
                                             self = {.kind = FTH_SIM_GROUP_SELF}, unknown = {0};
    if (!group)
        return &unknown;
    if (fth_sim_group_is_all(group, actor->rank, replay->program.ranks))
        return &all;
    return group->group_size == 1 ? &self : &unknown;
}

const struct fth_sim_replay_group *fth_sim_actor_place(const struct replay *replay,
                                                       const struct actor *actor,
                                                       const struct fth_call *call)
{
    static const struct fth_sim_replay_group anybody = {.kind = FTH_SIM_GROUP_KNOWN}, unknown = {0};
    if (replay->options.without_messages)
        return &anybody; /* what takes no time is left out, whoever it was with */
    if (!replay->groups.are_known || !call->group)
        return place_by_size(replay, actor, call->group);
    const struct fth_sim_replay_group *place =
        fth_sim_groups_find(&replay->groups, actor->rank, call->group->number);
    return place ? place : &unknown;
}

uint64_t fth_sim_product(int64_t count, const struct fth_datatype *datatype)
{
    uint64_t bytes = 0;
    if (!datatype || count < 0 || datatype->size < 0 ||
        __builtin_mul_overflow((uint64_t)count, (uint64_t)datatype->size, &bytes))
        return 0;
    return bytes < FTH_SIM_MOST_BYTES ? bytes : 0;
}

uint64_t fth_sim_bytes_of(const struct fth_sim_semantics *semantics,
                          const struct fth_access *access)
{
    const struct fth_value *count = fth_sim_value_of(&access->call, semantics->count);
    const struct fth_value *parts = fth_sim_value_of(&access->call, semantics->partitions);
    int64_t times = parts->type == FTH_VALUE_INTEGER ? parts->integer : 1, all = 0;
    if (count->type != FTH_VALUE_INTEGER || __builtin_mul_overflow(count->integer, times, &all))
        return 0;
    return fth_sim_product(all, access->datatype);
}

/* ---- MPI ---- */

/* A rank that a call names, which of two sides is one of the other; false: nobody. */
static bool peer_of(const struct replay *replay, const struct actor *actor,
                    const struct fth_sim_replay_group *place, const struct fth_value *value,
                    uint32_t *rank)
{
    int64_t most = place->has_sides ? place->other_size : replay->program.ranks;
    if (fth_sim_is_named(value, "MPI_ANY_SOURCE")) {
        *rank = place->kind == FTH_SIM_GROUP_SELF ? actor->rank : FTH_SIM_ANY;
        return true;
    }
    if (value->type != FTH_VALUE_INTEGER || value->integer < 0 || value->integer >= most)
        return false;
    *rank =
        place->kind == FTH_SIM_GROUP_SELF ? actor->rank : place->other + (uint32_t)value->integer;
    return true;
}

static uint32_t tag_of(const struct fth_value *value)
{
    return fth_sim_is_named(value, "MPI_ANY_TAG") || value->type != FTH_VALUE_INTEGER
               ? FTH_SIM_ANY
               : (uint32_t)value->integer;
}

/* A message that a probe has matched is received by its handle: from whom it was, and its tag, was
 * said there. */
static struct matched *matched_by(struct actor *actor, const struct fth_value *handle)
{
    enum { MOST_MATCHED = 1 << 20 };
    if (handle->type != FTH_VALUE_HANDLE || handle->integer < 0 || handle->integer >= MOST_MATCHED)
        return NULL;
    actor->matched = fth_reach(actor->matched, &actor->matched_limit, (uint32_t)handle->integer,
                               sizeof *actor->matched);
    return &actor->matched[handle->integer];
}

static void receive_matched(struct replay *replay, struct actor *actor,
                            const struct fth_sim_semantics *semantics,
                            const struct fth_access *access)
{
    struct matched *matched =
        matched_by(actor, fth_sim_value_of(&access->call, semantics->message));
    if (matched && !matched->is_known)
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP); /* so was what has matched it */
    if (!matched || !matched->is_known)
        return;
    struct fth_sim_command command = {.verb = FTH_SIM_RECV,
                                      .communicator = matched->communicator,
                                      .from = matched->from,
                                      .from_tag = matched->tag};
    matched->is_known = false;
    fth_sim_actor_issue(replay, actor, semantics, &access->call, &command);
}

/* Who finds a message goes on from there; who only looks whether there is one computes. */
static void probe(struct replay *replay, struct actor *actor,
                  const struct fth_sim_semantics *semantics, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const struct fth_value *flag = fth_sim_value_of(call, semantics->outs[0]);
    const struct fth_sim_replay_group *place = fth_sim_actor_place(replay, actor, call);
    struct fth_sim_command command = {.verb = FTH_SIM_PROBE, .communicator = place->communicator};
    if (semantics->outs[0] >= 0 && (flag->type != FTH_VALUE_INTEGER || !flag->integer))
        return;
    if (place->kind == FTH_SIM_GROUP_UNKNOWN) {
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP);
        return;
    }
    if (!peer_of(replay, actor, place, fth_sim_value_of(call, semantics->peers[0]), &command.from))
        return;
    command.from_tag = tag_of(fth_sim_value_of(call, semantics->tags[0]));
    struct matched *matched = matched_by(actor, fth_sim_value_of(call, semantics->new_message));
    if (matched)
        *matched = (struct matched){true, command.communicator, command.from, command.from_tag};
    fth_sim_actor_act(replay, actor, call, &command);
}

/* One value of a type has no count. */
static void visit(struct replay *replay, struct actor *actor,
                  const struct fth_sim_semantics *semantics, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    static const struct fth_sim_replay_group in_window = {.kind = FTH_SIM_GROUP_KNOWN};
    struct fth_sim_command command = {.verb = semantics->verb,
                                      .bytes = semantics->count < 0
                                                   ? fth_sim_product(1, access->datatype)
                                                   : fth_sim_bytes_of(semantics, access)};
    if (!fth_sim_actor_window(actor, call, &command.communicator))
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP);
    else if (!peer_of(replay, actor, &in_window, fth_sim_value_of(call, semantics->peers[0]),
                      semantics->verb == FTH_SIM_PUT ? &command.to : &command.from))
        return;
    else if (semantics->made >= 0)
        fth_sim_actor_issue(replay, actor, semantics, call, &command);
    else
        fth_sim_actor_visit(replay, actor, call, &command);
}

static void message(struct replay *replay, struct actor *actor,
                    const struct fth_sim_semantics *semantics, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const struct fth_sim_replay_group *place = fth_sim_actor_place(replay, actor, call);
    struct fth_sim_command command = {.communicator = place->communicator,
                                      .bytes = fth_sim_bytes_of(semantics, access)};
    if (semantics->message >= 0) {
        receive_matched(replay, actor, semantics, access);
        return;
    }
    if (place->kind == FTH_SIM_GROUP_UNKNOWN) {
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP);
        return;
    }
    bool sends = semantics->verb != FTH_SIM_RECV, receives = semantics->verb != FTH_SIM_SEND;
    int source = sends && receives; /* the second peer */
    sends = sends &&
            peer_of(replay, actor, place, fth_sim_value_of(call, semantics->peers[0]), &command.to);
    receives = receives && peer_of(replay, actor, place,
                                   fth_sim_value_of(call, semantics->peers[source]), &command.from);
    if (!sends && !receives)
        return;
    command.tag = tag_of(fth_sim_value_of(call, semantics->tags[0]));
    command.from_tag = tag_of(fth_sim_value_of(call, semantics->tags[source]));
    command.verb = sends && receives ? FTH_SIM_SENDRECV : sends ? FTH_SIM_SEND : FTH_SIM_RECV;
    fth_sim_actor_issue(replay, actor, semantics, call, &command);
}

/* ---- all of them ---- */

bool fth_sim_actor_call(struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    /* Without files what is inside of calls of MPI-IO is no computation either. */
    bool is_posix = replay->options.level == FTH_SIM_REPLAY_POSIX && !replay->options.without_files;
    /* Whoever waits for an access that does not block may carry it out meanwhile. */
    bool covers = semantics->is_mpiio
                      ? !is_posix
                      : semantics->is_mpi && !(is_posix && semantics->what == FTH_SIM_IS_WAIT);
    if (call->error_number || (semantics->is_mpiio && !covers))
        return covers;
    fth_sim_actor_end_operations(replay, actor, access);
    switch (semantics->what) {
    case FTH_SIM_IS_NOTHING:
        break;
    case FTH_SIM_IS_WINDOW:
        fth_sim_actor_new_window(replay, actor, call);
        break;
    case FTH_SIM_IS_VISIT:
        visit(replay, actor, semantics, access);
        break;
    case FTH_SIM_IS_EPOCH:
        if (!fth_sim_actor_end_epoch(replay, actor, semantics, call))
            fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP);
        fth_sim_actor_leave_out(replay, actor, call);
        break;
    case FTH_SIM_IS_PROBE:
        probe(replay, actor, semantics, access);
        break;
    case FTH_SIM_IS_MESSAGE:
        message(replay, actor, semantics, access);
        break;
    case FTH_SIM_IS_TOGETHER:
        fth_sim_actor_together(replay, actor, semantics, access);
        break;
    case FTH_SIM_IS_ALL_OF_WORLD:
        meet(replay, actor, call);
        break;
    case FTH_SIM_IS_LOCK:
        fth_sim_actor_leave_out(replay, actor, call);
        break;
    case FTH_SIM_IS_START:
    case FTH_SIM_IS_COMPLETE:
    case FTH_SIM_IS_POST:
    case FTH_SIM_IS_AWAIT:
        fth_sim_actor_epoch(replay, actor, semantics, call);
        fth_sim_actor_leave_out(replay, actor, call);
        break;
    case FTH_SIM_IS_START_OF_REQUESTS:
        fth_sim_actor_start(replay, actor, semantics, call);
        break;
    case FTH_SIM_IS_WAIT:
        fth_sim_actor_wait(replay, actor, semantics, call);
        break;
    case FTH_SIM_IS_FILE:
        covers |= fth_sim_actor_file(replay, actor, semantics, call);
        break;
    case FTH_SIM_IS_DATA:
        covers |= fth_sim_actor_data(replay, actor, semantics, access);
        break;
    }
    return covers;
}
