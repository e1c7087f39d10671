/* Four ranks: messages and collective calls on communicators of two, and a file with operations
 * that another call completes. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, value, got, root = 0, sum;
    MPI_Comm half, twin;
    MPI_File file;
    MPI_Request request;
    static char bytes[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* The ranks of a half are in the opposite order. */
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Barrier(twin);
    value = rank;
    if (rank % 2)
        MPI_Send(&value, 1, MPI_INT, 1, 7, half);
    else
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, half, MPI_STATUS_IGNORE);
    MPI_Bcast(&root, 1, MPI_INT, 1, half);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, "ranks.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    memset(bytes, rank, sizeof bytes);
    MPI_File_iwrite_at(file, rank * 1000, bytes, 1000, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_seek(file, rank * 500, MPI_SEEK_SET);
    MPI_File_read_all(file, bytes, 500, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}
