/* Files on servers: the runs of the original simulator with five clients and five servers. */
#include "case.h"
#include "servers.h"

#include <stdio.h>

void validate_files(void)
{
    static const struct {
        const char *id, *cache;
        enum fth_sim_verb verb;
        uint64_t calls;
        double seconds, ends; /* ends: of processes; 0: not known */
        double events;
    } rows[] = {
        {"files/level-0/write", "AggregationReorder", FTH_SIM_FILE_WRITE, 10, 14.588375008, 0,
         1349496},
        {"files/level-0/read", "AggregationReorder", FTH_SIM_FILE_READ, 10, 16.142320296, 0,
         1340562},
        {"files/level-2/write", "AggregationReorder", FTH_SIM_FILE_WRITE, 1, 14.581893189, 0,
         1336352},
        {"files/level-2/read", "AggregationReorder", FTH_SIM_FILE_READ, 1, 14.769719698, 0,
         1333419},
        {"files/no-cache", "NoCache", FTH_SIM_FILE_WRITE, 10, 145.380872495, 145.367, 0},
        {"files/write-behind", "WriteBehind", FTH_SIM_FILE_WRITE, 10, 145.380872495, 13.936, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster;
        char id[64];
        if (!cluster_with_servers(&cluster, rows[i].cache, 5, 5))
            return; /* messages.c says so */
        cluster.sockets = 1;
        cluster.methods[FTH_SIM_SCATTER] = fth_sim_method(FTH_SIM_SCATTER, "BinaryTreeReady");
        cluster.methods[FTH_SIM_ALLGATHER] = fth_sim_method(FTH_SIM_ALLGATHER, "Ring");
        struct outcome ours =
            simulate_accesses(&cluster, 5,
                              &(struct accesses){rows[i].verb, rows[i].calls, 10 / rows[i].calls,
                                                 100 * MI, .opens = true});
        compare(rows[i].id, "5 clients, 5 servers, 10 x 100 MiB each: s, with what caches write",
                ORIGINAL, rows[i].seconds, ours.seconds, 2e-8);
        snprintf(id, sizeof id, "%s/ends", rows[i].id);
        if (rows[i].ends > 0)
            compare(id, "the same, until the processes end: s", ORIGINAL, rows[i].ends, ours.ends,
                    0.001 * rows[i].ends);
        snprintf(id, sizeof id, "%s/events", rows[i].id);
        if (rows[i].events > 0)
            compare(id, "events", ORIGINAL, rows[i].events, (double)ours.events, 0);
    }
}
