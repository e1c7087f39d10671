/* Programs that only access one file: see the header. */
#include "sim/io/cache.h"
#include "servers.h"

#include "case.h"

#include <stdio.h>

static struct accesses pattern;
static uint64_t drawn;

/* Of 32 bytes for each of five processes; what does not divide goes to all. */
enum { OPEN_PART = 32 / 5 + 32 % 5 };

/* Knuth's generator, with the seed 1. */
static uint64_t draw(uint64_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (drawn >> 33) % below;
}

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    static const struct fth_sim_command open[] = {{.verb = FTH_SIM_SCATTER, .bytes = OPEN_PART},
                                                  {.verb = FTH_SIM_ALLGATHER, .bytes = OPEN_PART}};
    uint64_t opens = pattern.opens ? sizeof open / sizeof *open : 0;
    if (cursor->at < opens) {
        *command = open[cursor->at++];
        return true;
    }
    if (cursor->at == opens + pattern.calls)
        return false;
    uint64_t first = (cursor->at++ - opens) * pattern.parts * program->ranks + rank;
    if (pattern.at_random)
        first = draw(pattern.calls);
    *command = (struct fth_sim_command){.verb = pattern.verb,
                                        .ranges = {.offset = first * pattern.record,
                                                   .bytes = pattern.record,
                                                   .stride = pattern.record * program->ranks,
                                                   .count = pattern.parts}};
    return true;
}

struct outcome simulate_accesses(const struct fth_sim_cluster *cluster, uint32_t clients,
                                 const struct accesses *accesses)
{
    pattern = *accesses;
    drawn = 1;
    bool reads = pattern.verb == FTH_SIM_FILE_READ || pattern.verb == FTH_SIM_FILE_READ_ALL;
    uint64_t bytes = pattern.calls * pattern.parts * pattern.record * clients;
    struct fth_sim_file file = {.name = "file", .size = reads ? bytes : 0};
    struct fth_sim_program program = {
        .ranks = clients, .next = next, .files = &file, .file_count = 1};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &program, NULL);
    fth_sim_world_run(world);
    struct outcome outcome = {.seconds = (double)fth_sim_world_time(world) * 1e-9,
                              .events = fth_sim_world_events(world)};
    for (uint32_t rank = 0; rank < clients; rank++) {
        char text[256];
        int64_t end = fth_sim_world_end(world, rank, text, sizeof text);
        if ((double)end * 1e-9 > outcome.ends)
            outcome.ends = (double)end * 1e-9;
        if (end < 0)
            printf("rank %u %s\n", rank, text);
    }
    fth_sim_world_free(world);
    return outcome;
}

bool cluster_with_servers(struct fth_sim_cluster *cluster, const char *cache, uint32_t nodes,
                          uint32_t servers)
{
    if (!fth_sim_reads_clusters || fth_sim_cluster_read(cluster, reference_cluster, NULL))
        return false;
    cluster->cores = 0;
    cluster->nodes = nodes;
    cluster->methods[FTH_SIM_FILE_READ_ALL] =
        fth_sim_method(FTH_SIM_FILE_READ_ALL, "TwoPhaseBuffers");
    cluster->methods[FTH_SIM_FILE_WRITE_ALL] =
        fth_sim_method(FTH_SIM_FILE_WRITE_ALL, "TwoPhaseBuffers");
    cluster->servers = (struct fth_sim_servers){.count = servers,
                                                .cache = fth_sim_cache(cache),
                                                .memory = 1000000000,
                                                .granularity = 10 * MI,
                                                .stripe = 64 * KI,
                                                .at_once = 1};
    return true;
}

void put_in_memory(struct fth_sim_cluster *cluster)
{
    cluster->disk = (struct fth_sim_disk_kind){fth_sim_disk_model("SimpleDisk"),
                                               {.throughput = UINT64_C(2000) << 20}};
}
