/* Of two receives the one that is complete first is not the writer's.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        int numbers[2], which;
        MPI_Request requests[2];
        MPI_Irecv(&numbers[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&numbers[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
        get(file, 0, 8);
        send_to(1, 0);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        put(file, 0, 8);
        receive_from(0, 0);
        send_to(0, 0);
    } else {
        send_to(0, 0);
    }
    close(file);
}
