/* A receive from anybody takes a message that is not the writer's.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        int number;
        MPI_Status status;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        get(file, 0, 8);
        send_to(1, 0);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else if (rank == 1) {
        put(file, 0, 8);
        receive_from(0, 0);
        send_to(0, 0);
    } else {
        send_to(0, 0);
    }
    close(file);
}
