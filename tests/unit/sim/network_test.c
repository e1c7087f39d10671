/* Packets through a network: times of one message, fair shares of links, ways, networks that are
 * not connected. */
#include "sim/network/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct {
    struct fth_sim_engine *engine;
    int64_t left, announced, arrived;
    uint64_t parts_left, parts_arrived;
} seen;

static void left(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
    seen.left = seen.engine->now;
}
static void announced(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
    seen.announced = seen.engine->now;
}
static void arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
    seen.arrived = seen.engine->now;
}
static void part_left(void *user, struct fth_sim_message *message, uint64_t bytes)
{
    (void)user;
    (void)message;
    seen.parts_left += bytes;
}
static void part_arrived(void *user, struct fth_sim_message *message, uint64_t bytes)
{
    (void)user;
    (void)message;
    seen.parts_arrived += bytes;
}
static const struct fth_sim_network_user user = {.left = left,
                                                 .announced = announced,
                                                 .arrived = arrived,
                                                 .part_left = part_left,
                                                 .part_arrived = part_arrived};

enum { KI = 1024, MI = 1024 * 1024, MS = 1000000 };
static const struct fth_sim_speed hub = {.throughput = 100000000000},
                                  fast = {.throughput = 100 * MI, .latency = MS},
                                  slow = {.throughput = 10 * MI, .latency = 100 * MS};

/* Kunkel 2013, section 5.3.3: A, B, C and Z at one switch, Y behind another, over a slow link. */
enum { A, B, C, Y, Z, ENDS };
static struct fth_sim_network *build(struct fth_sim_engine *engine, uint32_t *nics)
{
    memset(&seen, 0, sizeof seen);
    seen.engine = engine;
    struct fth_sim_network *network = fth_sim_network_new(engine, 100 * KI, 0, &user);
    uint32_t node = fth_sim_network_node(network, "node", FTH_SIM_NODE, &hub);
    uint32_t to_y = fth_sim_network_node(network, "nodeToY", FTH_SIM_NODE, &hub);
    fth_sim_network_link(network, "inner", node, to_y, &fast);
    for (uint32_t i = 0; i < ENDS; i++) {
        nics[i] = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
        fth_sim_network_link(network, "edge", nics[i], i == Y ? to_y : node,
                             i == Y ? &slow : &fast);
    }
    assert_int_equal(fth_sim_network_connect(network, NULL), 0);
    return network;
}

