/* Limits of a simulation: see the header. An estimate looks at each statement once, however often
 * it is gone through. */
#include "sim/plan/nodes.h"
#include "sim/run/limits.h"

#include "base/phrase.h"
#include "base/progress.h"
#include "sim/program/statements.h"
#include "sim/world/world.h"

#include <stdio.h>

/* ---- what a program is expected to cost ---- */

/* What estimates know of the cluster. */
struct prices {
    const struct fth_sim_cluster *cluster;
    double per_packet; /* events on a way between two nodes, or within the only one */
};

static double rounds_of(double count)
{
    double rounds = 0;
    for (double reached = 1; reached < count; reached *= 2)
        rounds++;
    return rounds;
}

static struct prices find_prices(const struct fth_sim_cluster *cluster, uint32_t ranks)
{
    enum { EVENTS = 2, NICS = 4, SOCKETS = 4, NODES = 4 };
    bool is_one_node = fth_sim_nodes_used(cluster, ranks) == 1 && !cluster->servers.count;
    double parts = 1 + NICS - 2;
    if (cluster->is_analytical)
        return (struct prices){cluster, EVENTS * 2};
    if (cluster->socket.name && (!is_one_node || cluster->sockets > 1))
        parts += SOCKETS;
    if (!is_one_node)
        parts += NODES;
    return (struct prices){cluster, EVENTS * parts};
}

/* Events for so many bytes, in one message. */
static double message(const struct prices *prices, double bytes)
{
    double packets = bytes / (double)prices->cluster->packet;
    return (packets > 1 ? packets : 1) * prices->per_packet;
}

/* What a member of a group of `count` sends. */
static double events_of(const struct prices *prices, const struct fth_sim_command *command,
                        double count)
{
    enum { STEPS = 4 };
    double rounds = rounds_of(count), bytes = (double)command->bytes, others = count - 1;
    double servers = prices->cluster->servers.count, accessed;
    switch (command->verb) {
    case FTH_SIM_SEND:
    case FTH_SIM_SENDRECV:
    case FTH_SIM_PUT:
    case FTH_SIM_GET:
    case FTH_SIM_BCAST:
    case FTH_SIM_REDUCE:
        return STEPS + message(prices, bytes);
    case FTH_SIM_ALLREDUCE:
        return STEPS + 2 * message(prices, bytes);
    case FTH_SIM_SCAN:
    case FTH_SIM_EXSCAN:
        return STEPS + rounds * message(prices, bytes);
    case FTH_SIM_BARRIER:
        return STEPS + rounds * message(prices, 0);
    case FTH_SIM_GATHER:
    case FTH_SIM_SCATTER:
        return STEPS + (rounds > 2 ? rounds / 2 : 1) * message(prices, bytes);
    case FTH_SIM_ALLGATHER:
    case FTH_SIM_ALLTOALL:
    case FTH_SIM_REDUCE_SCATTER:
        return STEPS + rounds * prices->per_packet + message(prices, bytes * others);
    case FTH_SIM_FILE_READ:
    case FTH_SIM_FILE_WRITE:
    case FTH_SIM_FILE_READ_ALL:
    case FTH_SIM_FILE_WRITE_ALL:
        accessed = (double)command->ranges.bytes * (double)command->ranges.count;
        return STEPS + 2 * servers * prices->per_packet + message(prices, accessed);
    default:
        return STEPS;
    }
}

/* Processes that a statement is for, and how many are in a group of it. */
static double processes_of(const struct text_program *text, const struct statement *statement,
                           double *group)
{
    uint32_t communicator = statement->command.communicator;
    uint32_t last =
        statement->last < text->program.ranks ? statement->last : text->program.ranks - 1;
    *group = text->program.ranks;
    if (communicator)
        *group = text->communicators[communicator - 1].size[statement->first];
    return statement->first > last ? 0 : (last - statement->first) / statement->step + 1;
}

static double events_of_partdiff(const struct prices *prices, const struct text_program *text)
{
    const struct fth_sim_partdiff *rule = &text->partdiff;
    double rows = (double)rule->rows, row = rows * sizeof(double), turns = (double)rule->iterations;
    double events = turns * 2 * text->program.ranks * (prices->per_packet + message(prices, row));
    if (rule->checkpoint)
        events += turns / (double)rule->checkpoint * message(prices, rows * row);
    if (rule->visualise)
        events += turns / (double)rule->visualise * message(prices, row);
    return events;
}

