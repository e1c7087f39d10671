/* Processes: how their commands become steps. Their messages: mail.c. */
#include "sim/world/world.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

/* Which of the collective commands of the communicator this is, counted in the order in which
 * processes come to them. */
static uint32_t next_instance(struct fth_sim_process *process,
                              const struct fth_sim_command *command)
{
    struct fth_sim_world *world = process->world;
    if (!fth_sim_is_collective(command->verb))
        return 0;
    uint32_t **instances = &world->instances[command->communicator];
    if (!*instances)
        *instances = fth_new(world->program->ranks, sizeof **instances);
    uint32_t instance = ++(*instances)[process->rank];
    fth_sim_sizes_note(process, command, instance);
    return instance;
}

static struct fth_sim_activity *new_activity(struct fth_sim_process *process,
                                             const struct fth_sim_command *command,
                                             const struct fth_sim_method *method,
                                             struct fth_sim_activity *parent)
{
    struct fth_sim_world *world = process->world;
    struct fth_sim_activity *activity = world->free_activities;
    if (activity)
        world->free_activities = activity->parent;
    else
        activity = fth_sim_new(&world->engine, sizeof *activity);
    *activity = (struct fth_sim_activity){.process = process,
                                          .parent = parent,
                                          .method = method,
                                          .root = parent ? parent->root : method,
                                          .command = *command,
                                          .since = world->engine.now,
                                          .instance = parent ? parent->instance
                                                             : next_instance(process, command)};
    return activity;
}

/* ---- its processor ---- */

/* Before each job. */
static void note_job(struct fth_sim_activity *activity)
{
    struct fth_sim_process *process = activity->process;
    process->jobs++;
    if (process->polls)
        fth_sim_processor_polled(process->processor);
    process->polls = false;
}

static void end_job(struct fth_sim_activity *activity)
{
    activity->process->jobs--;
}

/* Who has nothing else to do looks for messages, if the cluster says so. */
static void note_wait(struct fth_sim_process *process)
{
    bool polls = process->world->cluster->polls && !process->jobs && process->posts;
    if (!polls || process->polls)
        return;
    process->polls = true;
    fth_sim_processor_polls(process->processor);
}

static void take_step(struct fth_sim_engine *engine, struct fth_sim_job *job);
static void finish(struct fth_sim_activity *activity);

/* What reducing takes: an instruction for each byte (as with Kunkel 2013), unless the cluster says
 * how fast it is. */
static uint64_t instructions_of_reduction(const struct fth_sim_activity *activity)
{
    enum { MOST = 62 };
    uint64_t rate = activity->process->world->cluster->reduction, most = UINT64_C(1) << MOST;
    unsigned __int128 instructions = activity->reduced;
    if (rate)
        instructions = instructions * activity->process->processor->speed / rate;
    return instructions < most ? (uint64_t)instructions : most;
}

/* The instructions of a step come first. */
static void prepare_step(struct fth_sim_activity *activity)
{
    uint64_t instructions = activity->process->world->cluster->step_instructions;
    if (activity->reduced) {
        instructions += instructions_of_reduction(activity);
        activity->reducing_since = activity->process->world->engine.now;
    }
    activity->reduced = 0;
    activity->job.done = take_step;
    note_job(activity);
    fth_sim_compute(activity->process->processor, &activity->job, instructions);
}

/* What was received is reduced. */
static void note_reduced(struct fth_sim_activity *activity)
{
    struct fth_sim_process *process = activity->process;
    if (activity->reducing_since)
        process->reduced += process->world->engine.now - activity->reducing_since;
    activity->reducing_since = 0;
}

static void computed(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    (void)engine;
    end_job((struct fth_sim_activity *)job);
    note_reduced((struct fth_sim_activity *)job);
    finish((struct fth_sim_activity *)job);
}

static void go_on(struct fth_sim_activity *activity)
{
    if (activity->step != FTH_SIM_OVER) {
        prepare_step(activity);
    } else if (activity->reduced) {
        activity->job.done = computed;
        activity->reducing_since = activity->process->world->engine.now;
        note_job(activity);
        fth_sim_compute(activity->process->processor, &activity->job,
                        instructions_of_reduction(activity));
    } else {
        finish(activity);
    }
}

