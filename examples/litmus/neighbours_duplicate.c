/* A duplicate of a line of ranks is a line, too: the writer is beside the reader.
 * ranks: 4
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), length = 4, is_ring = 0, number = 0, theirs[2];
    MPI_Comm line, twin;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &is_ring, 0, &line);
    MPI_Comm_dup(line, &twin);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_allgather(&number, 1, MPI_INT, theirs, 1, MPI_INT, twin);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&line);
    close(file);
}
