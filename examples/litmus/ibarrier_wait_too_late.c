/* A nonblocking barrier, of which the wait comes behind the read.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Request request;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    close(file);
}
