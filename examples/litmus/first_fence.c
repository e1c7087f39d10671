/* One-sided: the first fence ends no epoch, and need not wait for anybody.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), memory;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Win_fence(0, window);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    close(file);
}
