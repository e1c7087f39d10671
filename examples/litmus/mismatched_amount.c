/* The root gives each one number, and the reader takes two: nobody may do that.
 * ranks: 2
 * findings: mismatched arguments
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), numbers[2] = {0}, theirs[4];
    if (rank == 0)
        put(file, 0, 8);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Scatter(numbers, 1, MPI_INT, theirs, 1 + rank, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
