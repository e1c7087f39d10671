/* checkpoint: a small parallel program that computes, and every few steps saves what it has
 * computed in the three ways that parallel programs use most.
 *
 *     mpirun -n 4 checkpoint DIRECTORY [STEPS [CELLS]]
 *
 * The computation is heat flowing along a rod. The rod has CELLS cells for each rank; a step
 * replaces each cell by the mean of its neighbours. Cells at the edge of a rank's block have a
 * neighbour on another rank: before each step the ranks swap these with MPI_Sendrecv. After each
 * step they agree with MPI_Allreduce on how much has changed.
 *
 * Every STEPS_PER_CHECKPOINT steps each rank saves its block twice and rank 0 writes a line:
 *
 *     DIRECTORY/rod.STEP       one file for all, through MPI-IO, collectively, a part each
 *     DIRECTORY/rod.STEP.RANK  one file per rank, through POSIX: in rows, made durable with fsync
 *     DIRECTORY/log            text, through stdio, opened for appending each time
 *
 * At the end each rank reads its last block back from both files and compares. Rank 0 prints "ok"
 * and a checksum of the rod. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS_PER_CHECKPOINT = 20, CELLS_PER_ROW = 512, LEFT_TO_RIGHT = 1, RIGHT_TO_LEFT = 2 };

struct rod {
    int rank, ranks;
    size_t cells;  /* of this rank */
    double *now;   /* cells + 2: the neighbours' edge cells at both ends */
    double *next;  /* the same, one step later */
    double change; /* of the last step, the largest over all cells of all ranks */
};

static void die(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    _Exit(1);
}

/* Files are the one place where MPI returns errors instead of ending the program. */
static void check(int code, const char *what)
{
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- the computation ---- */

static void create_rod(struct rod *rod, size_t cells)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rod->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rod->ranks);
    rod->cells = cells;
    rod->now = calloc(cells + 2, sizeof *rod->now);
    rod->next = calloc(cells + 2, sizeof *rod->next);
    if (!rod->now || !rod->next)
        die("calloc");
    /* A different temperature everywhere, so that a block in the wrong place is noticed. */
    for (size_t i = 0; i < cells; i++)
        rod->now[i + 1] = sin(0.001 * (double)((size_t)rod->rank * cells + i));
}

static void free_rod(struct rod *rod)
{
    free(rod->now);
    free(rod->next);
}

static void swap_edges(struct rod *rod)
{
    double *cell = rod->now;
    int left = rod->rank > 0 ? rod->rank - 1 : MPI_PROC_NULL;
    int right = rod->rank + 1 < rod->ranks ? rod->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&cell[rod->cells], 1, MPI_DOUBLE, right, LEFT_TO_RIGHT, &cell[0], 1, MPI_DOUBLE,
                 left, LEFT_TO_RIGHT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&cell[1], 1, MPI_DOUBLE, left, RIGHT_TO_LEFT, &cell[rod->cells + 1], 1, MPI_DOUBLE,
                 right, RIGHT_TO_LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compute_step(struct rod *rod)
{
    double change = 0;
    for (size_t i = 1; i <= rod->cells; i++) {
        rod->next[i] = 0.5 * (rod->now[i - 1] + rod->now[i + 1]);
        change = fmax(change, fabs(rod->next[i] - rod->now[i]));
    }
    double *swapped = rod->now;
    rod->now = rod->next;
    rod->next = swapped;
    MPI_Allreduce(&change, &rod->change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* ---- the three ways to save ---- */

static MPI_Offset offset_in_shared_file(const struct rod *rod)
{
    return (MPI_Offset)((size_t)rod->rank * rod->cells * sizeof(double));
}

static void write_shared_file(const struct rod *rod, const char *path)
{
    MPI_File file;
    check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                        &file),
          path);
    check(MPI_File_write_at_all(file, offset_in_shared_file(rod), rod->now + 1, (int)rod->cells,
                                MPI_DOUBLE, MPI_STATUS_IGNORE),
          path);
    check(MPI_File_close(&file), path);
}

static void write_own_file(const struct rod *rod, const char *path)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0)
        die(path);
    for (size_t cell = 0; cell < rod->cells; cell += CELLS_PER_ROW) {
        size_t cells = rod->cells - cell < CELLS_PER_ROW ? rod->cells - cell : CELLS_PER_ROW;
        size_t bytes = cells * sizeof(double);
        if (pwrite(fd, rod->now + 1 + cell, bytes, (off_t)(cell * sizeof(double))) !=
            (ssize_t)bytes)
            die(path);
    }
    if (fsync(fd) != 0 || close(fd) != 0)
        die(path);
}

