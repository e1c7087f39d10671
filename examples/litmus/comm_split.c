/* To split a communicator each rank has to know what all others say.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm part;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &part);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&part);
    close(file);
}
