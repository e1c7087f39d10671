/* One-sided with a request: that the number is there tells the target nothing.
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
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Request request;
        put(file, 0, 8);
        MPI_Rput(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_flush(1, window);
    } else {
        get(file, 0, 8);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    close(file);
}
