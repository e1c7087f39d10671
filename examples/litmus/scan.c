/* A prefix sum has the numbers of lower ranks.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    int sum;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 2)
        get(file, 0, 8);
    close(file);
}
