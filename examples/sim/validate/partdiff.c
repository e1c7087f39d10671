/* The application study: partdiff-par, a solver on a square matrix in blocks of rows. In each
 * iteration neighbours exchange a row; now and then each process writes its part of the diagonal,
 * or its rows, to a file over servers (Kunkel 2013, section 7.9). Computation is left out: what is
 * compared is what communication and I/O cost. */
#include "case.h"

#include "sim/program/partdiff.h"
#include "sim/run/run.h"

static struct fth_sim_partdiff study;

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    return fth_sim_partdiff_next(&study, rank, program->ranks, cursor->turns, command);
}

/* Until all processes end; or until caches have written everything, too. */
static double seconds(const struct fth_sim_cluster *cluster, uint32_t processes, bool flushes)
{
    static const struct fth_sim_file files[] = {{.name = "diagonal"}, {.name = "a"}, {.name = "b"}};
    struct fth_sim_program program = {
        .ranks = processes, .next = next, .files = files, .file_count = FTH_SIM_PARTDIFF_FILES};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &program, NULL);
    fth_sim_world_run(world);
    int64_t last = flushes ? fth_sim_world_time(world) : 0;
    for (uint32_t rank = 0; rank < processes; rank++) {
        char text[256];
        int64_t end = fth_sim_world_end(world, rank, text, sizeof text);
        last = end > last ? end : last;
    }
    fth_sim_world_free(world);
    return (double)last * 1e-9;
}

void validate_partdiff(void)
{
    static const struct {
        const char *id, *what, *source;
        uint64_t rows, iterations, visualise, checkpoint;
        uint32_t processes, servers;
        bool exchanges, writes, shared;
        enum { TMPFS, DISK, FLUSHED } where; /* flushed: until it is on disks */
        /* of each server, MiB: what two matrices and the system, 100 MiB, leave; 0: as the cluster
         * says */
        uint64_t memory;
        double seconds, tolerance;
    } rows[] = {
        {"partdiff/XS/rows-2", "1000 exchanges of rows, 2 processes: s", REFERENCE_MODEL, 809, 1000,
         0, 0, 2, 1, true, false, false, TMPFS, 0, 0.225, 0.003},
        {"partdiff/XS/rows-7", "the same, 7 processes", REFERENCE_MODEL, 809, 1000, 0, 0, 7, 1,
         true, false, false, TMPFS, 0, 0.449, 0.006},
        {"partdiff/S/rows-1", "the same, 1 process", THESIS "section 7.9.4", 8009, 1000, 0, 0, 1, 1,
         true, false, false, TMPFS, 0, 0, 0.001},
        {"partdiff/S/rows-2", "the same, 2 processes", REFERENCE_MODEL, 8009, 1000, 0, 0, 2, 1,
         true, false, false, TMPFS, 0, 1.86, 0.02},
        {"partdiff/S/rows-7", "the same, 7 processes", REFERENCE_MODEL, 8009, 1000, 0, 0, 7, 1,
         true, false, false, TMPFS, 0, 3.71, 0.04},
        {"partdiff/XL/rows-2", "one exchange of rows, 2 processes: s", REFERENCE_MODEL, 56009, 1, 0,
         0, 2, 1, true, false, false, TMPFS, 0, 0.00755, 5e-05},
        {"partdiff/XL/rows-5", "40 exchanges of rows, 5 processes: s", REFERENCE_MODEL, 56009, 40,
         0, 0, 5, 1, true, false, false, TMPFS, 0, 0.604, 0.02},
        {"partdiff/S/io-1", "100 diagonals and a checkpoint, 1 process, 2 servers: s",
         THESIS "section 7.9.4", 8009, 1000, 10, 501, 1, 2, false, true, false, TMPFS, 0, 7, 0.2},
        {"partdiff/S/io-2", "the same, 2 processes", THESIS "section 7.9.4", 8009, 1000, 10, 501, 2,
         2, false, true, false, TMPFS, 0, 3.5, 0.2},
        {"partdiff/S/io-5", "the same, 5 processes", THESIS "section 7.9.4", 8009, 1000, 10, 501, 5,
         2, false, true, false, TMPFS, 0, 3.5, 0.2},
        {"partdiff/S/diagonals", "100 diagonals, 1 process: s, about 2 ms each",
         THESIS "section 7.9.4", 8009, 1000, 10, 0, 1, 2, false, true, false, TMPFS, 0, 0.2, 0.05},
        {"partdiff/S/checkpoint-1", "a checkpoint, 1 process, disks: s", REFERENCE_MODEL, 8009, 501,
         0, 501, 1, 2, false, true, false, DISK, 0, 6.79, 0.03},
        {"partdiff/S/checkpoint-2", "the same, 2 processes", REFERENCE_MODEL, 8009, 501, 0, 501, 2,
         2, false, true, false, DISK, 0, 3.4, 0.03},
        {"partdiff/S/one-node", "100 diagonals and a checkpoint, 1 process, 50 MiB in servers: s",
         THESIS "section 7.9.4", 8009, 1000, 10, 501, 1, 2, false, true, false, DISK, 50, 7, 0.2},
        {"partdiff/XL/checkpoint-apart", "23 GiB by 5 processes to 5 servers: s",
         "arithmetic: five links", 56009, 1, 0, 1, 5, 5, false, true, false, DISK, 11344, 66.6,
         0.3},
        {"partdiff/XL/checkpoint", "the same, the servers on the nodes of the processes",
         THESIS "section 7.9.5", 56009, 1, 0, 1, 5, 5, false, true, true, DISK, 1771, 68, 3},
        {"partdiff/XL/checkpoint-flushed", "the same, flushed", THESIS "section 7.9.5", 56009, 1, 0,
         1, 5, 5, false, true, true, FLUSHED, 1771, 86, 4},
    };
    struct fth_sim_cluster pvs;
    if (!fth_sim_reads_clusters || fth_sim_cluster_read(&pvs, reference_cluster, NULL))
        return;
    pvs.cores = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster = pvs;
        cluster.servers.count = rows[i].servers;
        cluster.servers.shared = rows[i].shared;
        if (rows[i].shared)
            cluster.nodes = rows[i].processes;
        if (rows[i].memory)
            cluster.servers.memory = rows[i].memory << 20;
        if (rows[i].where == TMPFS) {
            cluster.disk = (struct fth_sim_disk_kind){fth_sim_disk_model("SimpleDisk"),
                                                      {.throughput = UINT64_C(2000) << 20}};
        }
        study = (struct fth_sim_partdiff){.rows = rows[i].rows,
                                          .iterations = rows[i].iterations,
                                          .visualise = rows[i].visualise,
                                          .checkpoint = rows[i].checkpoint,
                                          .exchanges = rows[i].exchanges,
                                          .writes = rows[i].writes};
        compare(rows[i].id, rows[i].what, rows[i].source, rows[i].seconds,
                seconds(&cluster, rows[i].processes, rows[i].where == FLUSHED), rows[i].tolerance);
    }
}
