/* Rank 1 reads zeros of a new file that is long enough since before the barrier, while rank 0
 * writes other bytes of it many times: which of more than a thousand changes made it so long is
 * known.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

enum { TIMES = 1200 };

static void program(int rank)
{
    if (rank == 0) {
        int file = open_file("new", O_CREAT | O_EXCL);
        put(file, 16 * TIMES, 16 * TIMES + 16);
        close(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int file = open_file("new", 0);
    for (int i = 0; rank == 0 && i < TIMES; i++) {
        put(file, 16 * i, 16 * i + 8);
        fdatasync(file);
    }
    if (rank == 1)
        get(file, 8, 16);
    close(file);
}