static void test_ten_packets_are_in_flight(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    uint32_t nics[ENDS];
    struct fth_sim_network *network = build(&engine, nics);
    struct fth_sim_message message = {.bytes = 1000 * KI};
    fth_sim_network_send(network, nics[A], nics[Y], &message);
    assert_int_equal(fth_sim_network_under_way(network), 1);
    fth_sim_engine_run(&engine);
    /* The figures are printed with four digits. */
    assert_in_range(seen.announced, 113650000, 113750000);
    assert_in_range(seen.arrived, 201550000, 201650000);
    assert_int_equal(fth_sim_network_under_way(network), 0);
    assert_int_equal(engine.events, 10 * 7 * 2); /* two per packet and component */
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* Before a slow edge wait one packet sent by each part without a latency, two by each edge before
 * it: a NIC starts with its last packet when the slow edge begins with the one that is that many
 * before it. */
static void test_few_packets_wait_before_a_slow_edge(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    uint32_t nics[ENDS];
    memset(&seen, 0, sizeof seen);
    seen.engine = &engine;
    const struct fth_sim_speed edge = {.throughput = 1000 * MI, .latency = 1000},
                               slow_edge = {.throughput = 10 * MI};
    struct fth_sim_network *network = fth_sim_network_new(&engine, 100 * KI, 0, &user);
    fth_sim_network_play_all(network);
    uint32_t node = fth_sim_network_node(network, "node", FTH_SIM_NODE, &hub);
    for (uint32_t i = A; i <= B; i++) {
        nics[i] = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
        fth_sim_network_link(network, "edge", nics[i], node, i == A ? &edge : &slow_edge);
    }
    assert_int_equal(fth_sim_network_connect(network, NULL), 0);
    struct fth_sim_message message = {.bytes = 1000 * KI};
    fth_sim_network_send(network, nics[A], nics[B], &message);
    fth_sim_engine_run(&engine);
    /* One from the NIC, two from the edge, one from the node: the tenth packet follows when the
     * slow edge has done five. */
    int64_t packet = fth_sim_time_of(100 * KI, 10 * MI);
    assert_in_range(seen.left, 5 * packet, 5 * packet + MS);
    assert_in_range(seen.arrived, 10 * packet, 10 * packet + MS);
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* Three packets come to the edge to Z a microsecond apart, each keeps it busy for 1 / 1.024 ms: the
 * second one waits for that less a microsecond, the third one twice as long. */
static void test_packets_wait(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    uint32_t nics[ENDS], found = 0;
    struct fth_sim_network *network = build(&engine, nics);
    struct fth_sim_message messages[3] = {
        {.bytes = 100 * KI}, {.bytes = 100 * KI}, {.bytes = 100 * KI}};
    for (uint32_t i = A; i <= C; i++)
        fth_sim_network_send(network, nics[i], nics[Z], &messages[i]);
    fth_sim_engine_run(&engine);
    for (size_t i = 0; i < fth_sim_network_components(network); i++) {
        const struct fth_sim_component *component = fth_sim_network_component(network, i);
        double waited = fth_sim_component_queue(component, engine.now) * (double)engine.now;
        assert_int_equal(component->waiting, 0);
        if (component->kind == FTH_SIM_EDGE && component->packets == 3) {
            assert_int_equal(component->most, 2);
            assert_in_range((int64_t)waited, 3 * (976562 - 1024), 3 * (976563 - 1024));
            found++;
        } else if (component->kind == FTH_SIM_EDGE) {
            assert_int_equal(component->most, 0);
            assert_true(waited == 0);
        }
    }
    assert_int_equal(found, 1);
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* A message whose bytes come one after the other leaves in full packets, and its end when that is
 * there. */
static void test_a_message_grows(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    uint32_t nics[ENDS];
    struct fth_sim_network *network = build(&engine, nics);
    struct fth_sim_message message = {.bytes = 250 * KI, .withheld = 250 * KI, .in_parts = true};
    fth_sim_network_send(network, nics[A], nics[Z], &message);
    fth_sim_engine_run(&engine);
    assert_int_equal(engine.events, 0);
    fth_sim_network_append(network, &message, 150 * KI);
    fth_sim_engine_run(&engine);
    assert_int_equal(seen.parts_left, 100 * KI);
    assert_int_equal(seen.parts_arrived, 100 * KI);
    assert_int_equal(seen.left, 0);
    fth_sim_network_append(network, &message, 100 * KI);
    fth_sim_engine_run(&engine);
    assert_int_equal(seen.parts_left, 250 * KI);
    assert_int_equal(seen.parts_arrived, 250 * KI);
    assert_true(seen.left > 0 && seen.left < seen.arrived);
    assert_int_equal(fth_sim_network_under_way(network), 0);
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* What a closed NIC does not take stays in the network, and holds the sender back; when it is
 * opened everything comes, in order. */
static void test_a_closed_nic_holds_senders_back(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    uint32_t nics[ENDS];
    struct fth_sim_network *network = build(&engine, nics);
    struct fth_sim_message from_a = {.bytes = 10000 * KI, .in_parts = true},
                           from_b = {.bytes = 10 * KI};
    fth_sim_network_close(network, nics[Z]);
    fth_sim_network_send(network, nics[A], nics[Z], &from_a);
    fth_sim_network_send(network, nics[B], nics[Z], &from_b);
    fth_sim_engine_run(&engine);
    assert_int_equal(seen.parts_arrived, 0);
    assert_true(seen.parts_left < 10000 * KI);
    assert_int_equal(fth_sim_network_under_way(network), 2);
    fth_sim_network_open(network, nics[Z]);
    fth_sim_engine_run(&engine);
    assert_int_equal(seen.parts_arrived, 10000 * KI);
    assert_int_equal(fth_sim_network_under_way(network), 0);
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* How many bytes of each flow pass in a time: messages without end, looked at twice. */
struct stop {
    struct fth_sim_target target;
    jmp_buf *back;
};
static void stop(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    longjmp(*((struct stop *)target)->back, 1);
}

static void run_until(struct fth_sim_engine *engine, int64_t time)
{
    jmp_buf back;
    struct stop end = {{.happen = stop}, &back};
    fth_sim_after(engine, time - engine->now, &end.target);
    if (!setjmp(back))
        fth_sim_engine_run(engine);
}

static void test_a_slow_receiver_takes_nothing_from_others(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    uint32_t nics[ENDS];
    struct fth_sim_network *network = build(&engine, nics);
    static struct fth_sim_message to_y[3], to_z[3];
    for (uint32_t i = A; i <= C; i++) {
        to_y[i] = to_z[i] = (struct fth_sim_message){.bytes = UINT64_MAX / 2};
        fth_sim_network_send(network, nics[i], nics[Y], &to_y[i]);
        fth_sim_network_send(network, nics[i], nics[Z], &to_z[i]);
    }
    run_until(&engine, (int64_t)60000 * MS);
    /* The last components before Y and Z: 10 and 100 MiB/s, full after the first second. */
    uint64_t into[ENDS];
    for (size_t i = 0, nic = 0; i < fth_sim_network_components(network); i++)
        if (fth_sim_network_component(network, i)->kind == FTH_SIM_NIC)
            into[nic++] = fth_sim_network_component(network, i + 2)->bytes; /* edges there, back */
    assert_in_range(into[Y], (uint64_t)599 * MI, (uint64_t)600 * MI);
    assert_in_range(into[Z], (uint64_t)5990 * MI, (uint64_t)6000 * MI);
    /* And each sender has a third of both. */
    for (uint32_t i = A; i <= C; i++) {
        assert_in_range(to_y[i].packed, (uint64_t)199 * MI, (uint64_t)203 * MI);
        assert_in_range(to_z[i].packed, (uint64_t)1995 * MI, (uint64_t)2001 * MI);
    }
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* A ring of four switches: the shortest way, found by searching. */
static void test_ways_need_no_tree(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    seen.engine = &engine;
    struct fth_sim_network *network = fth_sim_network_new(&engine, 100 * KI, 0, &user);
    uint32_t nodes[4], nics[4];
    for (uint32_t i = 0; i < 4; i++) {
        nodes[i] = fth_sim_network_node(network, "switch", FTH_SIM_NODE, &hub);
        nics[i] = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
        fth_sim_network_link(network, "edge", nics[i], nodes[i], &fast);
    }
    for (uint32_t i = 0; i < 4; i++)
        fth_sim_network_link(network, "ring", nodes[i], nodes[(i + 1) % 4], &fast);
    assert_int_equal(fth_sim_network_connect(network, NULL), 0);
    struct fth_sim_message to_neighbour = {.bytes = 1}, across = {.bytes = 1};
    fth_sim_network_send(network, nics[0], nics[3], &to_neighbour);
    fth_sim_engine_run(&engine);
    assert_int_equal(engine.events, 7 * 2);
    fth_sim_network_send(network, nics[0], nics[2], &across);
    fth_sim_engine_run(&engine);
    assert_int_equal(engine.events, 7 * 2 + 9 * 2);
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

/* When a message is there, in packets with so many bytes of it and so many others. */
static int64_t arrival(uint64_t bytes, uint64_t packet, uint64_t frame)
{
    static const struct fth_sim_speed wire = {.throughput = 1000000, .latency = 5000};
    struct fth_sim_engine engine = {0};
    seen.engine = &engine;
    struct fth_sim_network *network = fth_sim_network_new(&engine, packet, 0, &user);
    fth_sim_network_frame(network, frame);
    uint32_t node = fth_sim_network_node(network, "switch", FTH_SIM_NODE, &hub), nics[2];
    for (uint32_t i = 0; i < 2; i++) {
        nics[i] = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
        fth_sim_network_link(network, "edge", nics[i], node, &wire);
    }
    assert_int_equal(fth_sim_network_connect(network, NULL), 0);
    struct fth_sim_message message = {.bytes = bytes};
    fth_sim_network_send(network, nics[0], nics[1], &message);
    fth_sim_engine_run(&engine);
    int64_t time = engine.now;
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
    return time;
}

/* Ten packets of 1000 B with 40 B each are as long as ten of 1040 B; the last one may be short. */
static void test_each_packet_has_a_frame(void **state)
{
    (void)state;
    assert_int_equal(arrival(10000, 1000, 40), arrival(10400, 1040, 0));
    assert_int_equal(arrival(9500, 1000, 40), arrival(9 * 1040 + 540, 1040, 0));
    assert_true(arrival(10000, 1000, 40) > arrival(10000, 1000, 0));
}

static void test_a_network_must_be_connected(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    struct fth_sim_network *network = fth_sim_network_new(&engine, 100 * KI, 0, &user);
    struct fth_error *error = NULL;
    uint32_t node = fth_sim_network_node(network, "switch", FTH_SIM_NODE, &hub);
    uint32_t nic = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
    fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &hub);
    fth_sim_network_link(network, "edge", nic, node, &fast);
    assert_int_equal(fth_sim_network_connect(network, &error), -1);
    assert_non_null(strstr(fth_error_text(error), "not connected"));
    fth_error_free(error);
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_packets_are_in_flight),
        cmocka_unit_test(test_few_packets_wait_before_a_slow_edge),
        cmocka_unit_test(test_packets_wait),
        cmocka_unit_test(test_a_message_grows),
        cmocka_unit_test(test_a_closed_nic_holds_senders_back),
        cmocka_unit_test(test_a_slow_receiver_takes_nothing_from_others),
        cmocka_unit_test(test_ways_need_no_tree),
        cmocka_unit_test(test_each_packet_has_a_frame),
        cmocka_unit_test(test_a_network_must_be_connected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
