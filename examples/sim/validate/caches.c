/* One client and one server, over a network that costs nothing: what its disk and its cache make of
 * accesses of all sizes (Kunkel 2013, section 7.5.2). */
#include "case.h"
#include "servers.h"

#include <stdio.h>

/* MiB/s when 1280 MiB were accessed in records of so many KiB. */
static double rate(const char *cache, uint64_t memory, enum fth_sim_verb verb, uint64_t record,
                   bool at_random)
{
    const struct fth_sim_speed free = {.throughput = UINT64_C(1000) << 30};
    struct fth_sim_cluster cluster;
    if (!cluster_with_servers(&cluster, cache, 1, 1))
        return 0;
    cluster.sockets = 1;
    cluster.servers.memory = memory;
    cluster.nic.speed = cluster.nic_edge.speed = cluster.socket.speed = free;
    cluster.socket_edge.speed = cluster.node.speed = cluster.node_edge.speed = free;
    cluster.hub.speed = free;
    struct accesses accesses = {verb, 1280 * KI / record, 1, record * KI, at_random, false};
    return 1280 / simulate_accesses(&cluster, 1, &accesses).seconds;
}

static void validate_sizes(void)
{
    static const struct {
        const char *name;
        enum fth_sim_verb verb;
        double sequential, tolerance;
    } rows[] = {{"write", FTH_SIM_FILE_WRITE, 95.9, 0.2}, {"read", FTH_SIM_FILE_READ, 95.2, 0.8}};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t record = 16; record <= 8192; record *= 2) {
            char id[64];
            snprintf(id, sizeof id, "cache/sequential-%s/%u", rows[i].name, (unsigned)record);
            compare(id, "one record of so many KiB behind the other, NoCache: MiB/s",
                    THESIS "section 7.5.2", rows[i].sequential,
                    rate("NoCache", UINT64_C(1) << 30, rows[i].verb, record, false),
                    rows[i].tolerance);
            snprintf(id, sizeof id, "cache/random-%s/%u", rows[i].name, (unsigned)record);
            double mebibytes = (double)record / KI;
            double published = mebibytes / (0.009 + 30.0 / 7200 + mebibytes / 96);
            compare(id, "records of so many KiB at random, NoCache: MiB/s, to 0.2 %",
                    THESIS "section 7.5.2, formula 7.6", published,
                    rate("NoCache", UINT64_C(1) << 30, rows[i].verb, record, true),
                    0.002 * published);
        }
}

/* The more memory, the more of what is written at random lies close together. */
static void validate_memory(void)
{
    static const struct {
        uint64_t memory; /* MiB */
        double rate, tolerance;
    } rows[] = {
        {200, 1.7, 0.05},
        {500, 3.1, 0.05},
        {1024, 12, 0.6},
        {1300, 12, 0.6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char id[64];
        snprintf(id, sizeof id, "cache/memory/%u", (unsigned)rows[i].memory);
        compare(id, "16 KiB at random, AggregationReorder with so many MiB: MiB/s",
                THESIS "section 7.5.2", rows[i].rate,
                rate("AggregationReorder", rows[i].memory * MI, FTH_SIM_FILE_WRITE, 16, true),
                rows[i].tolerance);
    }
}

void validate_caches(void)
{
    if (!fth_sim_reads_clusters)
        return; /* messages.c says so */
    validate_sizes();
    validate_memory();
}
