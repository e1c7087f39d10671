/* One after the other comes to a port: the reader does not know of who was there behind it.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"
#include "port.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    char *port = open_port(rank);
    for (int guest = 1; guest < 3; guest++) {
        MPI_Comm other = MPI_COMM_NULL;
        if (rank == 2 && guest == 2)
            put(file, 0, 8);
        if (rank == 0 || rank == guest) {
            other = meet(port, rank == 0);
            MPI_Comm_disconnect(&other);
        }
        if (rank == 1 && guest == 1)
            get(file, 0, 8);
        MPI_Bcast(&guest, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    close(file);
}
