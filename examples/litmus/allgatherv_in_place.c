/* In place, the numbers of all are known from the counts of what is received: the writer has some.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    int numbers[2] = {0}, counts[2] = {1, 0}, starts[2] = {0, 1};
    if (rank == 0)
        put(file, 0, 8);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, numbers, counts, starts, MPI_INT, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