static void write_log_line(const struct rod *rod, const char *path, int step)
{
    FILE *log = fopen(path, "a");
    if (!log)
        die(path);
    fprintf(log, "step %d: largest change %.6e\n", step, rod->change);
    if (fclose(log) != 0)
        die(path);
}

static void name_files(const struct rod *rod, const char *directory, int step, char shared[4096],
                       char own[4096])
{
    snprintf(shared, 4096, "%s/rod.%d", directory, step);
    snprintf(own, 4096, "%s/rod.%d.%d", directory, step, rod->rank);
}

static void write_checkpoint(const struct rod *rod, const char *directory, int step)
{
    char shared[4096], own[4096], log[4096];
    name_files(rod, directory, step, shared, own);
    snprintf(log, sizeof log, "%s/log", directory);
    write_shared_file(rod, shared);
    write_own_file(rod, own);
    if (rod->rank == 0)
        write_log_line(rod, log, step);
}

/* ---- reading back ---- */

static void read_shared_file(const struct rod *rod, const char *path, double *cells)
{
    MPI_File file;
    check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), path);
    check(MPI_File_read_at_all(file, offset_in_shared_file(rod), cells, (int)rod->cells, MPI_DOUBLE,
                               MPI_STATUS_IGNORE),
          path);
    check(MPI_File_close(&file), path);
}

static void read_own_file(const struct rod *rod, const char *path, double *cells)
{
    int fd = open(path, O_RDONLY);
    size_t bytes = rod->cells * sizeof(double);
    if (fd < 0 || pread(fd, cells, bytes, 0) != (ssize_t)bytes || close(fd) != 0)
        die(path);
}

/* The number of ranks, over all, whose last checkpoint is not what they have in memory. */
static int count_damaged(const struct rod *rod, const char *directory, int step)
{
    char shared[4096], own[4096];
    name_files(rod, directory, step, shared, own);
    size_t bytes = rod->cells * sizeof(double);
    double *cells = malloc(bytes);
    if (!cells)
        die("malloc");
    read_shared_file(rod, shared, cells);
    int damaged = memcmp(cells, rod->now + 1, bytes) != 0;
    read_own_file(rod, own, cells);
    damaged |= memcmp(cells, rod->now + 1, bytes) != 0;
    free(cells);
    int all;
    MPI_Allreduce(&damaged, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Of the whole rod; the same rod split over another number of ranks has the same. Known on rank 0
 * only. */
static uint64_t checksum(const struct rod *rod)
{
    uint64_t sum = 0, all = 0;
    for (size_t i = 0; i < rod->cells; i++) {
        uint64_t bits;
        memcpy(&bits, &rod->now[i + 1], sizeof bits);
        sum += bits * (2 * ((uint64_t)rod->rank * rod->cells + i) + 1);
    }
    MPI_Reduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *directory = argc > 1 ? argv[1] : NULL;
    int steps = argc > 2 ? atoi(argv[2]) : 100;
    int cells = argc > 3 ? atoi(argv[3]) : 8192;
    if (!directory || steps < STEPS_PER_CHECKPOINT || cells < 1) {
        fprintf(stderr, "usage: checkpoint DIRECTORY [STEPS (at least %d) [CELLS]]\n",
                STEPS_PER_CHECKPOINT);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

    struct rod rod;
    create_rod(&rod, (size_t)cells);
    mkdir(directory,
          0755); /* another rank may have been first; if it failed, the first open says why */

    steps -= steps % STEPS_PER_CHECKPOINT;
    for (int step = 1; step <= steps; step++) {
        swap_edges(&rod);
        compute_step(&rod);
        if (step % STEPS_PER_CHECKPOINT == 0)
            write_checkpoint(&rod, directory, step);
    }

    int damaged = count_damaged(&rod, directory, steps);
    uint64_t sum = checksum(&rod);
    if (rod.rank == 0 && damaged == 0)
        printf("ok, %d checkpoints, checksum %016llx\n", steps / STEPS_PER_CHECKPOINT,
               (unsigned long long)sum);
    if (rod.rank == 0 && damaged > 0)
        printf("the checkpoints of %d ranks are damaged\n", damaged);
    free_rod(&rod);
    MPI_Finalize();
    return damaged > 0;
}
