/* Scenes of neighbours: who hears of whom in grids and graphs, however those were given, in their
 * duplicates, and at which places of lists. */
#include "scenes.h"

static int none, one = 1, next, previous, weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static MPI_Comm of_edges(int count, int *from, int *degrees, int *to, int reorder)
{
    MPI_Comm graph;
    MPI_Dist_graph_create(world, count, from, degrees, to, weights, MPI_INFO_NULL, reorder, &graph);
    return graph;
}

static MPI_Comm ring(void)
{
    return of_edges(1, &rank, &one, &next, 0);
}

static void gather(MPI_Comm comm)
{
    MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, comm);
}

static void grids(void)
{
    int dims[2] = {2, 2}, line[1] = {4}, periods[2] = {0, 0}, around[1] = {1}, keep[2] = {0, 1};
    MPI_Comm grid, row, twin;
    is("quiet"), MPI_Cart_create(world, 2, dims, periods, 0, &grid);
    is("grid"), gather(grid);
    is("quiet"), MPI_Cart_sub(grid, keep, &row);
    is("row"), gather(row);
    is("quiet"), MPI_Cart_create(world, 1, line, around, 1, &grid);
    MPI_Comm_rank(grid, &none);
    is("around"), gather(grid);
    is("quiet"), MPI_Comm_dup(grid, &twin);
    is("around_twin"), gather(twin);
    is("quiet"), MPI_Comm_idup(twin, &grid, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("around_third"), gather(grid);
    is("quiet"), MPI_Comm_split(grid, 0, 0, &row);
    is("no_grid"), MPI_Barrier(row);
}

static void graphs(void)
{
    int ends[4] = {1, 3, 5, 6}, neighbours[6] = {1, 0, 2, 1, 3, 2};
    int from[2] = {0, 2}, degrees[2] = {2, 1}, to[3] = {2, 3, 1};
    MPI_Comm graph, twin;
    is("quiet"), MPI_Graph_create(world, 4, ends, neighbours, 0, &graph);
    is("nodes"), gather(graph);
    is("quiet"), MPI_Comm_dup(graph, &twin);
    is("nodes_twin"), gather(twin);
    is("quiet"), graph = ring();
    is("edges"), gather(graph);
    is("quiet"), MPI_Comm_dup(graph, &twin);
    is("edges_twin"), gather(twin);
    is("quiet"), graph = of_edges(rank == 3 ? 2 : 0, from, degrees, to, 0);
    is("given_by_one"), gather(graph);
    is("quiet"), graph = of_edges(1, &rank, &one, &next, 1);
    MPI_Comm_rank(graph, &none);
    is("reordered"), gather(graph);
    is("quiet"), graph = of_edges(1, &rank, &one, &rank, 0);
    is("to_oneself"), gather(graph);
    is("quiet"), graph = of_edges(0, &rank, &one, &next, 0);
    is("no_edges"), gather(graph);
    is("quiet");
    MPI_Dist_graph_create_adjacent(world, 1, &previous, weights, 1, &next, weights, MPI_INFO_NULL,
                                   1, &graph);
    MPI_Comm_rank(graph, &none);
    is("own_reordered"), gather(graph);
}

/* All tell rank 0, who takes numbers of some only. */
static void some(void)
{
    int zero = 0, sources[3], to[8], mine = rank != 2, counts[3] = {1, 1, 1}, at[3] = {0, 1, 2};
    int many = rank != 0;
    MPI_Comm star;
    is("quiet"), star = of_edges(many, &rank, &many, &zero, 0);
    is("all_to_one");
    MPI_Neighbor_alltoallv(x, &many, &zero, MPI_INT, y, counts, at, MPI_INT, star);
    is("quiet");
    MPI_Dist_graph_neighbors(star, rank ? 0 : 3, sources, weights, many, to, weights);
    for (int i = 0; i < 3 && rank == 0; i++)
        counts[i] = sources[i] != 2;
    is("some_to_one");
    MPI_Neighbor_alltoallv(x, &mine, &zero, MPI_INT, y, counts, at, MPI_INT, star);
    is("some_to_one_wide");
    MPI_Aint bytes[3] = {0, 4, 8}, nothing = 0;
    MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Neighbor_alltoallw(x, &mine, &nothing, types, y, counts, bytes, types, star);
}

static void nonblocking(void)
{
    int zero = 0;
    MPI_Comm graph = ring();
    is("igather"), MPI_Ineighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, graph, requests);
    mark("igather", 'm'), MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("igatherv"),
        MPI_Ineighbor_allgatherv(x, 1, MPI_INT, y, &one, &zero, MPI_INT, graph, requests);
    mark("igatherv", 'm'), MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("ialltoall"), MPI_Ineighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, graph, requests);
    mark("ialltoall", 'm'), MPI_Wait(requests, MPI_STATUS_IGNORE);
    int gives = rank != 1, gets = rank != 2;
    is("ialltoallv"), MPI_Ineighbor_alltoallv(x, &gives, &zero, MPI_INT, y, &gets, &zero, MPI_INT,
                                              graph, requests);
    mark("ialltoallv", 'm'), MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Aint nothing = 0;
    MPI_Datatype type = MPI_INT;
    is("ialltoallw"), MPI_Ineighbor_alltoallw(x, &gives, &nothing, &type, y, &gets, &nothing, &type,
                                              graph, requests);
    mark("ialltoallw", 'm'), MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("gatherv"), MPI_Neighbor_allgatherv(x, 1, MPI_INT, y, &one, &zero, MPI_INT, graph);
    is("alltoall"), MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, graph);
}

static void play(void)
{
    next = (rank + 1) % 4;
    previous = (rank + 3) % 4;
    grids();
    graphs();
    some();
    is("quiet"), nonblocking();
}
