/* Two that meet at a port: the reader gets a message through it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

/* Of two sides that have nothing but the name of a port in common. */
static MPI_Comm meet(int rank)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0 && MPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS)
        port[0] = 0;
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!port[0]) {
        MPI_Finalize();
        exit(77);
    }
    if (rank == 0)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    if (rank == 0)
        MPI_Close_port(port);
    return other;
}

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0;
    MPI_Comm other = meet(rank);
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
