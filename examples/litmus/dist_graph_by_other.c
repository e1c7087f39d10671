/* A graph whose edges a third rank tells: the reader hears of the writer, although none of them
 * said so.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0, theirs[3], from = 0, edges = 1, to = 1,
        weight = 1;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 2, &from, &edges, &to, &weight, MPI_INFO_NULL, 0,
                          &graph);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_allgather(&number, 1, MPI_INT, theirs, 1, MPI_INT, graph);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&graph);
    close(file);
}
