/* Cut off behind a commit of what was written: what comes from a cache later would be there again.
 * ranks: 2
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 8, 16);
        must(fsync(file) == 0, "fsync");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        must(ftruncate(file, 8) == 0, "ftruncate");
    }
    close(file);
}
