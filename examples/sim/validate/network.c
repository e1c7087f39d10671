/* Section 5.3.3: flows that share links. What a flow gets is measured over a minute, when
 * everything is full. */
#include "case.h"

#include "sim/network/network.h"

#include <stdio.h>

enum { KI = 1024, MI = KI * KI, MS = 1000000 };
enum { A, B, C, Y, Z, ENDS };

static void ignore(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}
static const struct fth_sim_network_user nobody = {
    .left = ignore, .announced = ignore, .arrived = ignore};

struct scenario {
    struct fth_sim_engine engine;
    struct fth_sim_network *network;
    uint32_t nics[ENDS];
    struct fth_sim_message messages[ENDS][ENDS];
};

/* All NICs but Y hang at one switch, by edges of these rates in MiB/s; Y behind another one. */
static void build(struct scenario *scenario, const double rates[ENDS])
{
    static const struct fth_sim_speed hub = {.throughput = 100000000000};
    const struct fth_sim_speed inner = {.throughput = 100 * MI, .latency = MS};
    *scenario = (struct scenario){0};
    scenario->network = fth_sim_network_new(&scenario->engine, 100 * KI, 0, &nobody);
    struct fth_sim_network *network = scenario->network;
    uint32_t node = fth_sim_network_node(network, "node", FTH_SIM_NODE, &hub);
    uint32_t to_y = fth_sim_network_node(network, "nodeToY", FTH_SIM_NODE, &hub);
    fth_sim_network_link(network, "inner", node, to_y, &inner);
    for (uint32_t i = 0; i < ENDS; i++) {
        const struct fth_sim_speed speed = {.throughput = (uint64_t)(rates[i] * MI),
                                            .latency = i == Y ? 100 * MS : MS};
        scenario->nics[i] = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
        fth_sim_network_link(network, "edge", scenario->nics[i], i == Y ? to_y : node, &speed);
    }
    fth_sim_network_connect(network, NULL);
}

static void send(struct scenario *scenario, uint32_t from, uint32_t to, uint64_t bytes)
{
    struct fth_sim_message *message = &scenario->messages[from][to];
    *message = (struct fth_sim_message){.bytes = bytes};
    fth_sim_network_send(scenario->network, scenario->nics[from], scenario->nics[to], message);
}

static void release(struct scenario *scenario)
{
    fth_sim_network_free(scenario->network);
    fth_sim_engine_free(&scenario->engine);
}

/* What was sent of each message, at two instants. */
struct watch {
    struct fth_sim_target target;
    struct scenario *scenario;
    uint64_t packed[2][ENDS][ENDS];
    unsigned seen;
};

static void look(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct watch *watch = (struct watch *)target;
    for (unsigned i = 0; i < ENDS; i++)
        for (unsigned j = 0; j < ENDS; j++)
            watch->packed[watch->seen][i][j] = watch->scenario->messages[i][j].packed;
    if (watch->seen++ == 0)
        fth_sim_after(engine, (int64_t)60000 * MS, target);
}

/* MiB/s from the second on for a minute. */
static double rate(const struct watch *watch, unsigned from, unsigned to)
{
    return (double)(watch->packed[1][from][to] - watch->packed[0][from][to]) / MI / 60;
}

/* All of A, B, C send to Y and (if `both`) to Z; `published`: what each gets to Y and to Z. */
static void share(const char *id, const char *what, const char *source, const double rates[ENDS],
                  bool both, const double published[3][2])
{
    struct scenario scenario;
    struct watch watch = {.target = {look}, .scenario = &scenario};
    build(&scenario, rates);
    for (uint32_t i = A; i <= C; i++) {
        send(&scenario, i, Y, (uint64_t)4000 * MI);
        if (both)
            send(&scenario, i, Z, (uint64_t)12000 * MI);
    }
    fth_sim_after(&scenario.engine, (int64_t)10000 * MS, &watch.target);
    fth_sim_engine_run(&scenario.engine);
    for (unsigned i = A; i <= C; i++)
        for (unsigned j = 0; j < (both ? 2u : 1u); j++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%c-%c", id, "ABC"[i], "YZ"[j]);
            /* Packets of 100 KiB, counted where they are made: a few more or less in a minute. */
            compare(name, what, source, published[i][j], rate(&watch, i, j ? Z : Y), 0.02);
        }
    release(&scenario);
}

/* A and B send to Y, whose edge is as fast as the others; B's own edge is slower. */
static void share_of_two(const char *id, double b, double published_a, double published_b)
{
    struct scenario scenario;
    struct watch watch = {.target = {look}, .scenario = &scenario};
    const double rates[ENDS] = {100, b, 100, 100, 100};
    build(&scenario, rates);
    send(&scenario, A, Y, (uint64_t)12000 * MI);
    send(&scenario, B, Y, (uint64_t)12000 * MI);
    fth_sim_after(&scenario.engine, (int64_t)10000 * MS, &watch.target);
    fth_sim_engine_run(&scenario.engine);
    char name[64];
    snprintf(name, sizeof name, "%s/A", id);
    compare(name, "MiB/s of A, which shares an edge of 100 MiB/s with B", THESIS "figure 5.7",
            published_a, rate(&watch, A, Y), 0.02);
    snprintf(name, sizeof name, "%s/B", id);
    compare(name, "MiB/s of B, which shares an edge of 100 MiB/s with A", THESIS "figure 5.7",
            published_b, rate(&watch, B, Y), 0.02);
    release(&scenario);
}

void validate_network(void)
{
    static const double equal[ENDS] = {100, 100, 100, 10, 100},
                        slow_c[ENDS] = {100, 100, 10, 10, 100};
    static const double thirds[3][2] = {
        {10 / 3.0, 100 / 3.0}, {10 / 3.0, 100 / 3.0}, {10 / 3.0, 100 / 3.0}};
    static const double rest[3][2] = {
        {10 / 3.0, 140 / 3.0}, {10 / 3.0, 140 / 3.0}, {10 / 3.0, 20 / 3.0}};
    share_of_two("flow/20", 20, 80, 20);
    share_of_two("flow/50", 50, 50, 50);
    share_of_two("flow/60", 60, 50, 50);
    share_of_two("flow/99", 99, 50, 50);
    share("flow/both", "MiB/s of each flow: Y takes 10, Z 100 MiB/s", THESIS "figure 5.8", equal,
          true, thirds);
    share("flow/slow-c", "MiB/s of each flow: C's edge has 10 MiB/s", THESIS "figure 5.9", slow_c,
          true, rest);
    share("flow/only-y", "MiB/s of each flow: all to Y, C's edge has 10 MiB/s",
          THESIS "section 5.3.3", slow_c, false, thirds);
    struct scenario scenario;
    build(&scenario, equal);
    send(&scenario, A, Y, 1000 * KI);
    fth_sim_engine_run(&scenario.engine);
    compare("flow/ten-packets", "seconds until ten packets have arrived behind a slow edge",
            THESIS "section 5.3.3", 0.2016, (double)scenario.engine.now * 1e-9, 0.00005);
    release(&scenario);
}
