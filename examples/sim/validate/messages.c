/* Messages and broadcasts on the reference cluster: what the original simulator says, to the
 * nanosecond and the event, and what a model of the same rules by somebody else says, which has no
 * command steps and other headers. */
#include "case.h"

#include "sim/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { KI = 1024, MI = KI * KI };

static struct fth_sim_cluster pvs;

static uint64_t message_bytes; /* of the programs below */

static bool one_way(const struct fth_sim_program *program, uint32_t rank,
                    struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    if (cursor->at++)
        return false;
    *command = (struct fth_sim_command){
        .verb = rank ? FTH_SIM_RECV : FTH_SIM_SEND, .to = 1, .from = 0, .bytes = message_bytes};
    return true;
}

static bool there_and_back(const struct fth_sim_program *program, uint32_t rank,
                           struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    if (cursor->at == 2)
        return false;
    bool sends = (cursor->at++ == 0) == (rank == 0);
    *command = (struct fth_sim_command){.verb = sends ? FTH_SIM_SEND : FTH_SIM_RECV,
                                        .to = 1 - rank,
                                        .from = 1 - rank,
                                        .bytes = message_bytes};
    return true;
}

static bool broadcast(const struct fth_sim_program *program, uint32_t rank,
                      struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    (void)rank;
    *command = (struct fth_sim_command){.verb = FTH_SIM_BCAST, .bytes = message_bytes};
    return cursor->at++ == 0;
}

struct outcome {
    double seconds;
    uint64_t events, messages;
};

static struct outcome simulate(const struct fth_sim_cluster *cluster, uint32_t ranks,
                               bool (*next)(const struct fth_sim_program *, uint32_t,
                                            struct fth_sim_cursor *, struct fth_sim_command *),
                               const char *method)
{
    struct fth_sim_program program = {.ranks = ranks, .next = next};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &program, NULL);
    if (method)
        fth_sim_world_use(world, fth_sim_method(FTH_SIM_BCAST, method));
    fth_sim_world_run(world);
    struct outcome outcome = {(double)fth_sim_world_time(world) * 1e-9, fth_sim_world_events(world),
                              fth_sim_world_messages(world, &(uint64_t){0})};
    fth_sim_world_free(world);
    return outcome;
}

/* Nodes, sockets of each that are used, and the size of packets. */
static struct fth_sim_cluster variant(uint32_t nodes, uint32_t sockets, uint64_t packet)
{
    struct fth_sim_cluster cluster = pvs;
    cluster.nodes = nodes;
    cluster.sockets = sockets;
    cluster.packet = packet;
    return cluster;
}

/* Times within 10 ns per million events, events exactly. */
static void hold(const char *id, const char *what, const char *source, double seconds,
                 uint64_t events, struct outcome outcome)
{
    char name[64];
    double tolerance = 1e-8 * ceil((double)events * 1e-6) + 1e-12;
    snprintf(name, sizeof name, "%s/time", id);
    compare(name, what, source, seconds, outcome.seconds, tolerance);
    snprintf(name, sizeof name, "%s/events", id);
    compare(name, what, source, (double)events, (double)outcome.events, 0);
}

