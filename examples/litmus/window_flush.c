/* One-sided: all windows are locked by all; a message behind the flush tells of what was done
 * before.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
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
        put(file, 0, 8);
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    close(file);
}
