/* A matched probe, and its receive behind the read.
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
        int number;
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        get(file, 0, 8);
        MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    close(file);
}
