/* Scenes of all kinds of calls that order ranks. */
#include "scenes.h"

static MPI_Status status;

static void blocking(void)
{
    int some[4] = {1, 0, 1, 0}, at[4] = {0, 1, 2, 3};
    is("barrier"), MPI_Barrier(world);
    is("bcast"), MPI_Bcast(x, 1, MPI_INT, 1, world);
    is("bcast_nothing"), MPI_Bcast(x, 0, MPI_INT, 1, world);
    is("scatter"), MPI_Scatter(x, 1, MPI_INT, y, 1, MPI_INT, 2, world);
    is("gather"), MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, 3, world);
    is("gatherv"), MPI_Gatherv(x, some[rank], MPI_INT, y, some, at, MPI_INT, 1, world);
    is("reduce"), MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 0, world);
    is("allreduce"), MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, world);
    is("allreduce_nothing"), MPI_Allreduce(x, y, 0, MPI_INT, MPI_SUM, world);
    is("alltoall"), MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, world);
    is("allgatherv"), MPI_Allgatherv(x, some[rank], MPI_INT, y, some, at, MPI_INT, world);
    is("scan"), MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, world);
    is("exscan"), MPI_Exscan(x, y, 1, MPI_INT, MPI_SUM, world);
}

static void messages(void)
{
    int flag = 0, index, count, indices[4], previous = (rank + 3) % 4, next = (rank + 1) % 4;
    MPI_Message message;
    is("send");
    if (rank == 0)
        MPI_Send(x, 1, MPI_INT, 1, 0, world);
    else if (rank == 1)
        MPI_Recv(y, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    is("ssend");
    if (rank == 0)
        MPI_Ssend(x, 1, MPI_INT, 1, 0, world);
    else if (rank == 1)
        MPI_Recv(y, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    is("any");
    if (rank == 2)
        MPI_Send(x, 1, MPI_INT, 0, 9, world);
    else if (rank == 0)
        MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
    is("tags"); /* taken in the other order: the first receive waits for both sends */
    if (rank == 0) {
        MPI_Send(x, 1, MPI_INT, 1, 1, world);
        mark("tags", 'm');
        MPI_Send(x, 1, MPI_INT, 1, 2, world);
    } else if (rank == 1) {
        MPI_Recv(y, 1, MPI_INT, 0, 2, world, MPI_STATUS_IGNORE);
        mark("tags", 'm');
        MPI_Recv(y, 1, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
    }
    is("ring"), MPI_Sendrecv(x, 1, MPI_INT, next, 0, y, 1, MPI_INT, previous, 0, world, &status);
    is("late"); /* complete where it is waited for */
    if (rank == 0) {
        MPI_Isend(x, 1, MPI_INT, 1, 0, world, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Irecv(y, 1, MPI_INT, 0, 0, world, &requests[0]);
        mark("late", 'm');
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    is("waitany");
    if (rank == 0) {
        for (int i = 1; i < 4; i++)
            MPI_Irecv(&y[i], 1, MPI_INT, i, 0, world, &requests[i]);
        requests[0] = MPI_REQUEST_NULL;
        for (int i = 1; i < 4; i++)
            MPI_Waitany(4, requests, &index, &status);
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, world);
    }
    is("waitsome");
    if (rank == 0) {
        for (int i = 1; i < 4; i++)
            MPI_Irecv(&y[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, world, &requests[i]);
        for (int done = 0; done < 3; done += count)
            MPI_Waitsome(3, requests + 1, &count, indices, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, world);
    }
    is("waitall");
    if (rank == 0) {
        for (int i = 1; i < 4; i++)
            MPI_Irecv(&y[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, world, &requests[i]);
        MPI_Waitall(3, requests + 1, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, world);
    }
    is("test");
    if (rank == 0) {
        MPI_Irecv(y, 1, MPI_INT, 3, 0, world, &requests[0]);
        for (flag = 0; !flag;)
            MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    } else if (rank == 3) {
        MPI_Send(x, 1, MPI_INT, 0, 0, world);
    }
    is("persistent");
    if (rank < 2) {
        if (rank == 0)
            MPI_Send_init(x, 1, MPI_INT, 1, 0, world, &requests[0]);
        else
            MPI_Recv_init(y, 1, MPI_INT, 0, 0, world, &requests[0]);
        for (int i = 0; i < 3; i++) {
            MPI_Start(&requests[0]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            mark("persistent", (char)('0' + i));
        }
        MPI_Request_free(&requests[0]);
    }
    is("probe");
    if (rank == 0)
        MPI_Send(x, 1, MPI_INT, 2, 0, world);
    if (rank == 2) {
        MPI_Probe(MPI_ANY_SOURCE, 0, world, &status);
        mark("probe", 'm');
        MPI_Recv(y, 1, MPI_INT, status.MPI_SOURCE, 0, world, MPI_STATUS_IGNORE);
    }
    is("mprobe");
    if (rank == 0)
        MPI_Send(x, 1, MPI_INT, 2, 0, world);
    if (rank == 2) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, world, &message, &status);
        mark("mprobe", 'm');
        MPI_Mrecv(y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    is("cancel");
    if (rank == 1) {
        MPI_Irecv(y, 1, MPI_INT, 0, 77, world, &requests[0]);
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Test_cancelled(&status, &flag);
    }
    is("nobody"), MPI_Sendrecv(x, 1, MPI_INT, MPI_PROC_NULL, 0, y, 1, MPI_INT, MPI_PROC_NULL, 0,
                               world, MPI_STATUS_IGNORE);
}

static void nonblocking(void)
{
    is("ibarrier"), MPI_Ibarrier(world, requests);
    mark("ibarrier", 'm');
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    is("ibcast"), MPI_Ibcast(x, 1, MPI_INT, 0, world, requests);
    mark("ibcast", 'm');
    MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void communicators(void)
{
    MPI_Comm half, twin, some, cart, graph, both, one;
    MPI_Group all, few;
    int dims[1] = {4}, periods[1] = {0}, few_ranks[2] = {3, 1};
    is("quiet"), MPI_Comm_split(world, rank % 2, -rank, &half);
    is("half"), MPI_Barrier(half);
    is("half_root"), MPI_Bcast(x, 1, MPI_INT, 0, half); /* roots are 2 and 3 */
    is("dup"), MPI_Comm_dup(half, &twin);
    is("twin"), MPI_Barrier(twin);
    is("split"), MPI_Comm_split(world, 0, 0, &one);
    is("quiet"), MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 2, few_ranks, &few);
    MPI_Comm_create(world, few, &some);
    is("few");
    if (some != MPI_COMM_NULL)
        MPI_Bcast(x, 1, MPI_INT, 0, some); /* the root is 3 */
    is("quiet"), MPI_Cart_create(world, 1, dims, periods, 0, &cart);
    is("cart"), MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, cart);
    int source = (rank + 3) % 4, to = (rank + 1) % 4;
    is("quiet");
    MPI_Dist_graph_create_adjacent(world, 1, &source, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    is("graph"), MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, graph);
    is("quiet"), MPI_Comm_split(world, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, world, rank < 2 ? 2 : 0, 5, &both);
    is("two_sides"), MPI_Barrier(both);
    is("two_sides_root");
    MPI_Bcast(x, 1, MPI_INT, rank == 1 ? MPI_ROOT : rank == 0 ? MPI_PROC_NULL : 1, both);
    is("two_sides_send");
    if (rank == 1)
        MPI_Send(x, 1, MPI_INT, 1, 0, both);
    if (rank == 3)
        MPI_Recv(x, 1, MPI_INT, 1, 0, both, MPI_STATUS_IGNORE);
    is("quiet"), MPI_Intercomm_merge(both, rank < 2, &one);
    is("merged"), MPI_Bcast(x, 1, MPI_INT, 0, one); /* the root is 2 */
}

static void files_and_windows(void)
{
    MPI_File file;
    MPI_Win window;
    is("open"),
        MPI_File_open(world, "scene.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    is("write_all"), MPI_File_write_at_all(file, 4 * rank, x, 1, MPI_INT, MPI_STATUS_IGNORE);
    is("close"), MPI_File_close(&file);
    is("quiet"), MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, world, &window);
    MPI_Win_fence(0, window);
    is("fence"), MPI_Win_fence(0, window);
    is("first_fence"), MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    is("quiet"), MPI_Win_fence(0, window);
    MPI_Group all, before, behind;
    int previous = (rank + 3) % 4, next = (rank + 1) % 4;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &previous, &before);
    MPI_Group_incl(all, 1, &next, &behind);
    is("post");
    MPI_Win_post(before, 0, window);
    MPI_Win_start(behind, 0, window);
    MPI_Put(y, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    is(NULL);
    MPI_Win_free(&window);
}

static void play(void)
{
    blocking();
    messages();
    nonblocking();
    communicators();
    files_and_windows();
}