static void take_step(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    (void)engine;
    struct fth_sim_activity *activity = (struct fth_sim_activity *)job;
    struct fth_sim_process *process = activity->process;
    activity->ready = false;
    end_job(activity);
    note_reduced(activity);
    activity->step = activity->method->step(activity, activity->step);
    activity->ready = true;
    if (!activity->pending)
        go_on(activity);
    note_wait(process);
}

void fth_sim_operation_over(struct fth_sim_activity *activity)
{
    if (--activity->pending == 0 && activity->ready)
        go_on(activity);
}

static void idled(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    finish(
        (struct fth_sim_activity *)((char *)target - offsetof(struct fth_sim_activity, idle_ends)));
}

static void begin(struct fth_sim_activity *activity)
{
    struct fth_sim_process *process = activity->process;
    const struct fth_sim_command *command = &activity->command;
    if (command->verb == FTH_SIM_IDLE) {
        activity->idle_ends = (struct fth_sim_target){.happen = idled, .order = process->rank};
        fth_sim_after(&process->world->engine, command->nanoseconds, &activity->idle_ends);
        return;
    }
    if (command->verb != FTH_SIM_COMPUTE) {
        prepare_step(activity);
        return;
    }
    activity->job.done = computed;
    note_job(activity);
    if (command->nanoseconds)
        fth_sim_compute_time(process->processor, &activity->job, command->nanoseconds);
    else
        fth_sim_compute(process->processor, &activity->job, command->instructions);
}

/* Notifies who watches that it is over. */
static void notify(const struct fth_sim_activity *activity,
                   void (*watcher)(void *, uint32_t, const struct fth_sim_watched *))
{
    const struct fth_sim_world *world = activity->process->world;
    uint64_t header = FTH_SIM_MESSAGE_HEADER;
    struct fth_sim_watched watched = {
        .command = &activity->command,
        .since = activity->since,
        .now = world->engine.now,
        .number = activity->number,
        .source = fth_sim_rank_of(activity, activity->source),
        .tag = activity->tag,
        .received = activity->received > header ? activity->received - header : 0};
    watcher(world->watch.context, activity->process->rank, &watched);
}

static bool is_watched(const struct fth_sim_activity *activity)
{
    return activity->process->world->watch.context != NULL;
}

void fth_sim_begin_request(struct fth_sim_process *process, const struct fth_sim_command *command,
                           uint32_t number)
{
    const struct fth_sim_method *method = process->world->around(process->world, command->verb);
    struct fth_sim_activity *activity = new_activity(process, command, method, NULL);
    const struct fth_sim_ranges *ranges = &command->ranges;
    if (ranges->list) {
        activity->list = fth_new(ranges->count, sizeof *activity->list);
        memcpy(activity->list, ranges->list, ranges->count * sizeof *activity->list);
        activity->command.ranges.list = activity->list;
    }
    activity->is_begun = true;
    process->begun_io += fth_sim_is_io(command->verb);
    activity->number = number;
    activity->begun = process->last_begun;
    *process->last_begun = activity;
    process->last_begun = &activity->next_begun;
    begin(activity);
}

void fth_sim_forget_request(struct fth_sim_activity *activity)
{
    if (is_watched(activity))
        notify(activity, activity->process->world->watch.completed);
    *activity->begun = activity->next_begun;
    if (activity->next_begun)
        activity->next_begun->begun = activity->begun;
    else
        activity->process->last_begun = activity->begun;
    fth_sim_free_activity(activity);
}

/* A request takes a step to make. */
static int start_request(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_watch *watch = &activity->process->world->watch;
    (void)step;
    if (is_watched(activity))
        activity->number = watch->requested(watch->context, activity->process->rank);
    fth_sim_begin_request(activity->process, &activity->command, activity->number);
    return FTH_SIM_OVER;
}
static const struct fth_sim_method starting = {0, "start", start_request, NULL};

enum what_next { ENDS, STAYS, GOES_ON };

static enum what_next next_command(struct fth_sim_process *process, struct fth_sim_command *command)
{
    const struct fth_sim_world *world = process->world;
    while (world->program->next(world->program, process->rank, &process->cursor, command)) {
        if (!command->holds)
            return GOES_ON;
        if (world->holds && world->holds(process))
            return STAYS;
    }
    return ENDS;
}

