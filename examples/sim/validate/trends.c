/* What is said of collective calls without numbers: which of two is faster, and where times jump
 * (Kunkel 2013, sections 7.6 and 7.10). 1 is published; ours is 1 if it is so here, else 0. */
#include "case.h"

#include "sim/plan/cluster.h"
#include "sim/run/run.h"

enum { KI = 1024, MI = KI * KI };

static struct fth_sim_cluster pvs;
static struct fth_sim_command command; /* of all processes */

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *next)
{
    (void)program;
    (void)rank;
    *next = command;
    return cursor->at++ == 0;
}

/* Nanoseconds that a call among so many processes on so many nodes takes, as MPICH does it. */
static int64_t time_of(enum fth_sim_verb verb, uint32_t nodes, uint32_t ranks, uint64_t bytes)
{
    struct fth_sim_cluster cluster = pvs;
    struct fth_sim_program program = {.ranks = ranks, .next = next};
    cluster.nodes = nodes;
    cluster.packet = bytes > MI ? 100 * KI : 512;
    for (enum fth_sim_verb each = 0; each < FTH_SIM_VERBS; each++) {
        const struct fth_sim_method *method = fth_sim_method_of_family("Tuned", each);
        if (method)
            cluster.methods[each] = method;
    }
    command = (struct fth_sim_command){.verb = verb, .bytes = bytes};
    struct fth_sim_world *world = fth_sim_world_new(&cluster, &program, NULL);
    fth_sim_world_run(world);
    int64_t time = fth_sim_world_time(world);
    fth_sim_world_free(world);
    return time;
}

static void claim(const char *id, const char *what, const char *source, bool holds)
{
    compare(id, what, source, 1, holds, 0);
}

static void validate_barriers(void)
{
    int64_t times[11];
    bool jumps = true;
    for (uint32_t nodes = 2; nodes <= 10; nodes++) {
        times[nodes] = time_of(FTH_SIM_BARRIER, nodes, nodes, 0);
        bool is_jump = nodes == 3 || nodes == 5 || nodes == 9;
        if (nodes > 2 && is_jump != (times[nodes] > times[nodes - 1] * 11 / 10))
            jumps = false;
    }
    claim("trend/barrier/nodes", "grows at 3, 5 and 9 nodes", THESIS "section 7.6", jumps);
    claim("trend/barrier/4-8", "8 processes are faster on 4 nodes than on 8", THESIS "section 7.6",
          time_of(FTH_SIM_BARRIER, 4, 8, 0) < times[8]);
}

static void validate_reductions(void)
{
    int64_t eight = time_of(FTH_SIM_REDUCE, 1, 8, 10 * MI);
    claim("trend/reduce/1-6", "10 MiB in a node: 8 processes are faster than 6",
          THESIS "section 7.6", eight < time_of(FTH_SIM_REDUCE, 1, 6, 10 * MI));
    claim("trend/reduce/1-7", "10 MiB in a node: 8 processes are faster than 7",
          THESIS "section 7.6", eight < time_of(FTH_SIM_REDUCE, 1, 7, 10 * MI));
    claim("trend/reduce/nodes", "10 KiB: does not only grow with the number of nodes",
          THESIS "section 7.6",
          time_of(FTH_SIM_REDUCE, 8, 8, 10 * KI) < time_of(FTH_SIM_REDUCE, 5, 5, 10 * KI));
}

static void validate_parts(void)
{
    int64_t six = time_of(FTH_SIM_SCATTER, 1, 6, 10 * MI),
            seven = time_of(FTH_SIM_SCATTER, 1, 7, 10 * MI),
            eight = time_of(FTH_SIM_SCATTER, 1, 8, 10 * MI);
    claim("trend/scatter", "10 MiB in a node: jumps from 7 processes to 8", THESIS "section 7.6",
          eight - seven > (seven - six) * 3 / 2);
    claim("trend/allgather/2-9", "10 MiB: 9 processes on 2 nodes are slower than 10 on 10",
          THESIS "section 7.6",
          time_of(FTH_SIM_ALLGATHER, 2, 9, 10 * MI) > time_of(FTH_SIM_ALLGATHER, 10, 10, 10 * MI));
    compare("trend/allgather/2-11", "10 KiB of 11 processes on 2 nodes: ms, measured",
            THESIS "section 7.6", 7, (double)time_of(FTH_SIM_ALLGATHER, 2, 11, 10 * KI) * 1e-6,
            0.7);
    compare("trend/allgather/10-20", "10 KiB of 20 processes on 10 nodes: ms, measured",
            THESIS "section 7.6", 7, (double)time_of(FTH_SIM_ALLGATHER, 10, 20, 10 * KI) * 1e-6,
            1.4);
    compare("trend/allgather/10-10", "10 KiB of 10 processes on 10 nodes: ms, measured",
            THESIS "section 7.6", 7, (double)time_of(FTH_SIM_ALLGATHER, 10, 10, 10 * KI) * 1e-6,
            1.4);
}

static void validate_broadcasts(void)
{
    int64_t seven = time_of(FTH_SIM_BCAST, 7, 7, 100 * MI),
            eight = time_of(FTH_SIM_BCAST, 8, 8, 100 * MI);
    claim("trend/bcast/8", "100 MiB: faster from 8 processes on, by scatter and allgather",
          THESIS "section 7.10", eight < seven);
    compare("trend/bcast/1-10", "10 KiB to 10 processes of a node: us", THESIS "section 7.6", 23.5,
            (double)time_of(FTH_SIM_BCAST, 1, 10, 10 * KI) * 1e-3, 1);
}

void validate_trends(void)
{
    if (!fth_sim_reads_clusters || fth_sim_cluster_read(&pvs, reference_cluster, NULL))
        return; /* messages.c says so */
    pvs.cores = 0;
    validate_barriers();
    validate_reductions();
    validate_parts();
    validate_broadcasts();
}
