/* Processes: how their commands become steps, and steps messages. */
#include "sim/world.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const void *protocol(const struct fth_sim_method *method)
{
    return method->protocol ? method->protocol : method;
}

static struct fth_sim_activity *new_activity(struct fth_sim_process *process,
                                             const struct fth_sim_command *command,
                                             struct fth_sim_activity *parent)
{
    struct fth_sim_world *world = process->world;
    struct fth_sim_activity *activity = world->free_activities;
    if (activity)
        world->free_activities = activity->parent;
    else
        activity = fth_sim_new(&world->engine, sizeof *activity);
    const struct fth_sim_method *method = world->methods[command->verb];
    *activity = (struct fth_sim_activity){.process = process,
                                          .parent = parent,
                                          .method = method,
                                          .root = parent ? parent->root : method,
                                          .command = *command};
    return activity;
}

static void take_step(struct fth_sim_engine *engine, struct fth_sim_job *job);
static void finish(struct fth_sim_activity *activity);

/* The instructions of a step come first. */
static void prepare_step(struct fth_sim_activity *activity)
{
    activity->job.done = take_step;
    fth_sim_compute(activity->process->processor, &activity->job,
                    activity->process->world->cluster->step_instructions);
}

static void go_on(struct fth_sim_activity *activity)
{
    if (activity->step == FTH_SIM_OVER)
        finish(activity);
    else
        prepare_step(activity);
}

static void take_step(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    (void)engine;
    struct fth_sim_activity *activity = (struct fth_sim_activity *)job;
    activity->ready = false;
    activity->step = activity->method->step(activity, activity->step);
    activity->ready = true;
    if (!activity->pending)
        go_on(activity);
}

void fth_sim_operation_over(struct fth_sim_activity *activity)
{
    if (--activity->pending == 0 && activity->ready)
        go_on(activity);
}

static void computed(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    (void)engine;
    finish((struct fth_sim_activity *)job);
}

static void begin(struct fth_sim_process *process, const struct fth_sim_command *command,
                  struct fth_sim_activity *parent)
{
    struct fth_sim_activity *activity = new_activity(process, command, parent);
    if (!parent)
        process->activity = activity;
    if (command->verb != FTH_SIM_COMPUTE) {
        prepare_step(activity);
        return;
    }
    activity->job.done = computed;
    if (command->nanoseconds)
        fth_sim_compute_time(process->processor, &activity->job, command->nanoseconds);
    else
        fth_sim_compute(process->processor, &activity->job, command->instructions);
}

void fth_sim_process_start(struct fth_sim_process *process)
{
    const struct fth_sim_program *program = process->world->program;
    struct fth_sim_command command = {0};
    if (program->next(program, process->rank, &process->cursor, &command)) {
        begin(process, &command, NULL);
        return;
    }
    process->activity = NULL;
    process->end = process->world->engine.now;
}

static void finish(struct fth_sim_activity *activity)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_activity *parent = activity->parent;
    activity->parent = process->world->free_activities;
    process->world->free_activities = activity;
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
    return activity->process->rank;
}
uint32_t fth_sim_ranks(const struct fth_sim_activity *activity)
{
    return activity->process->world->program->ranks;
}
uint64_t fth_sim_eager(const struct fth_sim_activity *activity)
{
    return activity->process->world->cluster->eager;
}
uint32_t fth_sim_source(const struct fth_sim_activity *activity)
{
    return activity->source;
}
uint32_t fth_sim_tag(const struct fth_sim_activity *activity)
{
    return activity->tag;
}
bool fth_sim_is_request(const struct fth_sim_activity *activity)
{
    return activity->is_request;
}
uint64_t *fth_sim_state(struct fth_sim_activity *activity)
{
    return activity->state;
}

void fth_sim_call(struct fth_sim_activity *activity, const struct fth_sim_command *command)
{
    activity->pending++;
    begin(activity->process, command, activity);
}

/* ---- messages ---- */

static bool matches(const struct fth_sim_post *post, const struct fth_sim_letter *letter)
{
    const struct fth_sim_activity *activity = post->activity;
    bool is_message = letter->channel == FTH_SIM_MESSAGE || letter->channel == FTH_SIM_REQUEST;
    return (post->channel == FTH_SIM_MESSAGE ? is_message : post->channel == letter->channel) &&
           (post->from == FTH_SIM_ANY || post->from == letter->from) &&
           (post->tag == FTH_SIM_ANY || post->tag == letter->tag) &&
           protocol(activity->method) == protocol(letter->method) &&
           protocol(activity->root) == protocol(letter->root);
}

