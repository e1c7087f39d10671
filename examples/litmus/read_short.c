/* A read of more bytes than there are, and a write behind them.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    static char all[8192];
    int file = open_file("shared", 0);
    if (rank == 0)
        put(file, 6000, 6008);
    else
        must(pread(file, all, sizeof all, 0) >= 4096, "pread");
    close(file);
}
