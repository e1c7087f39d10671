/* The reader gets no part of the sums: it need not wait for anybody.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    int numbers[2] = {0}, sums[2], counts[2] = {2, 0};
    if (rank == 0)
        put(file, 0, 8);
    MPI_Reduce_scatter(numbers, sums, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
