/* Each rank writes its part of one file and reads that of the next rank, which is on another node:
 * with MPI-IO (argument "mpi-io"), or with open and close, after a barrier. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART = 1000, FIRST = 'a' };

static int rank, ranks;

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void by_mpi(char *own, char *next)
{
    MPI_File file;
    MPI_Offset size;
    check(!MPI_File_open(MPI_COMM_WORLD, "below/shared", MPI_MODE_CREATE | MPI_MODE_RDWR,
                         MPI_INFO_NULL, &file),
          "open");
    MPI_File_write_at_all(file, rank * PART, own, PART, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at(file, (rank + 1) % ranks * PART, next, PART, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_get_size(file, &size);
    check(size == ranks * PART, "the size");
    MPI_File_close(&file);
}

static void by_sessions(char *own, char *next)
{
    struct stat facts;
    int file = open("below/shared", O_WRONLY | O_CREAT, 0644);
    check(file >= 0 && pwrite(file, own, PART, rank * PART) == PART && !close(file), "write");
    MPI_Barrier(MPI_COMM_WORLD);
    file = open("below/shared", O_RDONLY);
    check(pread(file, next, PART, (rank + 1) % ranks * PART) == PART, "read");
    check(!fstat(file, &facts) && facts.st_size == ranks * PART, "the size");
    close(file);
}

int main(int argc, char **argv)
{
    char own[PART], next[PART] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    memset(own, FIRST + rank, PART);
    if (strcmp(argv[1], "mpi-io") == 0)
        by_mpi(own, next);
    else
        by_sessions(own, next);
    for (int i = 0; i < PART; i++)
        check(next[i] == FIRST + (rank + 1) % ranks, "the bytes of another rank");
    MPI_Finalize();
    return 0;
}
