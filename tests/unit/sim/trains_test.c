/* Trains make no difference: random messages through random networks, and collective commands on
 * random clusters, with and without them. Speeds, latencies and instants are few and round, so that
 * much happens at the same nanosecond. */
#include "../shortest.h"
#include "sim/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    NETWORKS = 600,
    NICS = 6,
    MESSAGES = 40,
    COMPONENTS = 200,
    PACKET = 1000,
    UNIT = 100,
    LATEST = 1 << 20
};

/* What is seen of a run from outside. */
struct seen {
    struct {
        int64_t left, announced, arrived;
        uint64_t parts_left, parts_arrived; /* bytes times instants */
    } messages[MESSAGES];
    struct {
        int64_t busy;
        uint64_t packets, bytes, waited, most;
    } components[COMPONENTS];
    int64_t end;
    uint64_t events, under_way;
};

static struct {
    struct fth_sim_engine engine;
    struct fth_sim_network *network;
    struct fth_sim_message messages[MESSAGES];
    struct seen *seen;
    uint32_t nics[NICS], from[MESSAGES], to[MESSAGES]; /* of messages: numbers of NICs */
    uint64_t seed, counted, talkers;
    uint32_t sent, most;
} run;

static uint64_t draw(uint64_t below)
{
    run.seed = run.seed * 6364136223846793005u + 1442695040888963407u;
    return (run.seed >> 33) % below;
}

#define SEEN(message) (run.seen->messages[(message)-run.messages])
static void send_more(void);

static void left(void *user, struct fth_sim_message *message)
{
    (void)user;
    SEEN(message).left = run.engine.now;
    send_more();
}
static void announced(void *user, struct fth_sim_message *message)
{
    (void)user;
    SEEN(message).announced = run.engine.now;
    send_more();
}
static void arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    SEEN(message).arrived = run.engine.now;
    send_more();
}
static void part_left(void *user, struct fth_sim_message *message, uint64_t bytes)
{
    (void)user;
    SEEN(message).parts_left += bytes * (uint64_t)run.engine.now;
    if (!draw(20))
        send_more();
}
static void part_arrived(void *user, struct fth_sim_message *message, uint64_t bytes)
{
    (void)user;
    SEEN(message).parts_arrived += bytes * (uint64_t)run.engine.now;
}
static const struct fth_sim_network_user user = {.left = left,
                                                 .announced = announced,
                                                 .arrived = arrived,
                                                 .part_left = part_left,
                                                 .part_arrived = part_arrived};

/* What is fast takes a unit or a few for a full packet, what is slow so many that others are done
 * in between; now and then not a round time. */
static struct fth_sim_speed draw_speed(bool is_slow)
{
    static const uint64_t fast[] = {1, 1, 2, 3}, slow[] = {3, 7, 20, 50};
    static const int64_t latencies[] = {0, 0, 1, 2, 5, 30};
    uint64_t time = (is_slow ? slow : fast)[draw(4)] * UNIT + (draw(16) ? 0 : draw(50));
    struct fth_sim_speed speed = {.throughput = UINT64_C(1000000000) * PACKET / time,
                                  .latency = latencies[draw(is_slow ? 6 : 4)] * UNIT};
    return speed;
}

/* Nodes in a tree, or in a ring; NICs hang at any of them, over one node or none. */
static void build(void)
{
    uint32_t nodes[5], count = 1 + (uint32_t)draw(5);
    bool is_ring = !draw(4);
    run.network = fth_sim_network_new(&run.engine, PACKET, draw(2) * 40, &user);
    fth_sim_network_frame(run.network, draw(4) ? 0 : 38);
    for (uint32_t i = 0; i < count; i++) {
        struct fth_sim_speed speed = draw_speed(false), edge = draw_speed(draw(2));
        speed.latency = draw(4) ? 0 : speed.latency;
        speed.local = draw(4) ? 0 : speed.throughput / 2;
        nodes[i] = fth_sim_network_node(run.network, "node", FTH_SIM_NODE, &speed);
        if (i)
            fth_sim_network_link(run.network, "edge", nodes[i], nodes[is_ring ? i - 1 : draw(i)],
                                 &edge);
    }
    if (is_ring && count > 2) {
        struct fth_sim_speed edge = draw_speed(draw(2));
        fth_sim_network_link(run.network, "edge", nodes[0], nodes[count - 1], &edge);
    }
    for (uint32_t i = 0; i < NICS; i++) {
        struct fth_sim_speed speed = draw_speed(false), edge = draw_speed(draw(3)),
                             inner = draw_speed(false);
        uint32_t above = nodes[draw(count)];
        if (draw(2)) {
            uint32_t node = fth_sim_network_node(run.network, "host", FTH_SIM_NODE, &inner);
            fth_sim_network_link(run.network, "host edge", node, above, &edge);
            above = node;
            edge = draw_speed(false);
        }
        run.nics[i] = fth_sim_network_node(run.network, "NIC", FTH_SIM_NIC, &speed);
        fth_sim_network_link(run.network, "NIC edge", run.nics[i], above, &edge);
    }
    assert_int_equal(fth_sim_network_connect(run.network, NULL), 0);
}

