/* Four ranks in a line: the reader is two steps away from the writer.
 * ranks: 4
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), length = 4, is_ring = 0, numbers[2];
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &is_ring, 0, &line);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, numbers, 1, MPI_INT, line);
    if (rank == 2)
        get(file, 0, 8);
    MPI_Comm_free(&line);
    close(file);
}
