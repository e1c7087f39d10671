/* A nonblocking send tells what was done before it began, not before its wait.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        int number = 0;
        MPI_Request request;
        MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        put(file, 0, 8);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
