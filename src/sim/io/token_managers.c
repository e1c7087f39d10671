/* Lock managers: what is asked, who is asked, and how long it takes. See the header. */
#include "sim/io/token_managers.h"

#include "base/memory.h"
#include "sim/io/server.h"
#include "sim/world/world.h"

/* What a process asks the manager of a node, its own or another one. */
struct fth_sim_talk {
    struct fth_sim_message question, answer;
    struct fth_sim_target worked;
    struct fth_sim_talk *next; /* of those that are free */
    struct fth_sim_activity *activity;
    uint32_t node;
};

#define TALK_OF(part, member)                                                                      \
    ((struct fth_sim_talk *)(void *)((char *)(part)-offsetof(struct fth_sim_talk, member)))

static struct fth_sim_token_managers *managers_of(const struct fth_sim_activity *activity)
{
    return &fth_sim_storage_of(activity)->tokens;
}

static void prepare(const struct fth_sim_world *world)
{
    struct fth_sim_token_managers *managers = &world->storage->tokens;
    managers->file_count = world->storage->file_count;
    managers->files = fth_new(managers->file_count, sizeof *managers->files);
    managers->nodes = fth_new(world->node_count, sizeof *managers->nodes);
    for (uint32_t rank = world->program->ranks; rank-- > 0;)
        managers->nodes[fth_sim_world_node(world, rank)].nic = world->processes[rank].nic;
}

void fth_sim_token_managers_free(struct fth_sim_token_managers *managers)
{
    for (uint32_t i = 0; managers->files && i < managers->file_count; i++)
        fth_lock_tokens_free(&managers->files[i]);
    free(managers->files);
    free(managers->nodes);
}

/* ---- talking to the manager of a node ---- */

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

static void over(struct fth_sim_talk *talk)
{
    struct fth_sim_activity *activity = talk->activity;
    talk->next = managers_of(activity)->free_talks;
    managers_of(activity)->free_talks = talk;
    fth_sim_operation_over(activity);
}

static void answered(void *user, struct fth_sim_message *message)
{
    (void)user;
    over(TALK_OF(message, answer));
}

static void send(struct fth_sim_storage *storage, uint32_t from, uint32_t to,
                 struct fth_sim_message *message)
{
    storage->messages++;
    storage->message_bytes += message->bytes;
    fth_sim_network_send(storage->network, from, to, message);
}

static void worked(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = answered};
    (void)engine;
    struct fth_sim_talk *talk = TALK_OF(target, worked);
    const struct fth_sim_process *process = talk->activity->process;
    if (fth_sim_world_node(process->world, process->rank) == talk->node) {
        over(talk);
        return;
    }
    talk->answer = (struct fth_sim_message){.bytes = FTH_SIM_ACKNOWLEDGEMENT_BYTES, .user = &users};
    send(process->world->storage, managers_of(talk->activity)->nodes[talk->node].nic, process->nic,
         &talk->answer);
}

/* A manager does one thing after the other. */
static void work(struct fth_sim_talk *talk)
{
    struct fth_sim_storage *storage = fth_sim_storage_of(talk->activity);
    struct fth_sim_token_manager *manager = &storage->tokens.nodes[talk->node];
    int64_t now = storage->engine->now;
    if (manager->free_at < now)
        manager->free_at = now;
    manager->free_at += storage->cluster->servers.node_tell;
    fth_sim_after(storage->engine, manager->free_at - now, &talk->worked);
}

static void asked(void *user, struct fth_sim_message *message)
{
    (void)user;
    work(TALK_OF(message, question));
}

static struct fth_sim_talk *new_talk(struct fth_sim_activity *activity, uint32_t node)
{
    struct fth_sim_token_managers *managers = managers_of(activity);
    struct fth_sim_talk *talk = managers->free_talks;
    if (talk)
        managers->free_talks = talk->next;
    else
        talk = fth_sim_new(fth_sim_storage_of(activity)->engine, sizeof *talk);
    *talk = (struct fth_sim_talk){.worked = {worked}, .activity = activity, .node = node};
    activity->pending++;
    return talk;
}