static void validate_ping_pong(void)
{
    static const struct {
        uint32_t nodes;
        uint64_t packet, bytes;
        double seconds;
        uint64_t events;
    } rows[] = {
        {2, 512, 0, 0.000083118, 60},
        {2, 512, 10 * KI, 0.000369660, 1100},
        {2, 512, MI, 0.028085386, 106662},
        {2, 5 * KI, 0, 0.000083118, 60},
        {2, 5 * KI, 10 * KI, 0.000508574, 164},
        {2, 5 * KI, MI, 0.028223102, 10774},
        {2, 5 * KI, 100 * MI, 2.782042920, 1065126},
        {2, 100 * KI, KI, 0.000141144, 60},
        {2, 100 * KI, 100 * KI, 0.005886004, 112},
        {2, 100 * KI, 10 * MI, 0.281395356, 5470},
        {2, 10 * MI, 0, 0.000083118, 60},
        {2, 10 * MI, 10 * KI, 0.000663440, 60},
        {2, 10 * MI, MI, 0.059680786, 166},
        {2, 10 * MI, 100 * MI, 3.097993512, 686},
        {1, 100 * KI, 0, 0.000000396, 27},
        {1, 100 * KI, KI, 0.000001948, 27},
        {1, 100 * KI, 10 * KI, 0.000015962, 27},
        {1, 100 * KI, 100 * KI, 0.000156102, 47},
        {1, 100 * KI, MI, 0.000630698, 269},
        {1, 100 * KI, 10 * MI, 0.005392078, 2109},
        {1, 100 * KI, 100 * MI, 0.053001106, 20549},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster = variant(rows[i].nodes, 1, rows[i].packet);
        message_bytes = rows[i].bytes;
        char id[48];
        snprintf(id, sizeof id, "ping-pong/%u/%llu/%llu", rows[i].nodes,
                 (unsigned long long)rows[i].packet, (unsigned long long)rows[i].bytes);
        hold(id, "nodes, bytes of a packet, bytes of the message; s", ORIGINAL, rows[i].seconds,
             rows[i].events, simulate(&cluster, 2, there_and_back, NULL));
    }
}

static void validate_broadcast(void)
{
    static const struct {
        uint32_t ranks;
        double seconds;
        uint64_t events;
    } rows[] = {{2, 1.392446992, 26685},
                {8, 8.346912644, 186771},
                {32, 20.864661823, 827115},
                {64, 29.211080332, 1680907},
                {256, 50.073663593, 6803659}};
    message_bytes = 100 * MI;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster = variant(rows[i].ranks, 1, 100 * KI);
        char id[48];
        snprintf(id, sizeof id, "broadcast/tree/%u", rows[i].ranks);
        hold(id, "100 MiB to so many processes by a binary tree; s", ORIGINAL, rows[i].seconds,
             rows[i].events, simulate(&cluster, rows[i].ranks, broadcast, NULL));
    }
    static const struct {
        const char *id, *method;
        uint32_t ranks;
        double seconds;
    } rounded[] = {{"broadcast/tree/1024", "BinaryTree", 1024, 76.5},
                   {"broadcast/tree-in-turn/256", "BinaryTreeInTurn", 256, 11.2},
                   {"broadcast/pipelined/256", "Pipelined", 256, 5.3}};
    for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++) {
        struct fth_sim_cluster cluster = variant(rounded[i].ranks, 1, 100 * KI);
        compare(rounded[i].id, "100 MiB to so many processes; s", ORIGINAL, rounded[i].seconds,
                simulate(&cluster, rounded[i].ranks, broadcast, rounded[i].method).seconds, 0.05);
    }
    struct fth_sim_cluster cluster = variant(4, 1, 100 * KI);
    compare("broadcast/receiver", "events per receiver, 4 processes", THESIS "section 7.2.2",
            80047 / 3.0, (double)simulate(&cluster, 4, broadcast, NULL).events / 3, 0);
}

static bool to_oneself(const struct fth_sim_program *program, uint32_t rank,
                       struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    (void)rank;
    *command = (struct fth_sim_command){.verb = FTH_SIM_SENDRECV, .bytes = message_bytes};
    return cursor->at++ == 0;
}

/* What is sent to oneself goes through the NIC: 24 us for each MiB. */
static void validate_to_oneself(void)
{
    message_bytes = 100 * MI;
    struct fth_sim_cluster cluster = variant(1, 1, 100 * KI);
    compare("oneself/100-MiB", "a message to oneself, us for each MiB", ORIGINAL, 24,
            simulate(&cluster, 1, to_oneself, NULL).seconds * 1e6 / 100, 0.5);
}

static bool barrier(const struct fth_sim_program *program, uint32_t rank,
                    struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    (void)rank;
    *command = (struct fth_sim_command){.verb = FTH_SIM_BARRIER};
    return cursor->at++ == 0;
}

