/* One-sided: a fence that ends nothing need not wait.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 1, *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    if (rank == 1)
        get(file, 0, 8);
    if (rank == 0)
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    close(file);
}
