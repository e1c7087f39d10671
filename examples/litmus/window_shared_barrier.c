/* Ranks with a shared window, and a barrier between the accesses.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_Win window;
    int *own;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    if (rank == 0)
        put(open_file("shared", 0), 0, 8);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    *own = 1;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    MPI_Win_unlock_all(window);
    if (rank == 1)
        get(open_file("shared", 0), 0, 8);
    MPI_Win_free(&window);
}
