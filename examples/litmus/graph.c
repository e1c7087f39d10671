/* A graph of fewer nodes than there are ranks: a barrier of those that are in it.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), index[] = {1, 2}, edges[] = {1, 0};
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    if (rank == 0)
        put(file, 0, 8);
    if (graph != MPI_COMM_NULL)
        MPI_Barrier(graph);
    if (rank == 1)
        get(file, 0, 8);
    if (graph != MPI_COMM_NULL)
        MPI_Comm_free(&graph);
    close(file);
}
