/* Commands of a process of the program: computing in between, and what a call becomes; who is
 * meant by its arguments, and how many bytes. */
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

/* Moves `actor` on to `until`, or to the end of the trace. By how much, in ns; 0: it is there. */
static int64_t move_on(const struct replay *replay, struct actor *actor, int64_t until)
{
    int64_t end = fth_trace_info(replay->trace)->end,
            gap = (until < end ? until : end) - actor->last;
    if (gap <= 0)
        return 0;
    actor->last += gap;
    return gap;
}

void fth_sim_actor_compute(const struct replay *replay, struct actor *actor, int64_t until)
{
    int64_t gap = move_on(replay, actor, until);
    if (!gap)
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
}

void fth_sim_actor_idle(const struct replay *replay, struct actor *actor, int64_t until)
{
    int64_t gap = move_on(replay, actor, until);
    if (!gap)
        return;
    push(actor, &(struct fth_sim_command){.verb = FTH_SIM_IDLE, .nanoseconds = gap});
    note(replay, actor, FTH_SIM_IDLE, gap);
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

void fth_sim_actor_hold(struct actor *actor)
{
    push(actor, &(struct fth_sim_command){.verb = FTH_SIM_COMPUTE, .holds = true});
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

/* MPI_Init and MPI_Finalize: how long they took is the launcher's business. */
void fth_sim_actor_meet(const struct replay *replay, struct actor *actor,
                        const struct fth_call *call)
{
    if (replay->options.starts_count) {
        fth_sim_actor_compute(replay, actor, call->end);
        return;
    }
    const struct fth_sim_command barrier = {
        .verb = FTH_SIM_BARRIER, .line = (uint32_t)call->number, .is_left_out = true};
    fth_sim_actor_compute(replay, actor, call->start);
    if (!replay->options.without_messages)
        push(actor, &barrier);
    actor->meets = true;
    end_call(actor, call);
}
