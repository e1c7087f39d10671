/* Each takes itself for the root: calls that do not fit each other order nothing.
 * ranks: 2
 * findings: mismatched collective
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Bcast(&number, 1, MPI_INT, rank, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
