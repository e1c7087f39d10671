/* One reads what the other one makes a hole of.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#define _GNU_SOURCE
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0)
        get(file, 0, 8);
    else if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 8))
        exit(errno == EOPNOTSUPP ? 77 : 1);
    close(file);
}
