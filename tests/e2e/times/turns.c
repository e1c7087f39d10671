/* Two ranks send a message back and forth, many times; in between, one of them writes to a file, as
 * stdio does, in calls inside of calls, and sleeps now and then. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = rank == 0 ? fopen("turns.txt", "w") : NULL;
    for (int i = 0; i < 3000; i++) {
        if (rank == 0) {
            MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            fprintf(file, "turn %d\n", i);
            if (i % 10 == 0)
                fflush(file);
            if (i % 1000 == 0)
                nanosleep(&(struct timespec){0, 30000000}, NULL);
        } else {
            MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (file)
        fclose(file);
    MPI_Finalize();
    return 0;
}
