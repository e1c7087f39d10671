/* One-sided: nobody leaves MPI_Win_free before all have called it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), memory;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Win_free(&window);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
