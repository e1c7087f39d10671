/* Fabrics: between any two nodes there is a way without gaps, of the length that it has on
 * paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "sim/network/fabric.h"
#include "sim/network/flow.h"

static const struct fth_sim_part hub = {"switch", {.throughput = 1000000000}},
                                 edge = {"edge", {.throughput = 1000000000, .latency = 100}};
static const struct fth_sim_speed nic = {.throughput = 1000000000};

struct cluster {
    struct fth_sim_engine engine;
    struct fth_sim_network *network;
    struct fth_sim_fabric *fabric;
    uint32_t *nics, nodes;
};

static void ignore(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

static void build(struct cluster *cluster, const struct fth_sim_shape *shape)
{
    static const struct fth_sim_network_user nobody = {
        .left = ignore, .announced = ignore, .arrived = ignore};
    *cluster = (struct cluster){.nodes = (uint32_t)fth_sim_shape_room(shape, NULL)};
    cluster->network = fth_sim_network_new(&cluster->engine, 1000, 0, &nobody);
    cluster->fabric = fth_sim_fabric_new(cluster->network, shape, &hub, &edge, &edge);
    cluster->nics = calloc(cluster->nodes, sizeof *cluster->nics);
    for (uint32_t i = 0; i < cluster->nodes; i++) {
        cluster->nics[i] = fth_sim_network_node(cluster->network, "NIC", FTH_SIM_NIC, &nic);
        fth_sim_network_link(cluster->network, "edge", cluster->nics[i],
                             fth_sim_fabric_switch(cluster->fabric, i), &edge.speed);
    }
    assert_int_equal(fth_sim_network_connect(cluster->network, NULL), 0);
}

static void release(struct cluster *cluster)
{
    fth_sim_network_free(cluster->network);
    fth_sim_fabric_free(cluster->fabric);
    fth_sim_engine_free(&cluster->engine);
    free(cluster->nics);
}

/* The number of a node, or of an edge, that a way leads through. */
static uint32_t number_of(const struct fth_sim_network *network, const uint32_t *numbers,
                          uint32_t count, const struct fth_sim_component *component)
{
    for (uint32_t i = 0; i < count; i++)
        if (network->components[numbers[i]] == component)
            return i;
    fail_msg("it is none of them");
    return 0;
}

static uint32_t node_of(const struct fth_sim_network *network,
                        const struct fth_sim_component *component)
{
    return number_of(network, network->nodes, network->node_count, component);
}

static uint32_t edge_of(const struct fth_sim_network *network,
                        const struct fth_sim_component *component)
{
    return number_of(network, network->edges, network->edge_count, component);
}

/* How many switches a way passes; it has no gaps. */
static uint32_t switches(const struct cluster *cluster, uint32_t from, uint32_t to)
{
    struct fth_sim_component *way[64];
    uint32_t count =
        fth_sim_routes_way(cluster->network, cluster->nics[from], cluster->nics[to], NULL);
    assert_true(count <= 64);
    fth_sim_routes_way(cluster->network, cluster->nics[from], cluster->nics[to], way);
    const struct fth_sim_network *network = cluster->network;
    assert_int_equal(node_of(network, way[0]), cluster->nics[from]);
    assert_int_equal(node_of(network, way[count - 1]), cluster->nics[to]);
    for (uint32_t i = 1; i < count; i += 2) {
        assert_int_equal(way[i]->kind, FTH_SIM_EDGE);
        uint32_t number = edge_of(network, way[i]);
        assert_int_equal(network->from[number], node_of(network, way[i - 1]));
        assert_int_equal(network->from[number ^ 1], node_of(network, way[i + 1]));
    }
    return count == 1 ? 0 : (count - 3) / 2;
}

static void test_fat_trees(void **state)
{
    (void)state;
    const struct fth_sim_shape shape = {
        .topology = FTH_SIM_FAT_TREE, .levels = 3, .down = {4, 3, 2}, .up = {2, 3}};
    struct cluster cluster;
    build(&cluster, &shape);
    assert_int_equal(cluster.nodes, 24);
    for (uint32_t i = 0; i < 24; i++)
        for (uint32_t j = 0; j < 24; j++)
            if (i != j)
                assert_int_equal(switches(&cluster, i, j), i / 4 == j / 4     ? 1
                                                           : i / 12 == j / 12 ? 3
                                                                              : 5);
    release(&cluster);
}

