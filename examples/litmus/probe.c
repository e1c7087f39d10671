/* A probe that finds the message orders as its receive does.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        get(file, 0, 8);
        receive_from(0, 0);
    }
    close(file);
}
