/* Two ranks whose calls do not fit together: unmatched send | leak | roots | receive. */
#include <mpi.h>
#include <string.h>

static int rank, value;

static void post(const char *what)
{
    MPI_Request request;
    if (!strcmp(what, "send") && rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD); /* of so few bytes: it need not wait */
    if (!strcmp(what, "leak") && rank == 0)
        MPI_Isend(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    if (!strcmp(what, "leak") && rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "roots"))
        MPI_Bcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD);
    if (!strcmp(what, "receive") && rank == 0)
        MPI_Irecv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    post(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
