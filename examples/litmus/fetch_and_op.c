/* One-sided: a flag that is looked at by an atomic operation until it is set. That it was, nobody
 * sees.
 * ranks: 2
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static int fetch(MPI_Win window, int number, MPI_Op op)
{
    int found;
    MPI_Fetch_and_op(&number, &found, MPI_INT, 0, 0, op, window);
    MPI_Win_flush(0, window);
    return found;
}

static void program(int rank)
{
    int file = open_file("shared", 0), *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        put(file, 0, 8);
        fetch(window, 1, MPI_REPLACE);
    } else {
        while (!fetch(window, 0, MPI_NO_OP))
            usleep(1000);
        get(file, 0, 8);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}
