/* What the ranks of some parallel programs call: real calls, whose functions behind the wrappers
 * are those of bench/fake. */
#include "models.h"

#include "fake/mpi.h"
#include "fake/play.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, DOUBLES = 4096, TAG = 7 };

static char buffer[BLOCK];

/* What the model asks for always works. */
static void check(bool works)
{
    if (!works)
        abort();
}

static uint64_t draw(struct rank *rank, uint64_t below)
{
    rank->state ^= rank->state << 13;
    rank->state ^= rank->state >> 7;
    rank->state ^= rank->state << 17;
    return rank->state % below;
}

/* ---- files ---- */

static MPI_File open_shared(const char *path)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    return file;
}

static void write_at_all(MPI_File file, int64_t offset)
{
    MPI_File_write_at_all(file, offset, buffer, DOUBLES, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

/* IOR: a shared file, blocks of a rank one behind the other. */
static void ior_segmented(struct rank *rank)
{
    MPI_File file = open_shared("/scratch/ior.dat");
    for (int64_t i = 0; i < rank->steps; i++)
        write_at_all(file, (rank->rank * rank->steps + i) * BLOCK);
    MPI_File_close(&file);
}

/* IOR: blocks of all ranks in turn. */
static void ior_strided(struct rank *rank)
{
    MPI_File file = open_shared("/scratch/ior.dat");
    for (int64_t i = 0; i < rank->steps; i++)
        write_at_all(file, (i * rank->ranks + rank->rank) * BLOCK);
    MPI_File_close(&file);
}

enum { VARIABLES = 24, PIECE = DOUBLES * 8 };

/* FLASH: a numbered checkpoint of 24 variables every step, a file for each rank. */
static void flash_own(struct rank *rank)
{
    char path[64];
    for (int64_t step = 0; step < rank->steps; step++) {
        snprintf(path, sizeof path, "/scratch/flash_chk_%04d.%05d", (int)step, (int)rank->rank);
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int variable = 0; variable < VARIABLES; variable++)
            check(write(file, buffer, PIECE) == PIECE);
        close(file);
    }
}

/* The same into one file, in which every 64th rank writes what its group has. */
static void flash_together(struct rank *rank)
{
    char path[64];
    play.aggregator_each = 64;
    for (int64_t step = 0; step < rank->steps; step++) {
        snprintf(path, sizeof path, "/scratch/flash_hdf5_chk_%04d", (int)step);
        MPI_File file = open_shared(path);
        for (int variable = 0; variable < VARIABLES; variable++)
            write_at_all(file, (variable * rank->ranks + rank->rank) * PIECE);
        MPI_File_close(&file);
    }
    play.aggregator_each = 0;
}

static int64_t root_of(int64_t number, int degree)
{
    int64_t root = 1;
    for (;; root++) {
        int64_t next = 1;
        for (int i = 0; i < degree; i++)
            next *= root + 1;
        if (next > number)
            return root;
    }
}

/* BT-IO: cells along a diagonal of a cube, each written row by row, plane by plane. */
static void bt_io(struct rank *rank)
{
    enum { ROW = 64 * 40, CELL = 16 };
    int64_t side = root_of(rank->ranks, 2), x = rank->rank % side, y = rank->rank / side;
    int file = open("/scratch/btio.full.out", O_RDWR | O_CREAT, 0644);
    for (int64_t step = 0; step < rank->steps; step++)
        for (int64_t cell = 0; cell < (side < 8 ? side : 8); cell++)
            for (int64_t k = 0; k < CELL; k++)
                for (int64_t j = 0; j < CELL; j++) {
                    int64_t row =
                        (((step * side + cell) * CELL + k) * side + (y + cell) % side) * CELL + j;
                    check(pwrite(file, buffer, ROW, (row * side + (x + cell) % side) * ROW) == ROW);
                }
    close(file);
}

/* A data loader: files of a large set in an order without a rule. */
static void loader(struct rank *rank)
{
    enum { FILES = 100000, MOST = 1 << 17 };
    char path[64];
    for (int64_t step = 0; step < rank->steps; step++) {
        snprintf(path, sizeof path, "/data/train/img_%06d.jpg", (int)draw(rank, FILES));
        int file = open(path, O_RDONLY);
        play.file_bytes = (size_t)draw(rank, MOST);
        while (read(file, buffer, MOST) > 0)
            ;
        close(file);
    }
}

/* ---- messages ---- */

/* Neighbours of a grid without borders that wrap, and then what comes from where. */
static void exchange(const int64_t *neighbours, unsigned count)
{
    MPI_Request requests[2 * 26];
    MPI_Status statuses[2 * 26];
    for (unsigned i = 0; i < count; i++)
        MPI_Irecv(buffer, DOUBLES, MPI_DOUBLE, (int)neighbours[i], TAG, MPI_COMM_WORLD,
                  &requests[i]);
    for (unsigned i = 0; i < count; i++)
        MPI_Isend(buffer, DOUBLES, MPI_DOUBLE, (int)neighbours[i], TAG, MPI_COMM_WORLD,
                  &requests[count + i]);
    MPI_Waitall((int)(2 * count), requests, statuses);
}

static void reduce(int doubles)
{
    double mine[4] = {0}, all[4];
    MPI_Allreduce(mine, all, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static unsigned neighbours_of(const struct rank *rank, int dimensions, int64_t *neighbours)
{
    int64_t side = root_of(rank->ranks, dimensions), places[3], left = rank->rank, stride = 1;
    unsigned count = 0;
    for (int i = 0; i < dimensions; i++, left /= side)
        places[i] = left % side;
    for (int i = 0; i < dimensions; i++, stride *= side) {
        if (places[i] > 0)
            neighbours[count++] = rank->rank - stride;
        if (places[i] + 1 < side)
            neighbours[count++] = rank->rank + stride;
    }
    return count;
}

static void stencil(struct rank *rank, int dimensions)
{
    int64_t neighbours[6];
    unsigned count = neighbours_of(rank, dimensions, neighbours);
    for (int64_t step = 0; step < rank->steps; step++) {
        exchange(neighbours, count);
        reduce(1);
    }
}

static void stencil_2d(struct rank *rank)
{
    stencil(rank, 2);
}

static void stencil_3d(struct rank *rank)
{
    stencil(rank, 3);
}

/* A loop that waits for something: how often it has to look is nobody's to say. */
static void polling(struct rank *rank)
{
    int next = (int)((rank->rank + 1) % rank->ranks);
    for (int64_t step = 0; step < rank->steps; step++) {
        MPI_Request request;
        MPI_Status status;
        int flag = 0;
        play.looks = (unsigned)draw(rank, 1000);
        MPI_Irecv(buffer, DOUBLES, MPI_DOUBLE, next, TAG, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Test(&request, &flag, &status);
    }
}

/* A solver in each step, which takes as many turns as it takes, the same number on all ranks. */
static void convergence(struct rank *rank)
{
    int64_t neighbours[4];
    unsigned count = neighbours_of(rank, 2, neighbours);
    struct rank everyone = {.state = 1};
    for (int64_t step = 0; step < rank->steps; step++) {
        for (uint64_t turns = 1 + draw(&everyone, 100); turns; turns--) {
            exchange(neighbours, count);
            reduce(1);
        }
        reduce(4);
    }
}

/* The same without the others: each rank works on its own part, out of core, until it is
 * content. */
static void convergence_own(struct rank *rank)
{
    char path[64];
    snprintf(path, sizeof path, "/scratch/part.%05d", (int)rank->rank);
    int file = open(path, O_CREAT | O_RDWR, 0644);
    for (int64_t step = 0; step < rank->steps; step++) {
        for (uint64_t turns = 2 + draw(rank, 100); turns; turns--) {
            check(pwrite(file, buffer, DOUBLES * 8, 0) == DOUBLES * 8);
            check(pwrite(file, buffer, DOUBLES, BLOCK) == DOUBLES);
        }
        reduce(4);
    }
    close(file);
}

/* ---- loops of several calls ---- */

static int open_own(const struct rank *rank)
{
    char path[64];
    snprintf(path, sizeof path, "/scratch/own.%05d", (int)rank->rank);
    return open(path, O_CREAT | O_RDWR, 0644);
}

/* A block is looked for, then written. */
static void seek_write(struct rank *rank)
{
    int file = open_own(rank);
    for (int64_t step = 0; step < rank->steps; step++) {
        lseek(file, step * 2 * PIECE, SEEK_SET);
        check(write(file, buffer, PIECE) == PIECE);
    }
    close(file);
}

/* Out of core: what is written is not what is read. */
static void write_read(struct rank *rank)
{
    int file = open_own(rank);
    for (int64_t step = 0; step < rank->steps; step++) {
        check(pwrite(file, buffer, PIECE, step * 2 * PIECE) == PIECE);
        check(pread(file, buffer, PIECE, (int64_t)BLOCK * BLOCK + step * 3 * PIECE) == PIECE);
    }
    close(file);
}

/* A file that is opened for each line of a log. */
static void open_write_close(struct rank *rank)
{
    for (int64_t step = 0; step < rank->steps; step++) {
        int file = open_own(rank);
        check(write(file, buffer, DOUBLES) == DOUBLES);
        close(file);
    }
}

const struct model models[] = {
    {"ior_segmented", "a shared file, a segment for each rank", 100, ior_segmented},
    {"ior_strided", "a shared file, blocks of the ranks in turn", 100, ior_strided},
    {"flash_own", "numbered checkpoints, a file for each rank", 10, flash_own},
    {"flash_together", "numbered checkpoints, shared, with aggregators", 10, flash_together},
    {"bt_io", "nested strides in a shared file", 2, bt_io},
    {"stencil_2d", "messages to neighbours in a grid", 100, stencil_2d},
    {"stencil_3d", "messages to neighbours in a cube", 100, stencil_3d},
    {"polling", "looking for a message until it is there", 10, polling},
    {"convergence", "turns until a solver is content, as often on all ranks", 10, convergence},
    {"convergence_own", "turns until a rank's own part is done", 10, convergence_own},
    {"seek_write", "blocks that are looked for, then written", 100, seek_write},
    {"write_read", "writes and reads by turns", 100, write_read},
    {"open_write_close", "a file that is opened for each write", 100, open_write_close},
    {"loader", "files in an order without a rule", 200, loader},
};
const size_t model_count = sizeof models / sizeof *models;
