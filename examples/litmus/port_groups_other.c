/* Two groups meet at a port, whose name only one of each knows: nobody knows what others than the
 * root of the other one did before.
 * ranks: 4
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"
#include "port.h"

/* The roots are ranks 1 and 2 of the world. */
static void program(int rank)
{
    int file = open_file("shared", 0), is_host = rank < 2, root = is_host ? 1 : 0;
    char *port = open_port(rank);
    MPI_Comm group, other;
    MPI_Comm_split(MPI_COMM_WORLD, is_host, 0, &group);
    const char *given = rank == 1 || rank == 2 ? port : NULL;
    if (rank == 3)
        put(file, 0, 8);
    if (is_host)
        MPI_Comm_accept(given, MPI_INFO_NULL, root, group, &other);
    else
        MPI_Comm_connect(given, MPI_INFO_NULL, root, group, &other);
    if (rank == 0)
        get(file, 0, 8);
    MPI_Comm_disconnect(&other);
    MPI_Comm_free(&group);
    close(file);
}
