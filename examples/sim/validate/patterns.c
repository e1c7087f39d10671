/* Patterns of messages between two, as mpi-bench has them (Kunkel 2013, section 7.8): round a ring,
 * all to rank 0, all with rank 0. Held against a model of the same rules by somebody else, which
 * has no command steps and other headers, and in which nobody answers a request to send with a
 * message of 100 B. */
#include "case.h"

#include "sim/plan/cluster.h"
#include "sim/run/run.h"

#include <stdio.h>

enum { KI = 1024, MI = KI * KI };

static uint64_t message_bytes; /* of the programs below */

static struct fth_sim_command exchange(uint32_t to, uint32_t from)
{
    return (struct fth_sim_command){
        .verb = FTH_SIM_SENDRECV, .to = to, .from = from, .bytes = message_bytes};
}

static bool ring(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    uint32_t ranks = program->ranks;
    *command = exchange((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    return cursor->at++ == 0;
}

/* Rank 0 goes through the others in their order. */
static bool with_root(const struct fth_sim_program *program, uint32_t rank,
                      struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    uint32_t other = rank ? 0 : ++cursor->at;
    *command = exchange(other, other);
    return rank ? cursor->at++ == 0 : other < program->ranks;
}

static bool to_root(const struct fth_sim_program *program, uint32_t rank,
                    struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    bool goes_on = with_root(program, rank, cursor, command);
    command->verb = rank ? FTH_SIM_SEND : FTH_SIM_RECV;
    return goes_on;
}

static double simulate(const struct fth_sim_cluster *cluster, uint32_t ranks,
                       bool (*next)(const struct fth_sim_program *, uint32_t,
                                    struct fth_sim_cursor *, struct fth_sim_command *))
{
    struct fth_sim_program program = {.ranks = ranks, .next = next};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &program, NULL);
    fth_sim_world_run(world);
    double milliseconds = (double)fth_sim_world_time(world) * 1e-6;
    fth_sim_world_free(world);
    return milliseconds;
}

void validate_patterns(void)
{
    static const struct {
        const char *name;
        bool (*next)(const struct fth_sim_program *, uint32_t, struct fth_sim_cursor *,
                     struct fth_sim_command *);
    } patterns[] = {{"ring", ring}, {"send-to-root", to_root}, {"sendrecv-root", with_root}};
    static const struct {
        uint32_t nodes, ranks;
        double small[3], large[3]; /* ms */
    } rows[] = {
        {1, 2, {0.00562, 0.00381, 0.00562}, {53.0, 29.3, 53.0}},
        {1, 4, {0.0108, 0.00819, 0.0166}, {105.9, 85.2, 149.9}},
        {1, 8, {0.0212, 0.0186, 0.0367}, {211.8, 196.8, 343.8}},
        {1, 12, {0.0315, 0.0289, 0.0565}, {317.7, 308.5, 537.6}},
        {2, 2, {0.184, 0.184, 0.184}, {1392.5, 1392.5, 1392.5}},
        {5, 5, {0.184, 0.593, 1.048}, {1392.5, 5570, 5570}},
        {10, 10, {0.184, 1.275, 2.409}, {1392.5, 12532, 12532}},
        {5, 10, {0.320, 1.138, 2.109}, {2783, 11169, 11193}},
    };
    struct fth_sim_cluster pvs;
    if (!fth_sim_reads_clusters || fth_sim_cluster_read(&pvs, reference_cluster, NULL))
        return; /* messages.c says so */
    pvs.cores = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < 6; j++) {
            bool is_small = j < 3;
            double published = is_small ? rows[i].small[j] : rows[i].large[j - 3];
            char id[64];
            pvs.nodes = rows[i].nodes;
            pvs.packet = is_small ? 512 : 100 * KI;
            message_bytes = is_small ? 10 * KI : 100 * MI;
            snprintf(id, sizeof id, "patterns%s/%s/%u-%u", is_small ? "-10K" : "",
                     patterns[j % 3].name, rows[i].nodes, rows[i].ranks);
            compare(id, "of 10 KiB or 100 MiB between so many processes on so many nodes; ms",
                    REFERENCE_MODEL, published, simulate(&pvs, rows[i].ranks, patterns[j % 3].next),
                    (is_small ? 0.05 : 0.015) * published);
        }
}