static void ask_own_manager(struct fth_sim_activity *activity, uint32_t node)
{
    work(new_talk(activity, node));
}

static void ask_other_manager(struct fth_sim_activity *activity, uint32_t node)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = asked};
    struct fth_sim_talk *talk = new_talk(activity, node);
    talk->question = (struct fth_sim_message){.bytes = FTH_SIM_REQUEST_BYTES + FTH_SIM_PIECE_BYTES,
                                              .user = &users};
    send(fth_sim_storage_of(activity), activity->process->nic,
         managers_of(activity)->nodes[node].nic, &talk->question);
}

/* ---- one token for each range of a command ---- */

struct wanted {
    struct fth_lock_tokens *tokens; /* of the file */
    uint64_t begin, end;
    uint32_t node;
    enum fth_token_type type;
};

static struct wanted wanted_for(const struct fth_sim_activity *activity, uint64_t range)
{
    const struct fth_sim_command *command = &activity->command;
    const struct fth_sim_process *process = activity->process;
    uint64_t block = process->world->cluster->servers.token_block;
    struct fth_sim_extent extent = fth_sim_range(&command->ranges, range);
    return (struct wanted){
        .tokens = &managers_of(activity)->files[command->file],
        .begin = extent.offset / block * block,
        .end = (extent.offset + extent.bytes + block - 1) / block * block,
        .node = fth_sim_world_node(process->world, process->rank),
        .type = fth_sim_reads(command->verb) ? FTH_TOKEN_READ : FTH_TOKEN_WRITE,
    };
}

static bool is_anybody_in_the_way(const struct wanted *wanted)
{
    uint32_t at = 0, owner;
    return fth_lock_tokens_in_the_way(wanted->tokens, wanted->node, wanted->begin, wanted->end,
                                      wanted->type, &at, &owner);
}

static void ask_owners(struct fth_sim_activity *activity, const struct wanted *wanted)
{
    uint32_t at = 0, owner;
    while (fth_lock_tokens_in_the_way(wanted->tokens, wanted->node, wanted->begin, wanted->end,
                                      wanted->type, &at, &owner))
        ask_other_manager(activity, owner);
}

static enum fth_token_answer take_token(struct fth_sim_activity *activity,
                                        const struct wanted *wanted)
{
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    return fth_lock_tokens_request(wanted->tokens, wanted->node, wanted->begin, wanted->end,
                                   wanted->type, servers->grant, servers->give, NULL);
}

/* Asks for the token of the next range: who has to be asked about it next, or the command itself
 * when there is no further range. */
static int under_tokens(struct fth_sim_activity *activity, int step)
{
    enum { ASK, ASK_OWNERS, ASK_AGAIN };
    const struct fth_sim_command *command = &activity->command;
    uint64_t *range = fth_sim_state(activity);
    if (!managers_of(activity)->files)
        prepare(activity->process->world);
    struct fth_sim_token_managers *managers = managers_of(activity);
    if (*range == command->ranges.count) {
        fth_sim_call(activity, command);
        return FTH_SIM_OVER;
    }
    struct wanted wanted = wanted_for(activity, *range);
    switch (step) {
    case ASK:
        if (wanted.begin < wanted.end && is_anybody_in_the_way(&wanted)) {
            fth_sim_exchange_ranges(activity, 1);
            return ASK_OWNERS;
        }
        ++*range;
        if (take_token(activity, &wanted) == FTH_TOKEN_LOCAL) {
            managers->local++;
            ask_own_manager(activity, wanted.node);
        } else {
            managers->granted++;
            fth_sim_exchange_ranges(activity, 1);
        }
        return ASK;
    case ASK_OWNERS:
        ask_owners(activity, &wanted);
        return ASK_AGAIN;
    default:
        ++*range;
        managers->conflicts++;
        take_token(activity, &wanted);
        fth_sim_exchange_ranges(activity, 1);
        return ASK;
    }
}

const struct fth_sim_method fth_sim_under_tokens = {0, "under tokens", under_tokens, NULL};
