/* How many servers of files does a checkpoint pay for? Ranks compute, then write 64 MiB each into
 * one file, ten times; on a cluster with 1, 2, 4 ... servers.
 *
 *     cc -o how_many_servers how_many_servers.c $(pkg-config --cflags --libs fathom-sim)
 *     ./how_many_servers pvs.yaml */
#include <fathom/sim.h>
#include <stdio.h>

enum { RANKS = 16, TURNS = 10, SERVERS = 16 };
static const uint64_t part = 64 << 20;

static void add_all(struct fth_program *program, uint32_t rank, struct fth_command command,
                    struct fth_error **error)
{
    if (!*error)
        fth_program_add(program, rank, &command, error);
}

static void fill(struct fth_program *program, struct fth_error **error)
{
    int64_t file =
        fth_program_file(program, &(struct fth_program_file){.name = "checkpoint"}, error);
    uint32_t number = (uint32_t)file, each = FTH_EACH_RANK;
    add_all(program, each, (struct fth_command){.verb = FTH_VERB_FILE_OPEN_ALL, .file = number},
            error);
    add_all(program, each, (struct fth_command){.verb = FTH_VERB_REPEAT, .count = TURNS}, error);
    add_all(program, each, (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = 500000000},
            error);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        add_all(
            program, rank,
            (struct fth_command){
                .verb = FTH_VERB_FILE_WRITE, .file = number, .offset = rank * part, .bytes = part},
            error);
    add_all(program, each, (struct fth_command){.verb = FTH_VERB_BARRIER}, error);
    add_all(program, each, (struct fth_command){.verb = FTH_VERB_END}, error);
    add_all(program, each, (struct fth_command){.verb = FTH_VERB_FILE_CLOSE_ALL, .file = number},
            error);
}

static void try(const char *path, const struct fth_program *program, int servers,
                struct fth_error **error)
{
    char count[32];
    snprintf(count, sizeof count, "servers.count=%d", servers);
    struct fth_cluster *cluster =
        fth_cluster_open(path, (const char *[]){count, "servers.nodes=own", NULL}, error);
    struct fth_simulation *simulation =
        cluster ? fth_simulate(cluster, program, NULL, error) : NULL;
    if (simulation)
        printf("%2d servers: %8.3f s, busiest: %s\n", servers,
               (double)fth_simulation_sums(simulation)->end / 1e9,
               fth_simulation_busiest(simulation)->name);
    fth_simulation_free(simulation);
    fth_cluster_free(cluster);
}

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    struct fth_program *program = fth_program_new(RANKS, &error);
    if (program)
        fill(program, &error);
    for (int servers = 1; !error && servers <= SERVERS; servers *= 2)
        try(argc == 2 ? argv[1] : "pvs.yaml", program, servers, &error);
    if (error)
        fprintf(stderr, "%s\n", fth_error_text(error));
    int failed = error != NULL;
    fth_error_free(error);
    fth_program_free(program);
    return failed;
}
