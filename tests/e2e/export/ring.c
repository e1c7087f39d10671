/* Each rank sends to the next one, blocking and not, and writes a file through MPI-IO. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, got;
    MPI_Request request;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    value = rank;
    for (int i = 0; i < 5; i++) {
        MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_open(MPI_COMM_WORLD, "ring.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all(file, rank * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return MPI_Finalize();
}
