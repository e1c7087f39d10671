/* To duplicate a communicator, nobody has to wait for anybody: MPI promises no order.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm duplicate;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&duplicate);
    close(file);
}
