/* A synchronous send is over when it is being received: what the receiver did before is known.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        int number = 0;
        MPI_Ssend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        get(file, 0, 8);
    } else {
        put(file, 0, 8);
        receive_from(0, 0);
    }
    close(file);
}
