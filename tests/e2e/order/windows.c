/* Scenes of windows: epochs of all kinds, and windows of all kinds. */
#include "scenes.h"

static int next, previous;
static MPI_Win window;

static void fences(void)
{
    is("quiet"), MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, world, &window);
    is("first_fence"), MPI_Win_fence(0, window); /* ends no epoch: nobody need wait */
    is("second_fence"), MPI_Win_fence(0, window);
    is("last_fence"), MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    is("fence_anew"), MPI_Win_fence(0, window);
    is("nothing_before"), MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    is("quiet"), MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void between_some(void)
{
    MPI_Group all, before, behind;
    int done = 0;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &previous, &before);
    MPI_Group_incl(all, 1, &next, &behind);
    is("win_test");
    MPI_Win_post(before, 0, window);
    MPI_Win_start(behind, 0, window);
    MPI_Accumulate(y, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_complete(window);
    while (!done)
        MPI_Win_test(window, &done);
    is("one_way"); /* rank 1 reaches rank 2 */
    MPI_Group two, one;
    int second = 2, first = 1;
    MPI_Group_incl(all, 1, &second, &two);
    MPI_Group_incl(all, 1, &first, &one);
    if (rank == 2)
        MPI_Win_post(one, 0, window);
    if (rank == 1)
        MPI_Win_start(two, 0, window), MPI_Win_complete(window);
    if (rank == 2)
        MPI_Win_wait(window);
}

static void locked(void)
{
    int number = 1, result = 0;
    is("quiet");
    MPI_Win_lock_all(0, window);
    is("flush"); /* the target does not take part */
    MPI_Put(&number, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    MPI_Win_flush(next, window);
    MPI_Get(&result, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    MPI_Win_flush_local(next, window);
    MPI_Win_flush_all(window), MPI_Win_flush_local_all(window), MPI_Win_sync(window);
    is("with_requests");
    MPI_Rput(&number, 1, MPI_INT, next, 0, 1, MPI_INT, window, &requests[0]);
    MPI_Rget(&result, 1, MPI_INT, next, 1, 1, MPI_INT, window, &requests[1]);
    MPI_Raccumulate(&number, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_SUM, window, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Rget_accumulate(&number, 1, MPI_INT, y, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_SUM, window,
                        &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    is("atomics");
    MPI_Fetch_and_op(&number, y, MPI_INT, 0, 3, MPI_SUM, window);
    MPI_Compare_and_swap(&number, x, y, MPI_INT, 0, 4, window);
    MPI_Get_accumulate(&number, 1, MPI_INT, y, 1, MPI_INT, 0, 5, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_flush(0, window);
    is("quiet");
    MPI_Win_unlock_all(window);
}

static void kinds(void)
{
    MPI_Comm node;
    int *memory;
    is("freed"), MPI_Win_free(&window);
    is("allocated"), MPI_Win_allocate(64, 4, MPI_INFO_NULL, world, &memory, &window);
    is("quiet"), MPI_Win_fence(0, window);
    is("allocated_fence"), MPI_Win_fence(0, window);
    is("quiet"), MPI_Win_free(&window);
    MPI_Win_create_dynamic(MPI_INFO_NULL, world, &window);
    MPI_Win_attach(window, x, sizeof x);
    MPI_Win_fence(0, window);
    is("dynamic_fence"), MPI_Win_fence(0, window);
    is("quiet"), MPI_Win_detach(window, x), MPI_Win_free(&window);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &node);
    MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, node, &memory, &window);
    MPI_Win_fence(0, window);
    is("shared_fence"), MPI_Win_fence(0, window);
    is("quiet"), MPI_Win_free(&window);
    MPI_Comm_free(&node);
}

static void play(void)
{
    next = (rank + 1) % 4;
    previous = (rank + 3) % 4;
    fences();
    between_some();
    locked();
    kinds();
}
