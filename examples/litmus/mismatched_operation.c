/* One reduces to the sum, the other one to the largest: nobody may do that.
 * ranks: 2
 * findings: mismatched arguments
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0, result;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Allreduce(&number, &result, 1, MPI_INT, rank ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