/* Something that somebody does to the network at an instant. */
struct operation {
    struct fth_sim_target target;
    enum { SEND, APPEND, CLOSE, OPEN } kind;
    uint32_t from, to;
    struct fth_sim_message *message;
    uint64_t bytes;
    uint32_t round;
};

static void act(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct operation *operation = (struct operation *)target;
    if (operation->round) {
        operation->round--;
        fth_sim_after(engine, 0, target);
        return;
    }
    switch (operation->kind) {
    case SEND:
        fth_sim_network_send(run.network, operation->from, operation->to, operation->message);
        break;
    case APPEND:
        fth_sim_network_append(run.network, operation->message, operation->bytes);
        break;
    case CLOSE:
        fth_sim_network_close(run.network, operation->to);
        break;
    case OPEN:
        fth_sim_network_open(run.network, operation->to);
        break;
    }
}

static void plan(const struct operation *operation, int64_t units)
{
    struct operation *kept = fth_sim_new(&run.engine, sizeof *kept);
    *kept = *operation;
    kept->target.happen = act;
    kept->target.order = draw(2) ? 0 : LATEST;
    kept->round = (uint32_t)draw(3);
    fth_sim_after(&run.engine, units * UNIT, &kept->target);
}

static void send_one(int64_t units)
{
    struct fth_sim_message *message = &run.messages[run.sent++];
    struct operation operation = {.kind = SEND, .message = message};
    uint32_t from = (uint32_t)draw(run.talkers), to = (from + 1 + (uint32_t)draw(NICS - 1)) % NICS;
    run.from[run.sent - 1] = from;
    run.to[run.sent - 1] = to;
    operation.from = run.nics[from];
    operation.to = run.nics[to];
    message->bytes = draw(4) ? draw(200 * PACKET) : draw(2 * PACKET);
    message->in_parts = !draw(8);
    if (!draw(8)) {
        message->withheld = message->bytes / 2;
        struct operation more = {.kind = APPEND, .message = message, .bytes = message->withheld};
        plan(&more, units + 1 + (int64_t)draw(2000));
    }
    if (units || !run.engine.now)
        plan(&operation, units);
    else
        fth_sim_network_send(run.network, operation.from, operation.to, message);
}

/* A NIC takes nothing for a while. */
static void close_one(int64_t units)
{
    struct operation close = {.kind = CLOSE, .to = run.nics[draw(NICS)]}, open = close;
    open.kind = OPEN;
    plan(&close, units);
    plan(&open, units + 1 + (int64_t)draw(1000));
}

/* Who learns of something may do more in the same event. */
static void send_more(void)
{
    if (run.sent < run.most && !draw(3))
        send_one(draw(2) ? 0 : (int64_t)draw(50));
}

