/* A barrier of two ranks, who are the writer and the reader.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &part);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(part);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&part);
    close(file);
}