void fth_sim_process_start(struct fth_sim_process *process)
{
    struct fth_sim_command command = {0};
    enum what_next what = next_command(process, &command);
    if (what == GOES_ON) {
        bool is_request = command.request && !fth_sim_is_wait(command.verb);
        const struct fth_sim_method *method =
            is_request ? &starting : process->world->around(process->world, command.verb);
        process->activity = new_activity(process, &command, method, NULL);
        fth_sim_split_begin(process);
        begin(process->activity);
        return;
    }
    process->activity = NULL;
    if (what == STAYS)
        return;
    process->end = process->world->engine.now;
    if (process->world->ended)
        process->world->ended(process);
}

void fth_sim_free_activity(struct fth_sim_activity *activity)
{
    struct fth_sim_world *world = activity->process->world;
    free(activity->list);
    activity->parent = world->free_activities;
    world->free_activities = activity;
}

void fth_sim_forget_lists(struct fth_sim_process *process)
{
    for (struct fth_sim_activity *at = process->begun; at; at = at->next_begun)
        free(at->list);
}

static void note(const struct fth_sim_activity *activity)
{
    struct fth_sim_world *world = activity->process->world;
    struct fth_sim_spent *spent = &world->spent[activity->command.verb];
    fth_sim_split_end(activity->process, activity->command.verb,
                      world->engine.now - activity->since);
    if (activity->command.is_left_out)
        return;
    spent->count++;
    spent->time += world->engine.now - activity->since;
}

static void finish_request(struct fth_sim_activity *activity)
{
    struct fth_sim_activity *waiter = activity->waiter;
    activity->is_done = true;
    activity->process->begun_io -= fth_sim_is_io(activity->command.verb);
    if (!waiter)
        return;
    if (waiter->command.verb == FTH_SIM_WAITANY)
        for (struct fth_sim_activity *other = activity->process->begun; other;
             other = other->next_begun) {
            activity->process->world->engine.searched++;
            if (other->waiter == waiter)
                other->waiter = NULL;
        }
    fth_sim_forget_request(activity);
    fth_sim_operation_over(waiter);
}

static void finish(struct fth_sim_activity *activity)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_activity *parent = activity->parent;
    if (activity->is_begun) {
        finish_request(activity);
        return;
    }
    if (parent && activity->command.verb == FTH_SIM_RECV) {
        parent->source = activity->source;
        parent->tag = activity->tag;
        parent->received = activity->received;
    }
    if (!parent)
        note(activity);
    if (!parent && is_watched(activity))
        notify(activity, process->world->watch.over);
    fth_sim_free_activity(activity);
    if (parent)
        fth_sim_operation_over(parent);
    else
        fth_sim_process_start(process);
}

/* ---- what methods ask ---- */

const struct fth_sim_command *fth_sim_command(const struct fth_sim_activity *activity)
{
    return &activity->command;
}
uint32_t fth_sim_rank(const struct fth_sim_activity *activity)
{
    return fth_sim_rank_of(activity, activity->process->rank);
}
uint32_t fth_sim_ranks(const struct fth_sim_activity *activity)
{
    const struct fth_sim_communicator *group = fth_sim_group(activity);
    return group ? group->size[activity->process->rank] : activity->process->world->program->ranks;
}
uint64_t fth_sim_eager(const struct fth_sim_activity *activity)
{
    return activity->process->world->cluster->eager;
}
uint32_t fth_sim_source(const struct fth_sim_activity *activity)
{
    return fth_sim_rank_of(activity, activity->source);
}
uint32_t fth_sim_tag(const struct fth_sim_activity *activity)
{
    return activity->tag;
}
bool fth_sim_is_request(const struct fth_sim_activity *activity)
{
    return activity->is_request;
}
void fth_sim_reduce(struct fth_sim_activity *activity, uint64_t bytes)
{
    if (__builtin_add_overflow(activity->reduced, bytes, &activity->reduced))
        activity->reduced = UINT64_MAX;
}

uint64_t *fth_sim_state(struct fth_sim_activity *activity)
{
    return activity->state;
}

void fth_sim_call_by(struct fth_sim_activity *activity, const struct fth_sim_command *command,
                     const struct fth_sim_method *method)
{
    activity->pending++;
    begin(new_activity(activity->process, command, method, activity));
}

void fth_sim_call(struct fth_sim_activity *activity, const struct fth_sim_command *command)
{
    fth_sim_call_by(activity, command, activity->process->world->methods[command->verb]);
}

uint32_t fth_sim_world_node(const struct fth_sim_world *world, uint32_t rank)
{
    return (uint32_t)(world->processes[rank].processor - world->processors);
}
