/* How fast the simulator is: broadcasts of 100 MiB over a binary tree, packets of 100 KiB, one
 * process per node.
 *
 *     broadcast [--packets] PROCESSES...
 *
 * For each number of processes: time to build, events, how many of them trains counted, events per
 * second of CPU time, the time in the simulation, the peak of memory. With --packets there are no
 * trains. */
#include "sim/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)program;
    (void)rank;
    *command = (struct fth_sim_command){.verb = FTH_SIM_BCAST, .bytes = 100 << 20};
    return cursor->at++ == 0;
}

/* The cluster of clusters/pvs.yaml, with one socket per node. */
static const struct fth_sim_cluster pvs = {
    .sockets = 1,
    .instructions = 2660000000,
    .step_instructions = 3,
    .packet = 102400,
    .overhead = 40,
    .eager = 102400,
    .nic = {"NIC", {.throughput = UINT64_C(40) << 30}},
    .nic_edge = {"NIC edge", {.throughput = UINT64_C(3781) << 20, .latency = 79}},
    .socket = {"socket", {.throughput = UINT64_C(3778) << 20, .local = UINT64_C(4556) << 20}},
    .socket_edge = {"socket edge", {.throughput = UINT64_C(3427) << 20, .latency = 38}},
    .node = {"node", {.throughput = UINT64_C(10864) << 20}},
    .node_edge = {"node edge", {.throughput = 75392614, .latency = 19982}},
    .hub = {"switch", {.throughput = 48000000000}},
};

int main(int argc, char **argv)
{
    bool plays_all = argc > 1 && !strcmp(argv[1], "--packets");
    printf("%10s %10s %14s %10s %10s %12s %16s %10s\n", "processes", "build s", "events", "counted",
           "run s", "events/s", "simulated s", "peak MiB");
    for (int i = 1 + plays_all; i < argc; i++) {
        struct fth_sim_cluster cluster = pvs;
        struct fth_sim_program program = {.ranks = (uint32_t)strtoul(argv[i], NULL, 10),
                                          .next = next};
        if (!program.ranks)
            continue;
        cluster.nodes = program.ranks;
        double start = cpu_seconds();
        struct fth_sim_world *world = fth_sim_world_new(&cluster, &program, NULL);
        if (plays_all)
            fth_sim_world_play_all(world);
        double built = cpu_seconds();
        fth_sim_world_run(world);
        double seconds = cpu_seconds() - built, events = (double)fth_sim_world_events(world);
        double counted = (double)fth_sim_network_counted(fth_sim_world_network(world));
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        printf("%10u %10.3f %14.0f %8.1f %% %10.3f %10.1f M %16.9f %10ld\n", program.ranks,
               built - start, events, counted / events * 100, seconds, events / seconds * 1e-6,
               (double)fth_sim_world_time(world) * 1e-9, usage.ru_maxrss / 1024);
        fth_sim_world_free(world);
    }
    return 0;
}
