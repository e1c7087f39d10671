/* Collective calls with counts of their own for each rank, blocking, nonblocking and persistent,
 * among all, among neighbours and between two groups; then each rank writes its part of a file. */
#include <mpi.h>
#include <stdlib.h>

static int rank, ranks, counts[16], places[16], wide[16];
static MPI_Aint far[16];
static MPI_Datatype types[16];
static char *from, *to;

static void among(MPI_Comm comm)
{
    MPI_Gatherv(from, counts[rank], MPI_BYTE, to, rank ? NULL : counts, rank ? NULL : places,
                MPI_BYTE, 0, comm);
    MPI_Scatterv(rank ? NULL : from, rank ? NULL : counts, rank ? NULL : places, MPI_BYTE, to,
                 counts[rank], MPI_BYTE, 0, comm);
    MPI_Allgatherv(from, counts[rank], MPI_BYTE, to, counts, places, MPI_BYTE, comm);
    for (int i = 0; i < ranks; i++)
        wide[i] = 8;
    MPI_Alltoallv(from, wide, places, MPI_BYTE, to, wide, places, MPI_BYTE, comm);
    MPI_Alltoallw(from, wide, places, types, to, wide, places, types, comm);
    MPI_Reduce_scatter(from, to, wide, MPI_BYTE, MPI_BOR, comm);
}

static void at_once(MPI_Comm comm)
{
    MPI_Request requests[4];
    MPI_Igatherv(from, counts[rank], MPI_BYTE, to, counts, places, MPI_BYTE, 0, comm, &requests[0]);
    MPI_Iallgatherv(from, counts[rank], MPI_BYTE, to + 100000, counts, places, MPI_BYTE, comm,
                    &requests[1]);
    MPI_Ialltoallw(from, wide, places, types, to + 200000, wide, places, types, comm, &requests[2]);
    MPI_Ireduce_scatter(from, to + 300000, wide, MPI_BYTE, MPI_BOR, comm, &requests[3]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests + 1, MPI_STATUSES_IGNORE);
}

static void neighbours(void)
{
    int size = ranks, around = 1;
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &ring);
    MPI_Neighbor_allgather(from, 100, MPI_BYTE, to, 100, MPI_BYTE, ring);
    MPI_Neighbor_alltoallv(from, wide, places, MPI_BYTE, to, wide, places, MPI_BYTE, ring);
    MPI_Ineighbor_alltoallw(from, wide, far, types, to, wide, far, types, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
}

static void groups(void)
{
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &both);
    int mine = 8, others[16], theirs;
    MPI_Comm_remote_size(both, &theirs);
    for (int i = 0; i < theirs; i++)
        others[i] = 8;
    MPI_Allgatherv(from, mine, MPI_BYTE, to, others, places, MPI_BYTE, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    from = calloc(1000000, 1);
    to = calloc(1000000, 1);
    for (int i = 0; i < ranks; i++) {
        counts[i] = 4 + 100 * i;
        places[i] = 1000 * i;
        far[i] = 1000 * i;
        types[i] = MPI_BYTE;
    }
    among(MPI_COMM_WORLD);
    at_once(MPI_COMM_WORLD);
    neighbours();
    groups();
#ifdef PERSISTENT
    MPI_Request request;
    MPI_Allgatherv_init(from, counts[rank], MPI_BYTE, to, counts, places, MPI_BYTE, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
#endif
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "parts", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 1000 * rank, from, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
