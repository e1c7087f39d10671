/* What a trace can be replayed from: messages that block and that do not, persistent ones,
 * collective calls, parts of a communicator, files of MPI-IO and of the system, also those that do
 * not block. Each rank writes 3 blocks of 64 KiB to a file of all, collectively, 3 more to another
 * one, and 32 KiB to its own, which it reads back. */
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

/* Each rank gives each other one another number of bytes; messages that are looked for before they
 * are received. */
static void hand_round(int rank, int ranks)
{
    static char in[BLOCK], out[BLOCK], large[BLOCK * 8];
    int gives[64], gets[64], out_at[64], in_at[64], is_there = 0, count;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    MPI_Alltoall(out, 256, MPI_INT, in, 256, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) {
        gives[i] = 100 * (i % 3) * (rank + 1);
        gets[i] = 100 * (rank % 3) * (i + 1);
        out_at[i] = in_at[i] = 1000 * i;
    }
    MPI_Alltoallv(out, gives, out_at, MPI_CHAR, in, gets, in_at, MPI_CHAR, MPI_COMM_WORLD);
#if MPI_VERSION >= 4
    MPI_Request again;
    MPI_Alltoallv_init(out, gives, out_at, MPI_CHAR, in, gets, in_at, MPI_CHAR, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &again);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&again);
        MPI_Wait(&again, &status);
    }
    MPI_Request_free(&again);
#endif
    MPI_Allgatherv(out, 10 * (rank + 1), MPI_CHAR, in, (int[]){10, 20, 30, 40}, in_at, MPI_CHAR,
                   MPI_COMM_WORLD);
    MPI_Scatter(rank ? NULL : out, rank ? 0 : 100, MPI_CHAR, in, 100, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(out, in, 10, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 1; i < ranks; i++) {
            MPI_Mprobe(i, 6, MPI_COMM_WORLD, &message, &status);
            MPI_Get_count(&status, MPI_CHAR, &count);
            MPI_Mrecv(large, count, MPI_CHAR, &message, &status);
            while (!is_there)
                MPI_Improbe(i, 7, MPI_COMM_WORLD, &is_there, &message, &status);
            is_there = 0;
            MPI_Imrecv(large, BLOCK, MPI_CHAR, &message, &request);
            MPI_Wait(&request, &status);
        }
        for (int i = 1; i < ranks; i++) {
            MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
            MPI_Recv(large, 1, MPI_INT, status.MPI_SOURCE, 8, MPI_COMM_WORLD, &status);
        }
    } else {
        MPI_Send(large, (int)sizeof large, MPI_CHAR, 0, 6, MPI_COMM_WORLD);
        MPI_Send(large, 10, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
        MPI_Send(large, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
}

/* Accesses that go on while something is computed: 3 blocks of each rank, one of them in two
 * halves. */
static void write_meanwhile(int rank)
{
    static char data[BLOCK];
    MPI_File later;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, "later.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &later);
    MPI_File_iwrite_at(later, (MPI_Offset)rank * 2 * BLOCK, data, BLOCK, MPI_CHAR, &request);
    usleep(20000);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(later, ((MPI_Offset)rank * 2 + 1) * BLOCK, data, BLOCK, MPI_CHAR);
    usleep(20000);
    MPI_File_write_at_all_end(later, data, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all(later, (MPI_Offset)rank * 2 * BLOCK, data, BLOCK, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&later);
}

/* To the next one, and with those on both sides. */
static void put(int rank, int ranks)
{
    static int shared, in[2], out[2];
    MPI_Win window;
    MPI_Comm ring;
    MPI_Win_create(&shared, sizeof shared, sizeof shared, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);
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
    hand_round(rank, ranks);
    put(rank, ranks);
    write_meanwhile(rank);
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
