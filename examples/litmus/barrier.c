/* A barrier between the write and the read.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
