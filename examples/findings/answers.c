/* A rank that needs an answer from another rank, which has to compute it first.
 *
 *     answers bad      polls for the answer
 *     answers mended   waits for it
 */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { QUESTIONS = 20, THINKING = 2000 /* us */ };

static void wait_for(MPI_Request *request, int mended)
{
    int there = 0;
    if (mended)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    while (!mended && !there)
        MPI_Test(request, &there, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, answer = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    for (int i = 0; i < QUESTIONS; i++) {
        if (rank == 0) {
            MPI_Irecv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            wait_for(&request, mended);
        } else if (rank == 1) {
            usleep(THINKING);
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return rank == 0 && answer != QUESTIONS - 1;
}