static void play(uint64_t seed, uint32_t most, bool all, struct seen *seen)
{
    memset(&run, 0, sizeof run);
    run.seed = seed;
    run.seen = memset(seen, 0, sizeof *seen);
    build();
    if (all)
        fth_sim_network_play_all(run.network);
    run.most = 1 + (uint32_t)draw(draw(2) ? 4 : MESSAGES);
    run.most = run.most < most ? run.most : most;
    run.talkers = 1 + draw(NICS);
    for (uint64_t i = 1 + draw(run.most); i; i--)
        send_one(draw(3) ? (int64_t)draw(draw(2) ? 5000 : 500) : 0);
    for (uint64_t i = draw(3) ? 0 : draw(4); i; i--)
        close_one((int64_t)draw(2000));
    fth_sim_engine_run(&run.engine);
    assert_true(fth_sim_network_components(run.network) <= COMPONENTS);
    for (size_t i = 0; i < fth_sim_network_components(run.network); i++) {
        const struct fth_sim_component *component = fth_sim_network_component(run.network, i);
        seen->components[i].busy = component->busy;
        seen->components[i].packets = component->packets;
        seen->components[i].bytes = component->bytes;
        seen->components[i].waited = component->waited;
        seen->components[i].most = component->most;
    }
    seen->end = run.engine.now;
    seen->events = run.engine.events;
    seen->under_way = fth_sim_network_under_way(run.network);
    run.counted = fth_sim_network_counted(run.network);
    fth_sim_network_free(run.network);
    fth_sim_engine_free(&run.engine);
}

static struct seen with, without;

static bool is_the_same_with_trains(uint32_t seed, uint32_t most)
{
    play(seed, most, true, &without);
    assert_int_equal(run.counted, 0);
    play(seed, most, false, &with);
    return memcmp(&with, &without, sizeof with) == 0;
}

static void print_messages(void)
{
    for (uint32_t i = 0; i < run.sent; i++) {
        print_error("  message %u: %llu bytes from NIC %u to NIC %u\n", i,
                    (unsigned long long)run.messages[i].bytes, run.from[i], run.to[i]);
        for (int k = 0; k < 2; k++) {
            const struct seen *seen = k ? &without : &with;
            print_error("    %s trains: left at %lld, announced at %lld, arrived at %lld\n",
                        k ? "without" : "with   ", (long long)seen->messages[i].left,
                        (long long)seen->messages[i].announced,
                        (long long)seen->messages[i].arrived);
        }
    }
    for (int i = 0; i < COMPONENTS; i++)
        if (memcmp(&with.components[i], &without.components[i], sizeof *with.components) != 0)
            print_error("  component %d: busy for %lld, without trains for %lld\n", i,
                        (long long)with.components[i].busy, (long long)without.components[i].busy);
}

static void test_trains_make_no_difference(void **state)
{
    (void)state;
    uint64_t counted = 0, events = 0;
    for (uint32_t seed = 1; seed <= NETWORKS; seed++) {
        if (!is_the_same_with_trains(seed, MESSAGES)) {
            uint32_t most = shortest_that_fails(is_the_same_with_trains, seed, MESSAGES);
            is_the_same_with_trains(seed, most);
            print_messages();
            fail_msg("network %u with %u messages is another one with trains", seed, most);
        }
        counted += run.counted;
        events += with.events;
    }
    /* Trains were about much of it. */
    assert_true(counted > events / 5);
}

/* Ten packets from NIC to NIC through NIC, edge, node, edge and NIC, each of which takes a unit for
 * a packet: the last packet arrives after 10 + 4 units. */
static void test_ten_packets_take_fourteen_units(void **state)
{
    (void)state;
    const struct fth_sim_speed speed = {.throughput = UINT64_C(1000000000) * PACKET / UNIT};
    for (int all = 0; all < 2; all++) {
        struct seen seen = {0};
        memset(&run, 0, sizeof run);
        run.seen = &seen;
        run.network = fth_sim_network_new(&run.engine, PACKET, 0, &user);
        uint32_t node = fth_sim_network_node(run.network, "node", FTH_SIM_NODE, &speed);
        for (int i = 0; i < 2; i++) {
            run.nics[i] = fth_sim_network_node(run.network, "NIC", FTH_SIM_NIC, &speed);
            fth_sim_network_link(run.network, "edge", run.nics[i], node, &speed);
        }
        assert_int_equal(fth_sim_network_connect(run.network, NULL), 0);
        if (all)
            fth_sim_network_play_all(run.network);
        run.messages[0].bytes = 10 * PACKET;
        fth_sim_network_send(run.network, run.nics[0], run.nics[1], &run.messages[0]);
        fth_sim_engine_run(&run.engine);
        assert_int_equal(seen.messages[0].arrived, 14 * UNIT);
        fth_sim_network_free(run.network);
        fth_sim_engine_free(&run.engine);
    }
}

