/* Two that meet at a port: who has met the other one knows what that did before.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"
#include "port.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    char *port = open_port(rank);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Comm other = meet(port, rank == 0);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_disconnect(&other);
    close(file);
}