/* Different destinations take different ways up. */
static void test_fat_trees_spread_flows(void **state)
{
    (void)state;
    const struct fth_sim_shape shape = {
        .topology = FTH_SIM_FAT_TREE, .levels = 2, .down = {4, 2}, .up = {4}};
    struct cluster cluster;
    struct fth_sim_component *way[64];
    bool seen[4] = {false};
    build(&cluster, &shape);
    for (uint32_t i = 4; i < 8; i++) {
        fth_sim_routes_way(cluster.network, cluster.nics[0], cluster.nics[i], way);
        seen[(node_of(cluster.network, way[4]) - fth_sim_fabric_switch(cluster.fabric, 0)) % 4] =
            true;
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
    release(&cluster);
}

static uint32_t round_distance(uint32_t a, uint32_t b, uint32_t size)
{
    uint32_t ahead = (b + size - a) % size;
    return ahead < size - ahead ? ahead : size - ahead;
}

static void test_tori(void **state)
{
    (void)state;
    const struct fth_sim_shape shape = {
        .topology = FTH_SIM_TORUS, .levels = 3, .down = {4, 2, 5}, .hosts = 2};
    struct cluster cluster;
    build(&cluster, &shape);
    assert_int_equal(cluster.nodes, 80);
    for (uint32_t i = 0; i < 80; i++)
        for (uint32_t j = 0; j < 80; j++) {
            uint32_t a = i / 2, b = j / 2;
            uint32_t distance = round_distance(a % 4, b % 4, 4) +
                                round_distance(a / 4 % 2, b / 4 % 2, 2) +
                                round_distance(a / 8, b / 8, 5);
            if (i != j)
                assert_int_equal(switches(&cluster, i, j), distance + 1);
        }
    release(&cluster);
}

static void test_dragonflies(void **state)
{
    (void)state;
    const struct fth_sim_shape shape = {
        .topology = FTH_SIM_DRAGONFLY, .levels = 2, .down = {9, 4}, .hosts = 2, .far = 2};
    struct cluster cluster;
    build(&cluster, &shape);
    assert_int_equal(cluster.nodes, 72);
    for (uint32_t i = 0; i < 72; i++)
        for (uint32_t j = 0; j < 72; j++) {
            uint32_t passed = i == j ? 1 : switches(&cluster, i, j);
            assert_in_range(passed, 1, i / 8 == j / 8 ? 2 : 4);
        }
    release(&cluster);
    const struct fth_sim_shape thin = {
        .topology = FTH_SIM_DRAGONFLY, .levels = 2, .down = {9, 4}, .hosts = 2, .far = 1};
    assert_int_equal(fth_sim_shape_room(&thin, NULL), 0);
}

/* Small and degenerate ones are trees, or nearly. */
static void test_small_ones(void **state)
{
    (void)state;
    static const struct fth_sim_shape shapes[] = {
        {.topology = FTH_SIM_FAT_TREE, .levels = 1, .down = {3}},
        {.topology = FTH_SIM_FAT_TREE, .levels = 3, .down = {2, 2, 2}, .up = {1, 2}},
        {.topology = FTH_SIM_FAT_TREE, .levels = 3, .down = {1, 2, 2}, .up = {2, 1}},
        {.topology = FTH_SIM_TORUS, .levels = 1, .down = {1}, .hosts = 3},
        {.topology = FTH_SIM_TORUS, .levels = 2, .down = {2, 1}, .hosts = 1},
        {.topology = FTH_SIM_TORUS, .levels = 2, .down = {2, 2}, .hosts = 1},
        {.topology = FTH_SIM_DRAGONFLY, .levels = 2, .down = {2, 3}, .hosts = 1, .far = 1},
        {.topology = FTH_SIM_DRAGONFLY, .levels = 2, .down = {1, 3}, .hosts = 1, .far = 1},
        {.topology = FTH_SIM_DRAGONFLY, .levels = 2, .down = {3, 2}, .hosts = 1, .far = 2},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct cluster cluster;
        build(&cluster, &shapes[i]);
        for (uint32_t j = 0; j < cluster.nodes; j++)
            for (uint32_t k = 0; k < cluster.nodes; k++)
                if (j != k)
                    assert_in_range(switches(&cluster, j, k), 1, 6);
        release(&cluster);
    }
}

/* Analytical NICs: the latencies of the way, the size at its lowest throughput, and one packet more
 * at the end. */
static void test_analytical_nics(void **state)
{
    (void)state;
    const struct fth_sim_shape shape = {.topology = FTH_SIM_STAR};
    struct cluster cluster = {.nodes = 2};
    static const struct fth_sim_network_user nobody = {
        .left = ignore, .announced = ignore, .arrived = ignore};
    const struct fth_sim_speed slow = {.throughput = 1000000, .latency = 5000};
    struct fth_sim_message message = {.bytes = 10000};
    cluster.network = fth_sim_network_new(&cluster.engine, 1000, 0, &nobody);
    fth_sim_network_simplify(cluster.network);
    cluster.fabric = fth_sim_fabric_new(cluster.network, &shape, &hub, &edge, &edge);
    uint32_t one = fth_sim_network_node(cluster.network, "NIC", FTH_SIM_NIC, &nic);
    uint32_t other = fth_sim_network_node(cluster.network, "NIC", FTH_SIM_NIC, &nic);
    fth_sim_network_link(cluster.network, "edge", one, fth_sim_fabric_switch(cluster.fabric, 0),
                         &slow);
    fth_sim_network_link(cluster.network, "edge", other, fth_sim_fabric_switch(cluster.fabric, 1),
                         &edge.speed);
    fth_sim_network_connect(cluster.network, NULL);
    fth_sim_network_send(cluster.network, one, other, &message);
    fth_sim_engine_run(&cluster.engine);
    assert_int_equal(cluster.engine.now, 5000 + 100 + 10000000 + 1000000);
    assert_int_equal(cluster.engine.events, 10 * 4);
    /* What goes to itself is through when the NIC has done with it. */
    int64_t since = cluster.engine.now;
    message = (struct fth_sim_message){.bytes = 10000};
    fth_sim_network_send(cluster.network, one, one, &message);
    fth_sim_engine_run(&cluster.engine);
    assert_int_equal(cluster.engine.now - since, fth_sim_time_of(1000, nic.throughput) * 10);
    release(&cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fat_trees),  cmocka_unit_test(test_fat_trees_spread_flows),
        cmocka_unit_test(test_tori),       cmocka_unit_test(test_dragonflies),
        cmocka_unit_test(test_small_ones), cmocka_unit_test(test_analytical_nics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
