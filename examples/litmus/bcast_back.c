/* The root of a broadcast waits for nobody.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    int number = 0;
    if (rank == 1)
        put(file, 0, 8);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        get(file, 0, 8);
    close(file);
}
