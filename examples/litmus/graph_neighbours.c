/* A line of three ranks as a graph: the writer is beside the reader.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), index[] = {1, 3, 4}, edges[] = {1, 0, 2, 1};
    int number = 0, theirs[2];
    MPI_Comm line;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &line);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_allgather(&number, 1, MPI_INT, theirs, 1, MPI_INT, line);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&line);
    close(file);
}
