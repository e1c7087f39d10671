/* More edges than a trace keeps: who hears of whom is not known, and that is reported.
 * ranks: 2
 * findings: unordered
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

enum { EDGES = 1024 };
static int to[EDGES], weights[EDGES], numbers[EDGES], theirs[EDGES];

static void program(int rank)
{
    int file = open_file("shared", 0), edges = EDGES;
    MPI_Comm graph;
    for (int i = 0; i < EDGES; i++)
        to[i] = weights[i] = 1;
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0, &rank, &edges, to, weights, MPI_INFO_NULL, 0,
                          &graph);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Neighbor_allgather(numbers, 1, MPI_INT, theirs, 1, MPI_INT, graph);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&graph);
    close(file);
}
