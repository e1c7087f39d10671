/* A request to servers who know who has what: the process computes what it takes to ask, its server
 * works on it, asks others, which work on their parts and answer. See the header. */
#include "sim/io/index_asks.h"

#include "sim/io/server.h"
#include "sim/io/storage.h"
#include "sim/world/world.h"

struct fth_sim_ask {
    struct fth_sim_job job;
    struct fth_sim_message question, answer;
    struct fth_sim_activity *activity;
    struct fth_sim_index_server *server;           /* who works on it */
    struct fth_sim_ask *whole;                     /* that it is part of; NULL: the process asks */
    struct fth_sim_ask *parts[FTH_SIM_ASK_ROUNDS]; /* for other servers */
    uint32_t round;                                /* of them, that comes next */
    struct fth_sim_ask *next_part, *next;          /* next: of those that wait; that are free */
    uint64_t ranges, bytes;
    uint32_t left; /* parts that were not answered yet */
};

#define ASK_OF(part, member)                                                                       \
    ((struct fth_sim_ask *)(void *)((char *)(part)-offsetof(struct fth_sim_ask, member)))

static struct fth_sim_storage *storage_of(const struct fth_sim_ask *ask)
{
    return ask->activity->process->world->storage;
}

static const struct fth_sim_instance *instance_of(const struct fth_sim_ask *ask)
{
    return &storage_of(ask)->cluster->instance;
}

static struct fth_sim_ask *new_ask(struct fth_sim_activity *activity, uint64_t server)
{
    struct fth_sim_storage *storage = activity->process->world->storage;
    struct fth_sim_index *index = &storage->index;
    struct fth_sim_ask *ask = index->free_asks;
    if (ask)
        index->free_asks = ask->next;
    else
        ask = fth_sim_new(storage->engine, sizeof *ask);
    *ask = (struct fth_sim_ask){.activity = activity, .server = &index->servers[server]};
    return ask;
}

static void free_ask(struct fth_sim_ask *ask)
{
    struct fth_sim_index *index = &storage_of(ask)->index;
    ask->next = index->free_asks;
    index->free_asks = ask;
}

/* ---- between servers ---- */

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

/* On one node there is no network between them. */
static void send(const struct fth_sim_ask *part, struct fth_sim_message *message, bool is_answer)
{
    const struct fth_sim_index_server *one = part->whole->server, *other = part->server;
    struct fth_sim_storage *storage = storage_of(part);
    storage->messages++;
    storage->message_bytes += message->bytes;
    if (one->node == other->node)
        message->user->arrived(message->user->user, message);
    else
        fth_sim_network_send(storage->network, is_answer ? other->nic : one->nic,
                             is_answer ? one->nic : other->nic, message);
}

static void enqueue(struct fth_sim_ask *ask);

static void question_arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    enqueue(ASK_OF(message, question));
}

static void ask_parts(struct fth_sim_ask *ask)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = question_arrived};
    struct fth_sim_ask *part = ask->parts[ask->round++], *next;
    for (next = part; next; next = next->next_part)
        ask->left++;
    for (; part; part = next) {
        next = part->next_part;
        part->question = (struct fth_sim_message){
            .bytes = FTH_SIM_REQUEST_BYTES + FTH_SIM_PIECE_BYTES * part->ranges, .user = &users};
        storage_of(ask)->index.passed++;
        send(part, &part->question, false);
    }
}

static void go_on(struct fth_sim_ask *ask)
{
    while (ask->round < FTH_SIM_ASK_ROUNDS && !ask->left)
        ask_parts(ask);
    if (ask->left)
        return;
    struct fth_sim_activity *activity = ask->activity;
    free_ask(ask);
    fth_sim_operation_over(activity);
}

static void answer_arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    struct fth_sim_ask *part = ASK_OF(message, answer), *whole = part->whole;
    free_ask(part);
    if (!--whole->left)
        go_on(whole);
}

static void answer(struct fth_sim_ask *part)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = answer_arrived};
    part->answer = (struct fth_sim_message){
        .bytes = FTH_SIM_ACKNOWLEDGEMENT_BYTES + FTH_SIM_PIECE_BYTES * part->ranges + part->bytes,
        .user = &users};
    send(part, &part->answer, true);
}

/* ---- a server at work ---- */

static int64_t time_of(const struct fth_sim_ask *ask)
{
    const struct fth_sim_instance *instance = instance_of(ask);
    int64_t time = instance->request + (int64_t)ask->ranges * instance->range;
    if (ask->whole)
        return time + instance->pass_on;
    for (uint32_t i = 0; i < FTH_SIM_ASK_ROUNDS; i++)
        for (const struct fth_sim_ask *part = ask->parts[i]; part; part = part->next_part)
            time += instance->pass_on;
    return time;
}

static void work(struct fth_sim_index_server *server);

static void worked(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    (void)engine;
    struct fth_sim_ask *ask = ASK_OF(job, job);
    struct fth_sim_index_server *server = ask->server;
    server->first = ask->next;
    if (server->first)
        work(server);
    if (ask->whole)
        answer(ask);
    else
        go_on(ask);
}

static void work(struct fth_sim_index_server *server)
{
    server->first->job = (struct fth_sim_job){.done = worked};
    fth_sim_compute_time(server->processor, &server->first->job, time_of(server->first));
}

static void enqueue(struct fth_sim_ask *ask)
{
    struct fth_sim_index_server *server = ask->server;
    ask->next = NULL;
    if (server->first) {
        server->last->next = ask;
        server->last = ask;
        return;
    }
    server->first = server->last = ask;
    work(server);
}

/* ---- a process asks ---- */

static void prepared(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    (void)engine;
    enqueue(ASK_OF(job, job));
}

static struct fth_sim_ask *parts_for(struct fth_sim_ask *ask, const struct fth_sim_shares *shares,
                                     uint64_t bytes)
{
    struct fth_sim_ask *parts = NULL;
    uint64_t own = (uint64_t)(ask->server - storage_of(ask)->index.servers);
    for (uint32_t i = shares->count; i-- > 0;) {
        if (shares->list[i].of == own) {
            ask->ranges += shares->list[i].ranges;
            continue;
        }
        struct fth_sim_ask *part = new_ask(ask->activity, shares->list[i].of);
        part->whole = ask;
        part->ranges = shares->list[i].ranges;
        part->bytes = bytes;
        part->next_part = parts;
        parts = part;
    }
    return parts;
}

void fth_sim_index_ask(struct fth_sim_activity *activity, const struct fth_sim_rounds *rounds)
{
    struct fth_sim_ask *ask = new_ask(activity, activity->process->server);
    storage_of(ask)->index.asked++;
    for (uint32_t i = 0; i < FTH_SIM_ASK_ROUNDS; i++)
        ask->parts[i] = parts_for(ask, &rounds->of[i], rounds->bytes);
    ask->job = (struct fth_sim_job){.done = prepared};
    activity->pending++;
    fth_sim_compute_time(activity->process->processor, &ask->job, instance_of(ask)->ask);
}
