/* A duplicate that is made while others go on: a barrier on it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Request request;
    MPI_Comm twin;
    MPI_Comm_idup(MPI_COMM_WORLD, &twin, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(twin);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&twin);
    close(file);
}