/* ---- commands ---- */

enum { CLUSTERS = 4 };

static struct fth_sim_command command;

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *next)
{
    (void)program;
    (void)rank;
    *next = command;
    return cursor->at++ < 2;
}

struct outcome {
    int64_t time, busy;
    uint64_t events, counted;
};

static struct outcome simulate(const struct fth_sim_cluster *cluster, uint32_t ranks, bool all)
{
    struct fth_sim_program program = {.ranks = ranks, .next = next};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &program, NULL);
    if (all)
        fth_sim_world_play_all(world);
    fth_sim_world_run(world);
    const struct fth_sim_network *network = fth_sim_world_network(world);
    struct outcome outcome = {.time = fth_sim_world_time(world)};
    for (size_t i = 0; i < fth_sim_network_components(network); i++)
        outcome.busy += fth_sim_network_component(network, i)->busy * (int64_t)(i + 1);
    for (uint32_t rank = 0; rank < ranks; rank++)
        assert_true(fth_sim_world_end(world, rank, NULL, 0) >= 0);
    outcome.events = fth_sim_world_events(world);
    outcome.counted = fth_sim_network_counted(network);
    fth_sim_world_free(world);
    return outcome;
}

/* Nodes with one or two sockets at one switch, like clusters/pvs.yaml. */
static struct fth_sim_cluster draw_cluster(void)
{
    struct fth_sim_cluster cluster = {.instructions = 2660000000,
                                      .step_instructions = 3,
                                      .packet = 10240,
                                      .overhead = draw(2) * 40,
                                      .eager = 102400,
                                      .nic = {"NIC", {.throughput = UINT64_C(40) << 30}},
                                      .nic_edge = {"NIC edge", {79, UINT64_C(3781) << 20, 0}},
                                      .node = {"node", {.throughput = UINT64_C(10864) << 20}},
                                      .node_edge = {"node edge", {19982, 75392614, 0}},
                                      .hub = {"switch", {.throughput = 48000000000}}};
    cluster.nodes = 1 + (uint32_t)draw(8);
    cluster.sockets = 1 + (uint32_t)draw(2);
    cluster.in_blocks = draw(2);
    cluster.is_analytical = !draw(8);
    if (draw(2)) {
        cluster.socket = (struct fth_sim_part){"socket", {0, UINT64_C(3778) << 20, 0}};
        cluster.socket.speed.local = draw(2) ? UINT64_C(4556) << 20 : 0;
        cluster.socket_edge = (struct fth_sim_part){"socket edge", {38, UINT64_C(3427) << 20, 0}};
    }
    return cluster;
}

static void test_commands_take_the_same_time(void **state)
{
    (void)state;
    uint64_t counted = 0, events = 0;
    run.seed = 1;
    const struct fth_sim_method *method;
    for (size_t i = 0; (method = fth_sim_method_number(i)); i++) {
        if (method->verb < FTH_SIM_BARRIER || method->verb > FTH_SIM_EXSCAN)
            continue;
        for (int j = 0; j < CLUSTERS; j++) {
            struct fth_sim_cluster cluster = draw_cluster();
            uint32_t ranks = 1 + (uint32_t)draw(12);
            cluster.methods[method->verb] = method;
            command = (struct fth_sim_command){.verb = method->verb, .bytes = draw(2000000)};
            struct outcome with_trains = simulate(&cluster, ranks, false),
                           without_trains = simulate(&cluster, ranks, true);
            if (with_trains.time != without_trains.time ||
                with_trains.busy != without_trains.busy ||
                with_trains.events != without_trains.events)
                fail_msg("%s of %llu bytes on %u ranks, %u nodes with %u sockets, ends after %lld "
                         "ns, without trains after %lld",
                         method->name, (unsigned long long)command.bytes, ranks, cluster.nodes,
                         cluster.sockets, (long long)with_trains.time,
                         (long long)without_trains.time);
            counted += with_trains.counted;
            events += with_trains.events;
        }
    }
    assert_true(counted > events / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_packets_take_fourteen_units),
        cmocka_unit_test(test_trains_make_no_difference),
        cmocka_unit_test(test_commands_take_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