/* Rounds of messages, one of each process, among 2, 4, 8 and so on. */
static void validate_barrier(void)
{
    static const unsigned rounds[] = {1, 2, 3, 4, 5, 6, 6, 7, 8, 8, 9, 10};
    for (unsigned i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        struct fth_sim_cluster cluster = variant(2u << i, 1, 100 * KI);
        cluster.methods[FTH_SIM_BARRIER] = fth_sim_method(FTH_SIM_BARRIER, "Dissemination");
        char id[48];
        snprintf(id, sizeof id, "barrier/rounds/%u", 2u << i);
        compare(id, "rounds of messages of a barrier of so many processes", ORIGINAL, rounds[i],
                (double)simulate(&cluster, 2u << i, barrier, NULL).messages / (2u << i), 0);
    }
}

static bool reduction(const struct fth_sim_program *program, uint32_t rank,
                      struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    (void)rank;
    *command = (struct fth_sim_command){.verb = FTH_SIM_REDUCE, .bytes = message_bytes};
    return cursor->at++ == 0;
}

/* Reductions by halves. Of 16 processes on 8 nodes the ones at distance 8 share a node: beginning
 * with the neighbour, 7/8 of the data of both cross its link, and 7/16 come with the parts (from
 * the farthest on it would be 7/16 and 7/16, a third less). Reducing takes an instruction for each
 * byte. */
static void validate_reduction(void)
{
    message_bytes = 100 * MI;
    struct fth_sim_cluster cluster = variant(8, 2, 100 * KI);
    cluster.methods[FTH_SIM_REDUCE] = fth_sim_method(FTH_SIM_REDUCE, "HalvingTree");
    double reduced = 15 / 16.0 * 100 * MI / 2660e6, link = 100.0 * MI / 75392614;
    compare("reduce/16-8", "100 MiB of 16 processes on 8 nodes; s",
            "arithmetic: what PIOsimHD sends over the links of nodes",
            2 * 21 / 16.0 * link + reduced, simulate(&cluster, 16, reduction, NULL).seconds, 0.1);
    cluster = variant(1, 1, 100 * KI);
    const struct fth_sim_speed free = {.throughput = UINT64_C(1) << 60};
    cluster.nic.speed = cluster.nic_edge.speed = cluster.socket.speed = free;
    cluster.methods[FTH_SIM_REDUCE] = fth_sim_method(FTH_SIM_REDUCE, "HalvingTree");
    compare("reduce/arithmetic", "what four processes reduce of 100 MiB; ms", ORIGINAL,
            3 / 4.0 * 100 * MI / 2660e6 * 1e3, simulate(&cluster, 4, reduction, NULL).seconds * 1e3,
            1e-3);
}

/* NICs that alone are busy take fewer events: two components in the place of 13, and one packet for
 * a message in the place of a thousand. */
static void validate_analytical(void)
{
    message_bytes = 100 * MI;
    struct fth_sim_cluster cluster = variant(2, 1, 100 * KI);
    double events = (double)simulate(&cluster, 2, broadcast, NULL).events;
    cluster.is_analytical = true;
    compare("analytical/events", "1025 packets of data and one that is ready, and steps",
            "arithmetic: a packet comes and goes at two NICs", 1026 * 4 + 9,
            (double)simulate(&cluster, 2, broadcast, NULL).events, 0);
    compare("analytical/packets", "how many times fewer events: four to five times faster",
            THESIS "section 7.2.3", 4.5,
            events / (double)simulate(&cluster, 2, broadcast, NULL).events, 0.5);
    cluster.packet = 200 * MI;
    compare("analytical/messages", "the same with messages of one packet: about 1,000 times fewer",
            THESIS "section 7.2.3", 1000,
            events / (double)simulate(&cluster, 2, broadcast, NULL).events, 300);
}

