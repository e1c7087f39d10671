/* A flag in the memory of a shared window, by loads and stores: that is not followed.
 * ranks: 2
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_Win window;
    MPI_Aint size;
    int unit, *own;
    volatile int *flag;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    MPI_Win_shared_query(window, 0, &size, &unit, (void *)&flag);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    *own = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        put(open_file("shared", 0), 0, 8);
    MPI_Win_sync(window);
    if (rank == 0)
        *flag = 1;
    while (!*flag)
        MPI_Win_sync(window);
    if (rank == 1)
        get(open_file("shared", 0), 0, 8);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}
