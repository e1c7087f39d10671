/* Two communicators of the same ranks, and the same tag: the message on the duplicate is the one
 * before the write.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0;
    MPI_Comm duplicate;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    if (rank == 0) {
        MPI_Send(&number, 1, MPI_INT, 1, 0, duplicate);
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, duplicate, MPI_STATUS_IGNORE);
        get(file, 0, 8);
        receive_from(0, 0);
    }
    MPI_Comm_free(&duplicate);
    close(file);
}
