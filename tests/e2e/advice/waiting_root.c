/* The root of a large broadcast has to wait until the other rank comes, which sleeps before. */
#include <mpi.h>
#include <unistd.h>

enum { TIMES = 5, SIZE = 8 << 20 };
static char data[SIZE];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < TIMES; i++) {
        if (rank == 1)
            usleep(100000);
        MPI_Bcast(data, SIZE, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
