/* slow: rank 1 of two always has more to do, and waits for nobody that is seen in between; rank 0
 * has hardly anything. */
#include <mpi.h>
#include <poll.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    double one = 1, sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; i++) {
        usleep(rank == 1 ? 30000 : 100);
        if (rank == 1)
            poll(NULL, 0, 15);
        MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        usleep(rank == 0 ? 1000 : 100);
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
