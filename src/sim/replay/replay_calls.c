/* From calls of a trace to commands: messages, collective calls, and which calls are what. */
#include "sim/replay/actor.h"

#include "base/memory.h"
#include "model/calls/meets_others.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- waiting ---- */

static bool waits_for_lock(const struct replay *replay, const struct fth_call *call)
{
    struct fth_lock_event lock;
    return fth_call_lock(replay->trace, call, &lock) && lock.waits;
}

static bool waits(const struct replay *replay, const struct fth_sim_semantics *semantics,
                  const struct fth_call *call)
{
    if (semantics->meets_others && fth_handle_meets_others(call->handle))
        return !replay->options.pipes_hold || !call->reads; /* else the order says how long */
    return semantics->waits || (semantics->locks && waits_for_lock(replay, call));
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
    if (actor->idles && waits(replay, semantics, call)) {
        fth_sim_actor_compute(replay, actor, call->start);
        fth_sim_actor_idle(replay, actor, call->end);
        return true;
    }
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
        fth_sim_actor_meet(replay, actor, call);
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
