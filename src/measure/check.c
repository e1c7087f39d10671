/* Holds the simulator against what was measured: the same messages, on the cluster that was made of
 * them. */
#include "measure/machine.h"

#include "sim/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A message there and back, or one in each direction. */
struct talk {
    struct fth_sim_program program;
    uint64_t bytes;
    bool both;
};

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct talk *talk = (const struct talk *)(const void *)program;
    uint32_t other = 1 - rank, at = cursor->at++;
    *command = (struct fth_sim_command){.to = other, .from = other, .bytes = talk->bytes};
    if (talk->both) {
        command->verb = FTH_SIM_SENDRECV;
        return at == 0;
    }
    command->verb = at == rank ? FTH_SIM_SEND : FTH_SIM_RECV;
    return at < 2;
}

static uint64_t value_of(const struct fth_measured *measured, const char *part, const char *key)
{
    const struct fth_machine_parameter *parameter = fth_parameter_find(measured, part, key);
    return parameter ? (uint64_t)parameter->value : 0;
}

static struct fth_sim_part part_of(const struct fth_measured *measured, const char *name)
{
    return (struct fth_sim_part){name,
                                 {.throughput = value_of(measured, name, "throughput"),
                                  .local = value_of(measured, name, "local"),
                                  .latency = (int64_t)value_of(measured, name, "latency")}};
}

struct fth_sim_cluster fth_measured_cluster(const struct fth_measured *measured,
                                            enum fth_placement placement)
{
    return (struct fth_sim_cluster){.nodes = placement == FTH_TWO_NODES ? 2 : 1,
                                    .sockets = placement == FTH_SAME_NODE ? 2 : 1,
                                    .instructions = value_of(measured, "", "instructions"),
                                    .step_instructions = 1,
                                    .packet = value_of(measured, "network", "packet"),
                                    .overhead = value_of(measured, "network", "overhead"),
                                    .nic = part_of(measured, "nic"),
                                    .nic_edge = part_of(measured, "nic edge"),
                                    .socket = part_of(measured, "socket"),
                                    .socket_edge = part_of(measured, "socket edge"),
                                    .node = part_of(measured, "node"),
                                    .node_edge = part_of(measured, "node edge"),
                                    .hub = part_of(measured, "switch"),
                                    .eager = value_of(measured, "mpi", "eager")};
}

/* The time of a trial's operation; 0: it cannot be simulated. */
static double simulate(const struct fth_sim_cluster *cluster, const struct fth_trial *trial)
{
    struct talk talk = {{.ranks = 2, .next = next}, trial->bytes, !strcmp(trial->name, "sendrecv")};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &talk.program, NULL);
    if (!world)
        return 0;
    fth_sim_world_run(world);
    double time = (double)fth_sim_world_time(world);
    fth_sim_world_free(world);
    return talk.both ? time : time / 2;
}

/* Simulates what was timed at this placement. */
static struct fth_comparison compare(struct fth_measured *measured, enum fth_placement placement,
                                     const char *kind)
{
    struct fth_comparison comparison = {0};
    const struct fth_sim_cluster cluster = fth_measured_cluster(measured, placement);
    for (size_t i = 0; i < measured->trials.count; i++) {
        struct fth_trial *trial = &measured->trials.list[i];
        if (strcmp(trial->kind, kind))
            continue;
        trial->simulated = simulate(&cluster, trial);
        double time = fth_measured_typical(measured, trial);
        if (time > 0)
            fth_measure_compare(&comparison, &(struct fth_point){(double)trial->bytes, time, 1},
                                trial->simulated);
    }
    return comparison;
}

static const char *kind_of(const struct fth_measured *measured, enum fth_placement placement)
{
    return !measured->mpi && placement == FTH_SAME_SOCKET ? "local sockets"
                                                          : fth_placement_names[placement];
}

static double error_of_all(struct fth_measured *measured)
{
    double squares = 0;
    size_t count = 0;
    for (enum fth_placement placement = 0; placement < FTH_PLACEMENTS; placement++) {
        struct fth_comparison one = compare(measured, placement, kind_of(measured, placement));
        squares += one.squares;
        count += one.count;
    }
    return count ? sqrt(squares / (double)count) : 0;
}

void fth_check_network(struct fth_measured *measured)
{
    static const double packets[] = {100 << 10, 32 << 10, 16 << 10, 8 << 10, 4 << 10};
    enum { PACKETS = sizeof packets / sizeof *packets };
    struct fth_machine_parameter *packet = fth_parameter_find(measured, "network", "packet");
    double errors[PACKETS], least = INFINITY;
    if (!measured->request.network)
        return;
    for (size_t i = 0; i < PACKETS; i++) {
        packet->value = packets[i];
        errors[i] = error_of_all(measured);
        least = fmin(least, errors[i]);
    }
    /* The largest that is hardly worse: each packet costs events. */
    size_t chosen = 0;
    while (errors[chosen] > 1.1 * least)
        chosen++;
    packet->value = packets[chosen];
    packet->measured = true;
    snprintf(packet->reason, sizeof packet->reason,
             "simulated times are nearest; larger ones cost less");
    for (enum fth_placement placement = 0; placement < FTH_PLACEMENTS; placement++) {
        const char *kind = kind_of(measured, placement);
        struct fth_comparison one = compare(measured, placement, kind);
        if (one.count)
            fth_measured_say(measured,
                             "%s, simulated: the error of messages is %.0f %% on average and at "
                             "most %+.0f %%, at %.0f bytes",
                             kind, one.residual.mean * 100, one.residual.worst * 100,
                             one.residual.at.bytes);
    }
}
