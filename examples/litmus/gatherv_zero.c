/* The writer has nothing to send: the root need not wait for it.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    int numbers[2], counts[2] = {0, 0}, starts[2] = {0, 0};
    if (rank == 1)
        put(file, 0, 8);
    MPI_Gatherv(&rank, 0, MPI_INT, numbers, counts, starts, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        get(file, 0, 8);
    close(file);
}
