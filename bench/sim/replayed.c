/* Six small programs of MPI that do little but I/O, for bench/sim/replay, which holds what is
 * predicted for them against what was measured.
 *
 *     mpirun -n RANKS replayed PROGRAM FOLDER
 *
 * It begins in a folder without its files. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KIB = 1024, MIB = 1024 * KIB };
/* Of each rank, in `writes` and `reads`. */
enum { RECORD = 16 * KIB, RECORDS = 1024, READS = 8 };
enum { BLOCK = 256 * KIB, BLOCKS = 8, STEPS = 10 }; /* of `collective` */
enum { SMALL_FILES = 200, SMALL = 4 * KIB };
enum { CHECKPOINTS = 5, PART = MIB, PARTS = 8 };
enum { NAMES = 1000 };

static int rank, ranks;
static const char *folder;
static char *buffer;

static void check(int failed, const char *what)
{
    if (!failed)
        return;
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char *path(const char *kind, int number)
{
    static char paths[2][4096];
    static int turn;
    char *text = paths[turn ^= 1];
    snprintf(text, sizeof paths[0], "%s/%s.%d.%d", folder, kind, rank, number);
    return text;
}

static MPI_File open_shared(const char *name, int mode)
{
    char text[4096];
    MPI_File file;
    snprintf(text, sizeof text, "%s/%s", folder, name);
    check(MPI_File_open(MPI_COMM_WORLD, text, mode, MPI_INFO_NULL, &file), text);
    return file;
}

/* All write blocks of one file together, in turns of blocks, as of a matrix in columns. */
static void collective(void)
{
    MPI_File file = open_shared("matrix", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_Datatype blocks;
    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, (MPI_Offset)rank * BLOCK, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    for (int step = 0; step < STEPS; step++)
        check(MPI_File_write_at_all(file, (MPI_Offset)step * BLOCKS * BLOCK, buffer, BLOCKS * BLOCK,
                                    MPI_BYTE, MPI_STATUS_IGNORE),
              "write_at_all");
    MPI_File_close(&file);
    MPI_Type_free(&blocks);
}

/* Each rank for itself: every so many-th record is its own. */
static void write_records(MPI_File file)
{
    for (int i = 0; i < RECORDS; i++)
        check(MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * RECORD, buffer, RECORD,
                                MPI_BYTE, MPI_STATUS_IGNORE),
              "write_at");
}

static void writes(void)
{
    MPI_File file = open_shared("records", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    write_records(file);
    MPI_File_close(&file);
}

/* What was written just before is read some times, the records of the next rank. */
static void reads(void)
{
    MPI_File file = open_shared("records", MPI_MODE_CREATE | MPI_MODE_RDWR);
    int from = (rank + 1) % ranks;
    write_records(file);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < READS * RECORDS; i++)
        check(MPI_File_read_at(file, ((MPI_Offset)(i % RECORDS) * ranks + from) * RECORD, buffer,
                               RECORD, MPI_BYTE, MPI_STATUS_IGNORE),
              "read_at");
    MPI_File_close(&file);
}

/* Many small files of each rank, which only it opens. */
static void files(void)
{
    for (int i = 0; i < SMALL_FILES; i++) {
        MPI_File file;
        check(MPI_File_open(MPI_COMM_SELF, path("small", i), MPI_MODE_CREATE | MPI_MODE_WRONLY,
                            MPI_INFO_NULL, &file),
              "MPI_File_open");
        MPI_File_write_at(file, 0, buffer, SMALL, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
}

/* A file of each rank, safe on the disk before the next one. */
static void checkpoint(void)
{
    for (int i = 0; i < CHECKPOINTS; i++) {
        int file = open(path("checkpoint", i), O_CREAT | O_WRONLY | O_TRUNC, 0666);
        check(file < 0, "open");
        for (int part = 0; part < PARTS; part++)
            check(write(file, buffer, PART) != PART, "write");
        check(fsync(file), "fsync");
        close(file);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Names only. */
static void names(void)
{
    struct stat status;
    for (int i = 0; i < NAMES; i++) {
        int file = open(path("name", i), O_CREAT | O_WRONLY | O_EXCL, 0666);
        check(file < 0, "open");
        close(file);
    }
    for (int i = 0; i < NAMES; i++)
        check(stat(path("name", i), &status), "stat");
    for (int i = 0; i < NAMES; i++)
        check(rename(path("name", i), path("renamed", i)), "rename");
    for (int i = 0; i < NAMES; i++)
        check(unlink(path("renamed", i)), "unlink");
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } programs[] = {{"collective", collective}, {"writes", writes},         {"reads", reads},
                    {"files", files},           {"checkpoint", checkpoint}, {"names", names}};
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    folder = count > 2 ? words[2] : ".";
    buffer = malloc(BLOCKS * BLOCK);
    memset(buffer, 1, BLOCKS * BLOCK); /* its pages are no part of what is compared */
    MPI_Barrier(MPI_COMM_WORLD);
    size_t at = 0;
    while (at < sizeof programs / sizeof *programs &&
           (count < 2 || strcmp(words[1], programs[at].name)))
        at++;
    if (at < sizeof programs / sizeof *programs)
        programs[at].run();
    else if (!rank)
        fprintf(stderr, "usage: replayed PROGRAM FOLDER\n");
    free(buffer);
    MPI_Finalize();
    return at == sizeof programs / sizeof *programs;
}
