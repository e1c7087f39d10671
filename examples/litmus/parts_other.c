/* A message in parts: the reader learns that the part has arrived that was made ready before the
 * write.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
#if MPI_VERSION >= 4
    int file = open_file("shared", 0), numbers[2] = {0}, there = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(numbers, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(0, request);
        put(file, 0, 8);
        MPI_Pready(1, request);
    } else {
        MPI_Precv_init(numbers, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (!there)
            MPI_Parrived(request, 0, &there);
        get(file, 0, 8);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    close(file);
#else
    (void)rank;
    exit(77);
#endif
}