/* The receive is over: what it waited for is there. */
static void hand_over(struct fth_sim_world *world, struct fth_sim_letter *letter)
{
    struct fth_sim_post *post = letter->post;
    struct fth_sim_activity *activity = post->activity;
    activity->source = letter->from;
    activity->tag = letter->tag;
    activity->is_request = letter->channel == FTH_SIM_REQUEST;
    post->next = world->free_posts;
    world->free_posts = post;
    letter->next = world->free_letters;
    world->free_letters = letter;
    fth_sim_operation_over(activity);
}

static void left(void *user, struct fth_sim_message *message)
{
    (void)user;
    fth_sim_operation_over(((struct fth_sim_letter *)message)->sender);
}

/* The order in which messages begin to arrive decides which receive gets which. */
static void announced(void *user, struct fth_sim_message *message)
{
    struct fth_sim_world *world = user;
    struct fth_sim_letter *letter = (struct fth_sim_letter *)message;
    struct fth_sim_process *process = &world->processes[letter->to];
    for (struct fth_sim_post **at = &process->posts; *at; at = &(*at)->next)
        if (matches(*at, letter)) {
            letter->post = *at;
            *at = letter->post->next;
            if (!*at)
                process->last_post = at;
            return;
        }
    letter->next = NULL;
    *process->last_letter = letter;
    process->last_letter = &letter->next;
}

static void arrived(void *user, struct fth_sim_message *message)
{
    struct fth_sim_letter *letter = (struct fth_sim_letter *)message;
    letter->is_complete = true;
    if (letter->post)
        hand_over(user, letter);
}

const struct fth_sim_network_user fth_sim_mail = {left, announced, arrived, NULL};

void fth_sim_send(struct fth_sim_activity *activity, uint32_t to, uint64_t bytes, uint32_t tag,
                  enum fth_sim_channel channel)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_world *world = process->world;
    struct fth_sim_letter *letter = world->free_letters;
    if (letter)
        world->free_letters = letter->next;
    else
        letter = fth_sim_new(&world->engine, sizeof *letter);
    *letter = (struct fth_sim_letter){.message.bytes = bytes,
                                      .sender = activity,
                                      .from = process->rank,
                                      .to = to,
                                      .tag = tag,
                                      .channel = channel,
                                      .method = activity->method,
                                      .root = activity->root};
    activity->pending++;
    world->messages++;
    world->message_bytes += bytes;
    if (to != process->rank) {
        fth_sim_network_send(world->network, process->nic, world->processes[to].nic,
                             &letter->message);
        return;
    }
    /* To oneself nothing has to go anywhere. */
    announced(world, &letter->message);
    activity->pending--;
    arrived(world, &letter->message);
}

void fth_sim_receive(struct fth_sim_activity *activity, uint32_t from, uint32_t tag,
                     enum fth_sim_channel channel)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_world *world = process->world;
    struct fth_sim_post *post = world->free_posts;
    if (post)
        world->free_posts = post->next;
    else
        post = fth_sim_new(&world->engine, sizeof *post);
    *post =
        (struct fth_sim_post){.activity = activity, .from = from, .tag = tag, .channel = channel};
    activity->pending++;
    for (struct fth_sim_letter **at = &process->letters; *at; at = &(*at)->next) {
        struct fth_sim_letter *letter = *at;
        if (!matches(post, letter))
            continue;
        *at = letter->next;
        if (!*at)
            process->last_letter = at;
        letter->post = post;
        if (letter->is_complete)
            hand_over(world, letter);
        return;
    }
    *process->last_post = post;
    process->last_post = &post->next;
}

/* ---- what is left over ---- */

void fth_sim_describe_wait(const struct fth_sim_process *process, char *text, size_t size)
{
    const struct fth_sim_activity *activity = process->activity;
    const struct fth_sim_command *command = &activity->command;
    int length = snprintf(text, size, "in %s", fth_sim_verb_names[command->verb]);
    if (length > 0 && (size_t)length < size && command->line)
        length += snprintf(text + length, size - (size_t)length, " (line %u)", command->line);
    for (const struct fth_sim_post *post = process->posts; post; post = post->next) {
        if (length < 0 || (size_t)length >= size)
            return;
        const char *what = post->channel == FTH_SIM_ANSWER ? "the consent of" : "a message from";
        if (post->from == FTH_SIM_ANY)
            length += snprintf(text + length, size - (size_t)length, ", for %s any rank", what);
        else
            length += snprintf(text + length, size - (size_t)length, ", for %s rank %u", what,
                               post->from);
    }
}
