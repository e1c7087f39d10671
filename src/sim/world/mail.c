/* Messages between processes: which receive gets which of them. */
#include "sim/world/world.h"

static const void *protocol(const struct fth_sim_method *method)
{
    return method->protocol ? method->protocol : method;
}

static bool matches(const struct fth_sim_post *post, const struct fth_sim_letter *letter)
{
    const struct fth_sim_activity *activity = post->activity;
    bool is_message = letter->channel == FTH_SIM_MESSAGE || letter->channel == FTH_SIM_REQUEST;
    return (post->channel == FTH_SIM_MESSAGE ? is_message : post->channel == letter->channel) &&
           (post->from == FTH_SIM_ANY || post->from == letter->from) &&
           (post->tag == FTH_SIM_ANY || post->tag == letter->tag) &&
           activity->command.communicator == letter->communicator &&
           activity->instance == letter->instance &&
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
    activity->received = letter->message.bytes;
    post->next = world->free_posts;
    world->free_posts = post;
    letter->next = world->free_letters;
    world->free_letters = letter;
    fth_sim_operation_over(activity);
}

static void left(void *user, struct fth_sim_message *message)
{
    struct fth_sim_letter *letter = (struct fth_sim_letter *)message;
    fth_sim_moved(&((struct fth_sim_world *)user)->processes[letter->from]);
    fth_sim_operation_over(letter->sender);
}

/* Who looked for it knows of it. */
static void notify_looker(struct fth_sim_world *world, struct fth_sim_post *post,
                          const struct fth_sim_letter *letter)
{
    struct fth_sim_activity *activity = post->activity;
    activity->source = letter->from;
    activity->tag = letter->tag;
    post->next = world->free_posts;
    world->free_posts = post;
    fth_sim_operation_over(activity);
}

/* The order in which messages begin to arrive decides which receive gets which. */
static void announced(void *user, struct fth_sim_message *message)
{
    struct fth_sim_world *world = user;
    struct fth_sim_letter *letter = (struct fth_sim_letter *)message;
    struct fth_sim_process *process = &world->processes[letter->to];
    for (struct fth_sim_post **at = &process->posts; *at;) {
        struct fth_sim_post *post = *at;
        world->engine.searched++;
        if (!matches(post, letter)) {
            at = &post->next;
            continue;
        }
        *at = post->next;
        if (!*at)
            process->last_post = at;
        if (!post->looks) {
            letter->post = post;
            return;
        }
        notify_looker(world, post, letter);
    }
    letter->next = NULL;
    *process->last_letter = letter;
    process->last_letter = &letter->next;
}

static void take(struct fth_sim_world *world, struct fth_sim_letter *letter)
{
    letter->is_complete = true;
    if (letter->post)
        hand_over(world, letter);
}

static void arrived(void *user, struct fth_sim_message *message)
{
    struct fth_sim_letter *letter = (struct fth_sim_letter *)message;
    fth_sim_moved(&((struct fth_sim_world *)user)->processes[letter->to]);
    take(user, letter);
}

const struct fth_sim_network_user fth_sim_mail = {
    .left = left, .announced = announced, .arrived = arrived};

static struct fth_sim_letter *new_letter(struct fth_sim_activity *activity, uint32_t to,
                                         uint64_t bytes, uint32_t tag, enum fth_sim_channel channel)
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
                                      .to = fth_sim_process_of(activity, to),
                                      .tag = tag,
                                      .communicator = activity->command.communicator,
                                      .instance = activity->instance,
                                      .line = activity->command.line,
                                      .channel = channel,
                                      .method = activity->method,
                                      .root = activity->root};
    return letter;
}

static void deliver(struct fth_sim_world *world, struct fth_sim_letter *letter)
{
    announced(world, &letter->message);
    take(world, letter);
}

void fth_sim_send(struct fth_sim_activity *activity, uint32_t to, uint64_t bytes, uint32_t tag,
                  enum fth_sim_channel channel)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_world *world = process->world;
    struct fth_sim_letter *letter = new_letter(activity, to, bytes, tag, channel);
    world->messages++;
    world->message_bytes += bytes;
    activity->pending++;
    fth_sim_moves(process);
    fth_sim_moves(&world->processes[letter->to]);
    fth_sim_network_send(world->network, process->nic, world->processes[letter->to].nic,
                         &letter->message);
}

void fth_sim_send_at_once(struct fth_sim_activity *activity, uint32_t to, uint64_t bytes,
                          uint32_t tag, enum fth_sim_channel channel)
{
    deliver(activity->process->world, new_letter(activity, to, bytes, tag, channel));
}

static struct fth_sim_post *new_post(struct fth_sim_activity *activity, uint32_t from, uint32_t tag,
                                     enum fth_sim_channel channel)
{
    struct fth_sim_world *world = activity->process->world;
    struct fth_sim_post *post = world->free_posts;
    if (post)
        world->free_posts = post->next;
    else
        post = fth_sim_new(&world->engine, sizeof *post);
    if (from != FTH_SIM_ANY)
        from = fth_sim_process_of(activity, from);
    *post =
        (struct fth_sim_post){.activity = activity, .from = from, .tag = tag, .channel = channel};
    activity->pending++;
    return post;
}

static void wait_in_line(struct fth_sim_process *process, struct fth_sim_post *post)
{
    *process->last_post = post;
    process->last_post = &post->next;
}

void fth_sim_look_for(struct fth_sim_activity *activity, uint32_t from, uint32_t tag)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_post *post = new_post(activity, from, tag, FTH_SIM_MESSAGE);
    post->looks = true;
    for (const struct fth_sim_letter *letter = process->letters; letter; letter = letter->next) {
        process->world->engine.searched++;
        if (matches(post, letter)) {
            notify_looker(process->world, post, letter);
            return;
        }
    }
    wait_in_line(process, post);
}

void fth_sim_receive(struct fth_sim_activity *activity, uint32_t from, uint32_t tag,
                     enum fth_sim_channel channel)
{
    struct fth_sim_process *process = activity->process;
    struct fth_sim_world *world = process->world;
    struct fth_sim_post *post = new_post(activity, from, tag, channel);
    for (struct fth_sim_letter **at = &process->letters; *at; at = &(*at)->next) {
        struct fth_sim_letter *letter = *at;
        world->engine.searched++;
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
    wait_in_line(process, post);
}
