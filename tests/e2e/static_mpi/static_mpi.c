/* Each rank writes its part of a file through MPI, and tells the next one. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { BLOCK = 4096 };

int main(int argc, char **argv)
{
    static char block[BLOCK];
    int rank, size, got = -1;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int i = 0; i < 3; i++)
        MPI_File_write_at(file, (MPI_Offset)(rank * 3 + i) * BLOCK, block, BLOCK, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 7, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d ranks, %d received 0\n", size, got);
    return MPI_Finalize();
}
