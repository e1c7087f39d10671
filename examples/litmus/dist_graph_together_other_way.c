/* A graph of which each rank tells the edges that leave it: the one edge goes from the reader to
 * the writer.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), edges = 1, mine = rank, theirs, writer = 0, weight = 1;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 1, &mine, &edges, &writer, &weight, MPI_INFO_NULL,
                          0, &graph);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, &theirs, 1, MPI_INT, graph);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&graph);
    close(file);
}
