/* What servers with disks, or with memory as fast as tmpfs, give to clients on the reference
 * cluster (Kunkel 2013, section 7.7). */
#include "case.h"
#include "servers.h"

#include <stdio.h>

/* 15 clients write 10 GiB each to five servers: with little memory the first server falls behind.
 */
static void validate_memory(void)
{
    static const struct accesses accesses = {FTH_SIM_FILE_WRITE, 100, 1, 100 * MI, false, false};
    struct fth_sim_cluster cluster;
    if (!cluster_with_servers(&cluster, "AggregationReorder", 15, 5))
        return;
    cluster.servers.memory = UINT64_C(1) << 30;
    compare("rates/memory/1-GiB", "15 clients, each on a node, 1 GiB of memory: s",
            THESIS "section 7.7.6", 410, simulate_accesses(&cluster, 15, &accesses).ends, 20);
    cluster.servers.memory = 100 * MI;
    compare("rates/memory/100-MiB", "the same with 100 MiB: s", THESIS "section 7.7.6", 700,
            simulate_accesses(&cluster, 15, &accesses).ends, 70);
    static const struct accesses fewer = {FTH_SIM_FILE_WRITE, 10, 1, 100 * MI, false, false};
    cluster.servers.memory = UINT64_C(10) << 30;
    double much = simulate_accesses(&cluster, 5, &fewer).ends;
    cluster.servers.memory = 400 * MI;
    compare("rates/memory/400-MiB", "5 clients with 400 MiB, as with 10 GiB: s",
            THESIS "section 7.7.4", much, simulate_accesses(&cluster, 5, &fewer).ends, 0.02 * much);
}

/* All that five clients write to five servers goes over the links of forwarders. */
static void validate_forwarders(void)
{
    static const struct accesses accesses = {FTH_SIM_FILE_WRITE, 10, 1, 100 * MI, false, false};
    struct fth_sim_cluster cluster;
    if (!cluster_with_servers(&cluster, "AggregationReorder", 5, 5))
        return;
    for (uint32_t count = 1; count <= 2; count++) {
        char id[64];
        cluster.servers.forwarders = count;
        snprintf(id, sizeof id, "rates/forwarders/%u", count);
        compare(id, "five and five, through so many forwarders; of two, one has three clients",
                "arithmetic: their links", count == 1 ? 71.9 : 5 / 3.0 * 71.9,
                5000 / simulate_accesses(&cluster, 5, &accesses).ends, 1.5 * count);
    }
}

