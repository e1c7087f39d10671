/* A barrier of two ranks, of which the reader is none.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &part);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(part);
    if (rank == 2)
        get(file, 0, 8);
    MPI_Comm_free(&part);
    close(file);
}
