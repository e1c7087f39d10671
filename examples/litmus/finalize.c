/* MPI_Finalize: a library may let its ranks wait for each other there, but promises it to nobody.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static int file;

/* Behind MPI_Finalize, which main calls. */
static void read_at_exit(void)
{
    (void)!pread(file, bytes, 8, 0);
    close(file);
}

static void program(int rank)
{
    file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        fsync(file);
    } else if (atexit(read_at_exit)) {
        exit(1);
    }
}
