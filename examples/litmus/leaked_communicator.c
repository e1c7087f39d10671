/* A duplicate of a communicator that is never freed orders like any other one.
 * ranks: 2
 * findings: leaked handle
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(twin);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
