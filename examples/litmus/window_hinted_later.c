/* One-sided: MPI_Win_free of a window that got hints later, which may say that nobody has to wait.
 * ranks: 2
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), memory;
    MPI_Info hints;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "no_locks", "true");
    MPI_Win_set_info(window, hints);
    MPI_Info_free(&hints);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Win_free(&window);
    if (rank == 1)
        get(file, 0, 8);
    close(file);
}
