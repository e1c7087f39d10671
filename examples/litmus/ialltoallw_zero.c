/* Each of three ranks has something for the next one only, of a type of its own: who waits for it
 * waits for nobody else.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), gives[3] = {0}, gets[3] = {0};
    int numbers[3] = {0}, received[3], starts[3] = {0, 4, 8};
    MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Request request;
    gives[(rank + 1) % 3] = gets[(rank + 2) % 3] = 1;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Ialltoallw(numbers, gives, starts, types, received, gets, starts, types, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2)
        get(file, 0, 8);
    close(file);
}
