/* Scenes of what MPI 4 has brought: persistent collective calls, also with neighbours, and messages
 * in parts. */
#include "scenes.h"

#if MPI_VERSION >= 4

static int some[4] = {1, 0, 1, 0}, at[4] = {0, 1, 2, 3}, wide[4] = {0, 4, 8, 12};
static int to[4], from[4];
static MPI_Datatype types[4];

/* Prepared before the scene, and started twice in it. */
static int twice(const char *scene)
{
    is(scene);
    for (int i = 0; i < 2; i++) {
        MPI_Start(requests);
        mark(scene, (char)('m' + 2 * i));
        MPI_Wait(requests, MPI_STATUS_IGNORE);
        mark(scene, (char)('n' + 2 * i));
    }
    is("quiet");
    return MPI_Request_free(requests);
}

static int once(const char *scene)
{
    is(scene);
    MPI_Start(requests);
    mark(scene, 'm');
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("quiet");
    return MPI_Request_free(requests);
}

#define LAST world, MPI_INFO_NULL, requests

static void collectives(void)
{
    is("quiet");
    MPI_Barrier_init(LAST), once("barrier_init");
    MPI_Bcast_init(x, 1, MPI_INT, 1, LAST), twice("bcast_init");
    MPI_Gather_init(x, 1, MPI_INT, y, 1, MPI_INT, 3, LAST), once("gather_init");
    MPI_Gatherv_init(x, some[rank], MPI_INT, y, some, at, MPI_INT, 1, LAST), once("gatherv_init");
    MPI_Scatter_init(x, 1, MPI_INT, y, 1, MPI_INT, 2, LAST), once("scatter_init");
    MPI_Scatterv_init(x, some, at, MPI_INT, y, some[rank], MPI_INT, 1, LAST), once("scatterv_init");
    MPI_Allgather_init(x, 1, MPI_INT, y, 1, MPI_INT, LAST), once("allgather_init");
    MPI_Allgatherv_init(x, some[rank], MPI_INT, y, some, at, MPI_INT, LAST);
    once("allgatherv_init");
    MPI_Alltoall_init(x, 1, MPI_INT, y, 1, MPI_INT, LAST), once("alltoall_init");
    MPI_Alltoallv_init(x, to, at, MPI_INT, y, from, at, MPI_INT, LAST), once("alltoallv_init");
    MPI_Alltoallw_init(x, to, wide, types, y, from, wide, types, LAST), once("alltoallw_init");
    MPI_Reduce_init(x, y, 1, MPI_INT, MPI_SUM, 0, LAST), once("reduce_init");
    MPI_Allreduce_init(x, y, 1, MPI_INT, MPI_SUM, LAST), once("allreduce_init");
    MPI_Reduce_scatter_init(x, y, some, MPI_INT, MPI_SUM, LAST), once("reduce_scatter_init");
    MPI_Reduce_scatter_block_init(x, y, 1, MPI_INT, MPI_SUM, LAST);
    once("reduce_scatter_block_init");
    MPI_Scan_init(x, y, 1, MPI_INT, MPI_SUM, LAST), once("scan_init");
    MPI_Exscan_init(x, y, 1, MPI_INT, MPI_SUM, LAST), once("exscan_init");
    MPI_Allreduce_c(x, y, 1, MPI_INT, MPI_SUM, world);
    is("bcast_c"), rank ? MPI_Bcast_c(x, 1, MPI_INT, 0, world) : MPI_Bcast(x, 1, MPI_INT, 0, world);
    is("send_c");
    if (rank == 0)
        MPI_Send_c(x, 1, MPI_INT, 1, 0, world);
    if (rank == 1)
        MPI_Recv(y, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    is("quiet");
}

#undef LAST
#define LAST graph, MPI_INFO_NULL, requests

static void neighbours(void)
{
    int one = 1, zero = 0, next = (rank + 1) % 4, gives = rank != 1, gets = rank != 2;
    MPI_Aint nothing = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Comm graph;
    MPI_Dist_graph_create(world, 1, &rank, &one, &next, &one, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather_init(x, 1, MPI_INT, y, 1, MPI_INT, LAST), once("n_allgather_init");
    MPI_Neighbor_allgatherv_init(x, 1, MPI_INT, y, &one, &zero, MPI_INT, LAST);
    once("n_allgatherv_init");
    MPI_Neighbor_alltoall_init(x, 1, MPI_INT, y, 1, MPI_INT, LAST), once("n_alltoall_init");
    MPI_Neighbor_alltoallv_init(x, &gives, &zero, MPI_INT, y, &gets, &zero, MPI_INT, LAST);
    once("n_alltoallv_init");
    MPI_Neighbor_alltoallw_init(x, &gives, &nothing, &type, y, &gets, &nothing, &type, LAST);
    once("n_alltoallw_init");
    MPI_Comm_free(&graph);
}

static void parts(void)
{
    int flag = 0, list[2] = {1, 3};
    is("quiet");
    if (rank == 0)
        MPI_Psend_init(x, 4, 1, MPI_INT, 1, 0, world, MPI_INFO_NULL, requests);
    if (rank == 1)
        MPI_Precv_init(y, 4, 1, MPI_INT, 0, 0, world, MPI_INFO_NULL, requests);
    is("parts");
    if (rank < 2)
        MPI_Start(requests);
    if (rank == 0) {
        MPI_Pready_range(0, 0, requests[0]);
        mark("parts", 'm');
        MPI_Pready_list(2, list, requests[0]);
        mark("parts", 'n');
        MPI_Pready(2, requests[0]);
    }
    if (rank == 1) {
        while (!flag)
            MPI_Parrived(requests[0], 3, &flag);
        mark("parts", 'm');
    }
    if (rank < 2)
        MPI_Wait(requests, MPI_STATUS_IGNORE), MPI_Request_free(requests);
    is("isendrecv");
    MPI_Isendrecv(x, 1, MPI_INT, (rank + 1) % 4, 0, y, 1, MPI_INT, (rank + 3) % 4, 0, world,
                  requests);
    mark("isendrecv", 'm');
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("isendrecv_replace");
    MPI_Isendrecv_replace(x, 1, MPI_INT, (rank + 1) % 4, 0, (rank + 3) % 4, 0, world, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void play(void)
{
    for (int i = 0; i < 4; i++)
        types[i] = MPI_INT;
    to[(rank + 1) % 4] = from[(rank + 3) % 4] = 1;
    collectives();
    neighbours();
    parts();
}

#else

static void play(void)
{
    (void)x, (void)y, (void)requests;
    MPI_Finalize();
    exit(77);
}

#endif