/* Ways to broadcast 100 MiB, one process per node; ms. */
static void validate_methods(void)
{
    static const uint32_t ranks[] = {2, 4, 5, 8, 10};
    static const struct {
        const char *method;
        double published[5];
    } rows[] = {
        {"DirectInTurn", {1392, 4174, 5565, 9737, 12520}},
        {"BinaryTreeInTurn", {1392, 2796, 4186, 4199, 5590}},
        {"BinaryTree", {1392, 4173, 5565, 8343, 9736}},
        {"BinaryTreeBlockwise", {1392, 2796, 4188, 4213, 5607}},
        {"Pipelined", {1392, 1423, 1439, 1485, 1516}},
        {"ScatterRing", {1394, 2105, 2246, 2472, 2546}},
    };
    message_bytes = 100 * MI;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < 5; j++) {
            struct fth_sim_cluster cluster = variant(ranks[j], 1, 100 * KI);
            char id[48];
            snprintf(id, sizeof id, "broadcast/%s/%u", rows[i].method, ranks[j]);
            compare(id, "100 MiB to so many processes, each on a node; ms", REFERENCE_MODEL,
                    rows[i].published[j],
                    simulate(&cluster, ranks[j], broadcast, rows[i].method).seconds * 1e3,
                    0.005 * rows[i].published[j]);
        }
}

/* Several sends of one process in turn. A send ends when its last packet has left the NIC, and what
 * waits behind that for the slow link shares it with the next send: three packets fewer than the
 * independent model lets wait, so that who is served first has all that much earlier. */
static void validate_in_turn(void)
{
    static const double by_model[] = {2795.675971, 4186.497118}; /* ms, with digits */
    static const uint32_t ranks[] = {4, 5};
    message_bytes = 100 * MI;
    for (size_t i = 0; i < 2; i++) {
        struct fth_sim_cluster cluster = variant(ranks[i], 1, 100 * KI);
        double packet = 100.0 * KI / 75392614 * 1e3;
        char id[48];
        snprintf(id, sizeof id, "in-turn/BinaryTreeInTurn/%u", ranks[i]);
        compare(id, "the time of that model less three packets of the slow link; ms", ORIGINAL,
                by_model[i] - 3 * packet,
                simulate(&cluster, ranks[i], broadcast, "BinaryTreeInTurn").seconds * 1e3, 1e-3);
    }
}

/* The same of 10 KiB, in packets of 512 B; ms. The headers that our messages have make one packet
 * more of each twenty. */
static void validate_small(void)
{
    static const uint32_t ranks[] = {2, 4, 5, 8, 10};
    static const struct {
        const char *method;
        double published[5];
    } rows[] = {
        {"DirectInTurn", {0.184, 0.457, 0.593, 1.002, 1.275}},
        {"BinaryTreeInTurn", {0.184, 0.423, 0.559, 0.661, 0.798}},
        {"BinaryTreeBlockwise", {0.184, 0.491, 0.634, 0.926, 1.076}},
        {"Pipelined", {0.184, 0.552, 0.737, 1.289, 1.657}},
        {"Pipelined512", {0.234, 0.344, 0.399, 0.564, 0.674}},
        {"ScatterRing", {0.232, 0.492, 0.548, 0.807, 0.891}},
    };
    message_bytes = 10 * KI;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < 5; j++) {
            struct fth_sim_cluster cluster = variant(ranks[j], 1, 512);
            char id[48];
            snprintf(id, sizeof id, "broadcast-10K/%s/%u", rows[i].method, ranks[j]);
            compare(id, "10 KiB to so many processes, each on a node; ms", REFERENCE_MODEL,
                    rows[i].published[j],
                    simulate(&cluster, ranks[j], broadcast, rows[i].method).seconds * 1e3,
                    0.035 * rows[i].published[j]);
        }
}

