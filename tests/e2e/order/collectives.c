/* Scenes of collective calls that are none of scenes.c: the rest of those that block, those that do
 * not, and what makes communicators. */
#include "scenes.h"

static int some[4] = {1, 0, 1, 0}, at[4] = {0, 1, 2, 3};
static int wide[4] = {0, 4, 8, 12};
static MPI_Datatype types[4];

static void blocking(void)
{
    int to[4] = {0, 0, 0, 0}, from[4] = {0, 0, 0, 0};
    to[(rank + 1) % 4] = from[(rank + 3) % 4] = 1;
    is("allgather"), MPI_Allgather(x, 1, MPI_INT, y, 1, MPI_INT, world);
    is("scatterv"), MPI_Scatterv(x, some, at, MPI_INT, y, some[rank], MPI_INT, 1, world);
    is("alltoallw"), MPI_Alltoallw(x, to, wide, types, y, from, wide, types, world);
    is("reduce_scatter"), MPI_Reduce_scatter(x, y, some, MPI_INT, MPI_SUM, world);
    is("reduce_scatter_block"), MPI_Reduce_scatter_block(x, y, 1, MPI_INT, MPI_SUM, world);
}

/* What was started is complete behind a mark. */
static int done(const char *scene)
{
    mark(scene, 'm');
    return MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void nonblocking(void)
{
    is("igather"), MPI_Igather(x, 1, MPI_INT, y, 1, MPI_INT, 3, world, requests), done("igather");
    is("igatherv");
    MPI_Igatherv(x, some[rank], MPI_INT, y, some, at, MPI_INT, 1, world, requests);
    done("igatherv");
    is("iscatter");
    MPI_Iscatter(x, 1, MPI_INT, y, 1, MPI_INT, 2, world, requests), done("iscatter");
    is("iscatterv");
    MPI_Iscatterv(x, some, at, MPI_INT, y, some[rank], MPI_INT, 1, world, requests);
    done("iscatterv");
    is("iallgather");
    MPI_Iallgather(x, 1, MPI_INT, y, 1, MPI_INT, world, requests), done("iallgather");
    is("iallgatherv");
    MPI_Iallgatherv(x, some[rank], MPI_INT, y, some, at, MPI_INT, world, requests);
    done("iallgatherv");
    is("ialltoall");
    MPI_Ialltoall(x, 1, MPI_INT, y, 1, MPI_INT, world, requests), done("ialltoall");
    int to[4] = {0, 0, 0, 0}, from[4] = {0, 0, 0, 0};
    to[(rank + 1) % 4] = from[(rank + 3) % 4] = 1;
    is("ialltoallv");
    MPI_Ialltoallv(x, to, at, MPI_INT, y, from, at, MPI_INT, world, requests), done("ialltoallv");
    is("ialltoallw");
    MPI_Ialltoallw(x, to, wide, types, y, from, wide, types, world, requests), done("ialltoallw");
    is("ireduce"), MPI_Ireduce(x, y, 1, MPI_INT, MPI_SUM, 0, world, requests), done("ireduce");
    is("iallreduce");
    MPI_Iallreduce(x, y, 1, MPI_INT, MPI_SUM, world, requests), done("iallreduce");
    is("ireduce_scatter");
    MPI_Ireduce_scatter(x, y, some, MPI_INT, MPI_SUM, world, requests), done("ireduce_scatter");
    is("ireduce_scatter_block");
    MPI_Ireduce_scatter_block(x, y, 1, MPI_INT, MPI_SUM, world, requests);
    done("ireduce_scatter_block");
    is("iscan"), MPI_Iscan(x, y, 1, MPI_INT, MPI_SUM, world, requests), done("iscan");
    is("iexscan"), MPI_Iexscan(x, y, 1, MPI_INT, MPI_SUM, world, requests), done("iexscan");
}

static void groups(void)
{
    int two[2] = {3, 1}, ranges[1][3] = {{0, 3, 2}};
    MPI_Group all, odd, even, rest;
    MPI_Comm part, twin, both, one;
    is("quiet"), MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 2, two, &odd);
    MPI_Group_range_incl(all, 1, ranges, &even);
    MPI_Group_difference(all, even, &rest);
    MPI_Comm_create(world, rest, &part);
    is("difference"), part == MPI_COMM_NULL ? 0 : MPI_Bcast(x, 1, MPI_INT, 0, part);
    is("quiet"), MPI_Group_union(odd, even, &rest); /* 3, 1, 0, 2 */
    MPI_Comm_create(world, rest, &part);
    is("union"), MPI_Bcast(x, 1, MPI_INT, 0, part);
    is("quiet"), MPI_Comm_idup(part, &twin, requests), MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("idup"), MPI_Bcast(x, 1, MPI_INT, 1, twin);
    is("quiet"), MPI_Comm_dup_with_info(twin, MPI_INFO_NULL, &part);
    is("dup_with_info"), MPI_Bcast(x, 1, MPI_INT, 3, part);
    is("quiet"), MPI_Group_excl(all, 2, two, &rest);
    if (rank % 2 == 0)
        MPI_Comm_create_group(world, rest, 3, &part);
    is("create_group"), rank % 2 == 0 ? MPI_Bcast(x, 1, MPI_INT, 1, part) : 0;
    is("quiet"), MPI_Comm_split(world, rank / 2, 0, &part);
    MPI_Intercomm_create(part, 0, world, rank < 2 ? 2 : 0, 5, &both);
    MPI_Comm_dup(both, &twin);
    is("two_gather");
    MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT,
               rank == 3   ? MPI_ROOT
               : rank == 2 ? MPI_PROC_NULL
                           : 1,
               twin);
    is("two_allreduce"), MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, twin);
    int second[1] = {1}, first[1] = {0};
    is("quiet"), MPI_Comm_group(twin, &all);
    MPI_Group_incl(all, 1, rank < 2 ? second : first, &rest); /* 1, and 2 */
    MPI_Comm_create(both, rest, &one);
    is("two_of_four"), one == MPI_COMM_NULL ? 0 : MPI_Barrier(one);
    is("two_of_four_send");
    if (rank == 1)
        MPI_Send(x, 1, MPI_INT, 0, 0, one);
    if (rank == 2)
        MPI_Recv(y, 1, MPI_INT, 0, 0, one, MPI_STATUS_IGNORE);
    is("quiet"), MPI_Comm_split(both, 0, -rank, &one); /* 1, 0, and 3, 2 */
    is("two_split");                                   /* 1 to 2 */
    if (rank == 1)
        MPI_Send(x, 1, MPI_INT, 1, 0, one);
    if (rank == 2)
        MPI_Recv(y, 1, MPI_INT, 0, 0, one, MPI_STATUS_IGNORE);
    is("two_split_root");
    MPI_Bcast(x, 1, MPI_INT, rank == 1 ? MPI_ROOT : rank == 0 ? MPI_PROC_NULL : 0, one);
    is("quiet"), MPI_Intercomm_merge(twin, rank < 2, &one);
    is("merged"), MPI_Bcast(x, 1, MPI_INT, 1, one); /* the root is 3 */
}

static void play(void)
{
    for (int i = 0; i < 4; i++)
        types[i] = MPI_INT;
    blocking();
    nonblocking();
    groups();
}
