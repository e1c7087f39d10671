/* Each rank exchanges messages with that at the other end of the row. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int other = size - 1 - rank;
    for (int i = 0; i < 20; i++) {
        if (rank < other)
            MPI_Send(&token, 1, MPI_INT, other, i, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank > other)
            MPI_Send(&token, 1, MPI_INT, other, i, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    if (rank == 0)
        puts("ok");
    return 0;
}
