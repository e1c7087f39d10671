/* A barrier of those that share memory, which are all on this one machine.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &node);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(node);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&node);
    close(file);
}
