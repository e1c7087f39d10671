/* Two that have a socket in common meet by it: the reader gets a message through what that gives.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include "litmus.h"

/* Rank 0 listens on a port that the system chooses. */
static int connected(int rank)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int end = socket(AF_INET, SOCK_STREAM, 0);
    must(end >= 0, "socket");
    if (rank == 0) {
        must(bind(end, (struct sockaddr *)&address, length) == 0 && listen(end, 1) == 0, "listen");
        getsockname(end, (struct sockaddr *)&address, &length);
    }
    MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        return accept(end, NULL, NULL);
    must(connect(end, (struct sockaddr *)&address, length) == 0, "connect");
    return end;
}

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0;
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Comm_join(connected(rank), &other) != MPI_SUCCESS || other == MPI_COMM_NULL) {
        MPI_Finalize();
        exit(77);
    }
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