/* Nodes with two sockets and several processes; ms. */
static void validate_placed(void)
{
    static const struct {
        uint32_t nodes, ranks;
        const char *method;
        double large, small; /* 100 MiB, 10 KiB; 0: not published */
    } rows[] = {
        {2, 9, "Pipelined", 5620, 0},
        {2, 9, "PipelinedSMP", 1396, 0},
        {2, 9, "BinaryTreeInTurn", 5676, 0},
        {2, 9, "DirectInTurn", 5621, 0},
        {5, 10, "Pipelined", 2856, 1.658},
        {5, 10, "PipelinedSMP", 1441, 0.794},
        {5, 10, "PipelinedSMP512", 0, 0.411},
        {5, 10, "BinaryTreeInTurn", 6983, 0.872},
        {5, 10, "DirectInTurn", 11144, 0},
        {10, 20, "Pipelined", 3005, 3.499},
        {10, 20, "PipelinedSMP", 1520, 1.733},
        {10, 20, "PipelinedSMP512", 0, 0.692},
        {10, 20, "BinaryTreeInTurn", 11113, 1.240},
        {10, 20, "DirectInTurn", 25052, 0},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        bool is_small = i % 2;
        double published = is_small ? rows[i / 2].small : rows[i / 2].large;
        struct fth_sim_cluster cluster = variant(rows[i / 2].nodes, 2, is_small ? 512 : 100 * KI);
        message_bytes = is_small ? 10 * KI : 100 * MI;
        char id[64];
        snprintf(id, sizeof id, "broadcast%s/%s/%u-%u", is_small ? "-10K" : "", rows[i / 2].method,
                 rows[i / 2].nodes, rows[i / 2].ranks);
        if (published > 0)
            compare(id, "to so many processes on so many nodes; ms", REFERENCE_MODEL, published,
                    simulate(&cluster, rows[i / 2].ranks, broadcast, rows[i / 2].method).seconds *
                        1e3,
                    0.015 * published);
    }
}

/* Within a node with two sockets, 10 KiB over a binary tree; us. */
static void validate_local(void)
{
    static const struct {
        uint32_t ranks;
        double published;
    } rows[] = {{2, 3.81}, {4, 9.26}, {6, 14.1}, {8, 19.3}, {10, 24.0}, {12, 28.8}};
    message_bytes = 10 * KI;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster = variant(1, 2, 512);
        char id[48];
        snprintf(id, sizeof id, "broadcast-10K/local/%u", rows[i].ranks);
        compare(id, "10 KiB over a binary tree within a node; us", REFERENCE_MODEL,
                rows[i].published,
                simulate(&cluster, rows[i].ranks, broadcast, "BinaryTreeInTurn").seconds * 1e6,
                0.02 * rows[i].published);
    }
}

static void validate_large(void)
{
    struct fth_sim_cluster socket = variant(1, 1, 100 * KI), sockets = variant(1, 2, 100 * KI);
    message_bytes = (uint64_t)100000 * MI;
    struct outcome outcome = simulate(&socket, 2, one_way, NULL);
    compare("large/socket/time", "100,000 MiB in one socket; s", ORIGINAL, 26.447924681,
            outcome.seconds, 1.1e-7);
    compare("large/socket/events", "100,000 MiB in one socket", ORIGINAL, 10240035,
            (double)outcome.events, 0);
    message_bytes = (uint64_t)100 * KI * MI;
    outcome = simulate(&sockets, 2, one_way, NULL);
    compare("large/sockets/events", "100 GiB from one socket to another", ORIGINAL, 18874427,
            (double)outcome.events, 0);
}

void validate_messages(void)
{
    struct fth_error *error = NULL;
    if (!fth_sim_reads_clusters) {
        puts("Messages are left out: this was built without libyaml.");
        return;
    }
    if (fth_sim_cluster_read(&pvs, reference_cluster, &error)) {
        compare("messages", fth_error_text(error), "clusters/pvs.yaml", 1, 0, 0);
        fth_error_free(error);
        return;
    }
    pvs.cores = 0;
    validate_ping_pong();
    validate_broadcast();
    validate_to_oneself();
    validate_barrier();
    validate_reduction();
    validate_analytical();
    validate_methods();
    validate_in_turn();
    validate_small();
    validate_placed();
    validate_local();
    validate_large();
}
