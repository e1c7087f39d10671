/* A persistent exchange: each of three ranks has something for the next one only, whenever it is
 * started.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
#if MPI_VERSION >= 4
    int file = open_file("shared", 0), gives[3] = {0}, gets[3] = {0};
    int numbers[3] = {0}, received[3], starts[3] = {0, 1, 2};
    MPI_Request request;
    gives[(rank + 1) % 3] = gets[(rank + 2) % 3] = 1;
    MPI_Alltoallv_init(numbers, gives, starts, MPI_INT, received, gets, starts, MPI_INT,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2)
        get(file, 0, 8);
    MPI_Request_free(&request);
    close(file);
#else
    (void)rank;
    exit(77);
#endif
}
