/* The reader gets all of the sums, to which the writer adds.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    int numbers[2] = {0}, sums[2], counts[2] = {0, 2};
    if (rank == 0)
        put(file, 0, 8);
    MPI_Reduce_scatter(numbers, sums, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