void validate_rates(void)
{
    validate_memory();
    validate_forwarders();
    static const struct {
        const char *id, *what;
        uint32_t clients, nodes, servers;
        enum { DISK, MEMORY, SHARED } where; /* SHARED: disks, on the nodes of the processes */
        enum fth_sim_verb verb;
        uint64_t calls, parts, record, packet; /* record, packet: KiB; packet 0: 100 */
        double rate, tolerance;                /* MiB/s */
        const char *source;
    } rows[] = {
        {"rates/1C-1S", "one client, one server, tmpfs, 100 MiB", 1, 1, 1, MEMORY,
         FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 0, 70, 3, THESIS "section 7.7.3"},
        {"rates/1C-1S/collective", "the same, collective calls", 1, 1, 1, MEMORY,
         FTH_SIM_FILE_WRITE_ALL, 10, 1, 100 * KI, 0, 70, 3, THESIS "section 7.7.3"},
        {"rates/1C-1S/parts", "the same, all records in one call", 1, 1, 1, MEMORY,
         FTH_SIM_FILE_WRITE, 1, 10, 100 * KI, 0, 70, 3, THESIS "section 7.7.3"},
        {"rates/5C-5S", "five and five", 5, 5, 5, MEMORY, FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 0,
         350, 10, THESIS "section 7.7.3"},
        {"rates/8C-8S", "eight and eight", 8, 8, 8, MEMORY, FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 0,
         570, 10, THESIS "section 7.7.5"},
        {"rates/3C-2S", "three and two", 3, 3, 2, MEMORY, FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 0,
         144, 6, THESIS "section 7.7.3"},
        {"rates/1C-1S/collective-parts", "one and one, all records in one collective call", 1, 1, 1,
         MEMORY, FTH_SIM_FILE_WRITE_ALL, 1, 10, 100 * KI, 0, 70, 5, THESIS "section 7.7.3"},
        {"rates/2C-2S/collective-parts", "two and two: 50 measured, at most 20 more", 2, 2, 2,
         MEMORY, FTH_SIM_FILE_WRITE_ALL, 1, 10, 100 * KI, 0, 70, 5, THESIS "section 7.7.3"},
        {"rates/3C-3S/collective-parts", "three and three: 120 measured at best, at most 20 more",
         3, 3, 3, MEMORY, FTH_SIM_FILE_WRITE_ALL, 1, 10, 100 * KI, 0, 130, 10,
         THESIS "section 7.7.3"},
        {"rates/5C-5S/100-KiB", "records of 100 KiB", 5, 5, 5, MEMORY, FTH_SIM_FILE_WRITE, 10240, 1,
         100, 0, 220, 11, THESIS "section 7.7.3"},
        {"rates/5C-5S/100-KiB/collective", "the same, collective calls", 5, 5, 5, MEMORY,
         FTH_SIM_FILE_WRITE_ALL, 10240, 1, 100, 0, 220, 11, THESIS "section 7.7.3"},
        {"rates/5C-5S/100-KiB/parts", "the same, all records in one call", 5, 5, 5, MEMORY,
         FTH_SIM_FILE_WRITE, 1, 10240, 100, 0, 350, 17, THESIS "section 7.7.3"},
        {"rates/5C-5S/100-KiB/collective-parts", "the same, all records in one collective call", 5,
         5, 5, MEMORY, FTH_SIM_FILE_WRITE_ALL, 1, 10240, 100, 0, 200, 10, THESIS "section 7.7.3"},
        {"rates/3C-3S/100-KiB", "three and three, records of 100 KiB", 3, 3, 3, MEMORY,
         FTH_SIM_FILE_WRITE, 10240, 1, 100, 0, 132, 6, THESIS "section 7.7.3"},
        {"rates/3C-3S/100-KiB/packets", "the same, packets of 10 KiB", 3, 3, 3, MEMORY,
         FTH_SIM_FILE_WRITE, 10240, 1, 100, 10, 111, 6, THESIS "section 7.7.3"},
        {"rates/2C-3S/collective", "collective reads of 100 KiB by two clients: at most 95", 2, 2,
         3, MEMORY, FTH_SIM_FILE_READ_ALL, 1024, 1, 100, 0, 100, 20, THESIS "section 7.7.3"},
        {"rates/5C-5S/disk/write", "disks, 100 MiB", 5, 5, 5, DISK, FTH_SIM_FILE_WRITE, 10, 1,
         100 * KI, 0, 350, 17, THESIS "section 7.7.5"},
        {"rates/2C-3S/disk/parts", "two clients, three servers, all records in one call", 2, 2, 3,
         DISK, FTH_SIM_FILE_WRITE, 1, 10, 100 * KI, 0, 143.8, 1, THESIS "section 7.7.4"},
        {"rates/5C-5S/disk/100-KiB/read", "disks, reads of 100 KiB", 5, 5, 5, DISK,
         FTH_SIM_FILE_READ, 1024, 1, 100, 0, 190, 38, THESIS "section 7.7.4"},
        {"rates/5C-5S/disk/100-KiB/collective-read", "the same, collective", 5, 5, 5, DISK,
         FTH_SIM_FILE_READ_ALL, 1024, 1, 100, 0, 25, 5, THESIS "section 7.7.4"},
        {"rates/30-processes", "30 processes on five nodes, disks", 30, 5, 5, DISK,
         FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 0, 350, 17, THESIS "section 7.7.5"},
        {"rates/30-processes/collective", "the same, collective calls", 30, 5, 5, DISK,
         FTH_SIM_FILE_WRITE_ALL, 10, 1, 100 * KI, 0, 350, 17, THESIS "section 7.7.5"},
        {"rates/30-processes/parts", "the same, all records in one call", 30, 5, 5, DISK,
         FTH_SIM_FILE_WRITE, 1, 10, 100 * KI, 0, 350, 17, THESIS "section 7.7.5"},
        {"rates/30-processes/read", "the same, reads", 30, 5, 5, DISK, FTH_SIM_FILE_READ, 10, 1,
         100 * KI, 0, 350, 17, THESIS "section 7.7.5"},
        {"rates/30-processes/parts-read", "the same, reads of all records in one call", 30, 5, 5,
         DISK, FTH_SIM_FILE_READ, 1, 10, 100 * KI, 0, 350, 17, THESIS "section 7.7.5"},
        {"rates/overlapping", "eight nodes with a client and a server each, disks", 8, 8, 8, SHARED,
         FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 0, 600, 60, THESIS "section 7.7.5"},
        {"rates/checkpoint", "488 MiB by one client", 1, 1, 2, DISK, FTH_SIM_FILE_WRITE, 1, 1,
         488 * KI, 0, 71.9, 0.4, "arithmetic: the client's link"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster;
        if (!cluster_with_servers(&cluster, "AggregationReorder", rows[i].nodes, rows[i].servers))
            return; /* messages.c says so */
        cluster.servers.shared = rows[i].where == SHARED;
        if (rows[i].where == MEMORY)
            put_in_memory(&cluster);
        if (rows[i].packet)
            cluster.packet = rows[i].packet * KI;
        struct accesses accesses = {rows[i].verb,        rows[i].calls, rows[i].parts,
                                    rows[i].record * KI, false,         false};
        struct outcome ours = simulate_accesses(&cluster, rows[i].clients, &accesses);
        double mebibytes =
            (double)(rows[i].calls * rows[i].parts * rows[i].record * rows[i].clients) / KI;
        compare(rows[i].id, rows[i].what, rows[i].source, rows[i].rate, mebibytes / ours.ends,
                rows[i].tolerance);
    }
}
