/* One-sided: the reader looks under a lock until it finds what the writer left under a lock, and
 * once more when that one is certainly over.
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
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        put(file, 0, 8);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    } else {
        for (int found = 0, times = 0; times < 2; times += found) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            MPI_Get(&found, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
            MPI_Win_unlock(1, window);
            usleep(20000);
        }
        get(file, 0, 8);
    }
    MPI_Win_free(&window);
    close(file);
}
