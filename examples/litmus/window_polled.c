/* One-sided: the target looks into its own memory, until it finds what the writer has put there.
 * ranks: 2
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), one = 1, skipped = 0;
    volatile int *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        put(file, 0, 8);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
    } else {
        for (int tries = 0; !*memory && tries < 2000; tries++)
            usleep(1000);
        MPI_Win_sync(window);
        skipped = !*memory; /* it gets there when the target is in a call */
        get(file, 0, 8);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    close(file);
    if (skipped) {
        MPI_Finalize();
        exit(77);
    }
}
