/* What a trace can be replayed from: messages that block and that do not, persistent ones, collective calls, parts of a communicator, files of MPI-IO and of
 * the system. Each rank writes 3 blocks of 64 KiB to a file of all, collectively, and 32 KiB to its own, and reads its block back. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 64 << 10, OWN = 32 << 10 };

static void talk(int rank, int ranks)
{
    static char in[3][BLOCK], out[BLOCK];
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, index;
    MPI_Request requests[4], again;
    MPI_Sendrecv(out, 100, MPI_INT, right, 1, in[0], 100, MPI_INT, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Irecv(in[0], BLOCK, MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], 10, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, BLOCK, MPI_CHAR, right, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, 10, MPI_CHAR, right, 3, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Recv_init(in[2], 1000, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &again);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&again);
        MPI_Send(out, 1000, MPI_DOUBLE, right, 4, MPI_COMM_WORLD);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&again);
    /* Into the void, and from there. */
    MPI_Sendrecv(out, 1, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 5, in[0], 1, MPI_INT,
                 rank ? rank - 1 : MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void agree(int rank)
{
    MPI_Comm same, half;
    MPI_Request request;
    int one = 1, all = 0, done = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &same);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Bcast(&one, 1, MPI_INT, 1, same);
    MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, same, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, half);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    MPI_Comm_free(&same);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    char own[64];
    MPI_File all;
    MPI_Datatype block;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *data = calloc(3, BLOCK);
    talk(rank, ranks);
    agree(rank);
    MPI_File_open(MPI_COMM_WORLD, "all.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &all);
    MPI_Type_vector(3, BLOCK, BLOCK * ranks, MPI_CHAR, &block);
    MPI_Type_commit(&block);
    MPI_File_set_view(all, (MPI_Offset)rank * BLOCK, MPI_CHAR, block, "native", MPI_INFO_NULL);
    MPI_File_write_all(all, data, 3 * BLOCK, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_sync(all);
    MPI_File_close(&all);
    snprintf(own, sizeof own, "own.%d", rank);
    int fd = open(own, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, OWN) != OWN || fsync(fd) || pread(fd, data, OWN, 0) != OWN ||
        close(fd))
        MPI_Abort(MPI_COMM_WORLD, 1);
    free(data);
    MPI_Type_free(&block);
    MPI_Finalize();
    return 0;
}
