/* Persistent requests: the second message tells of the write.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        int number = 0;
        MPI_Request request;
        MPI_Send_init(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        put(file, 0, 8);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else {
        int number;
        MPI_Request request;
        MPI_Recv_init(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        get(file, 0, 8);
        MPI_Request_free(&request);
    }
    close(file);
}
