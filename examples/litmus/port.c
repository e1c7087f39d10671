/* Two that meet at a port: the reader gets a message through it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"
#include "port.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0;
    MPI_Comm other = meet(open_port(rank), rank == 0);
    if (rank == 0) {
        put(file, 0, 8);
        MPI_Send(&number, 1, MPI_INT, 0, 0, other);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
        get(file, 0, 8);
    }
    MPI_Comm_disconnect(&other);
    close(file);
}
