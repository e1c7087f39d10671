/* One appends, the other one looks whether something has come: it may find it or not.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", O_APPEND);
    if (rank == 0)
        must(write(file, bytes, 8) == 8, "write");
    else
        must(pread(file, bytes, 8, 4096) >= 0, "pread");
    close(file);
}