struct fth_sim_estimate fth_sim_estimate(const struct fth_sim_program *program,
                                         const struct fth_sim_cluster *cluster)
{
    const struct text_program *text = (const struct text_program *)program;
    struct prices prices = find_prices(cluster, program->ranks);
    struct fth_sim_estimate estimate = {0};
    double turns[FTH_SIM_LOOPS + 1] = {1};
    for (uint32_t i = 0, depth = 0; i < text->count; i++) {
        const struct statement *statement = &text->statements[i];
        double group, events = 0;
        if (statement->kind == REPEAT) {
            turns[depth + 1] = turns[depth] * (double)statement->turns;
            depth++;
        } else if (statement->kind == END) {
            depth--;
        } else if (statement->kind == PARTDIFF) {
            events = events_of_partdiff(&prices, text);
        } else {
            double count = processes_of(text, statement, &group);
            events = turns[depth] * count * events_of(&prices, &statement->command, group);
        }
        estimate.events += events;
        if (events <= estimate.most)
            continue;
        estimate.most = events;
        estimate.verb = statement->command.verb;
        estimate.line = statement->command.line;
    }
    return estimate;
}

static struct fth_phrase count_of(double events)
{
    const double most = 1e18;
    return fth_phrase_several((uint64_t)(events < most ? events : most), "event", "events");
}

int fth_sim_limits_check(const struct fth_sim_limits *limits,
                         const struct fth_sim_estimate *estimate, struct fth_error **error)
{
    if (!limits->most_events || estimate->events <= (double)limits->most_events)
        return 0;
    return fth_fail(error,
                    "it takes about %s, %.0f %% of them for line %u; the limit is %s "
                    "(--max-events N sets it, 0: none)",
                    count_of(estimate->events).text, 100 * estimate->most / estimate->events,
                    estimate->line, count_of((double)limits->most_events).text);
}

/* ---- while it runs ---- */

struct watching {
    const struct fth_sim_limits *limits;
    struct fth_progress progress;
    uint64_t seen;
    enum { GOES_ON, INTERRUPTED, TOO_MANY } state;
};

static bool look(void *context, struct fth_sim_engine *engine)
{
    enum { BETWEEN = 1 << 14 }; /* far less than a second of them */
    struct watching *watching = context;
    const struct fth_sim_limits *limits = watching->limits;
    uint64_t effort = fth_sim_effort(engine);
    if (limits->shows_progress)
        fth_progress_add(&watching->progress, engine->events - watching->seen);
    watching->seen = engine->events;
    engine->next_look = effort + BETWEEN;
    if (limits->most_events && limits->most_events < engine->next_look)
        engine->next_look = limits->most_events + 1;
    if (limits->is_interrupted && *limits->is_interrupted)
        watching->state = INTERRUPTED;
    else if (limits->most_events && effort > limits->most_events)
        watching->state = TOO_MANY;
    return watching->state == GOES_ON;
}

/* Says how far it came, and why it did not go on. */
static int stopped(const struct fth_sim_world *world, const struct watching *watching,
                   struct fth_error **error)
{
    const struct fth_sim_engine *engine = &world->engine;
    uint64_t searches = fth_sim_effort(engine) - engine->events;
    char searched[128] = "";
    if (searches > engine->events)
        snprintf(searched, sizeof searched, " and list searches that took as long as %s",
                 count_of((double)searches).text);
    return fth_fail(
        error, "%s after %s%s, %s into the simulated run%s",
        watching->state == INTERRUPTED ? "interrupted" : "ended",
        count_of((double)engine->events).text, searched, fth_phrase_duration(engine->now).text,
        watching->state == INTERRUPTED ? ""
                                       : ": that is the limit (--max-events N sets it, 0: none)");
}

int fth_sim_run_within(struct fth_sim_world *world, const struct fth_sim_limits *limits,
                       struct fth_error **error)
{
    struct watching watching = {.limits = limits};
    const double most = 1e18;
    world->engine.look = look;
    world->engine.look_context = &watching;
    if (limits->shows_progress)
        fth_progress_begin(&watching.progress, "simulating",
                           (uint64_t)(limits->expected < most ? limits->expected : most));
    fth_sim_world_run(world);
    if (limits->shows_progress)
        fth_progress_end(&watching.progress);
    world->engine.look = NULL;
    if (watching.state == GOES_ON)
        return 0;
    return stopped(world, &watching, error);
}
