/* One writes, the other one cuts the file off: the bytes are there, or not.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0)
        put(file, 0, 8);
    else
        must(ftruncate(file, 0) == 0, "ftruncate");
    close(file);
}
