/* Four ranks in a line: each has something for the one behind it only, the writer for the reader.
 * ranks: 4
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), length = 4, is_ring = 0;
    int numbers[2] = {0}, received[2], gives[2] = {0, 1}, gets[2] = {1, 0}, starts[2] = {0, 1};
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &is_ring, 0, &line);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_alltoallv(numbers, gives, starts, MPI_INT, received, gets, starts, MPI_INT, line);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&line);
    close(file);
}
