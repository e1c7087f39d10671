/* Each of three ranks has something for the next one only: the writer nothing for the reader.
 * ranks: 3
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), gives[3] = {0}, gets[3] = {0};
    int numbers[3] = {0}, received[3], starts[3] = {0, 1, 2};
    gives[(rank + 1) % 3] = gets[(rank + 2) % 3] = 1;
    if (rank == 0)
        put(file, 0, 8);
    MPI_Alltoallv(numbers, gives, starts, MPI_INT, received, gets, starts, MPI_INT, MPI_COMM_WORLD);
    if (rank == 2)
        get(file, 0, 8);
    close(file);
}
