/* One appends, the other one writes to where the end of the file is.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", rank == 0 ? O_APPEND : 0);
    if (rank == 0)
        must(write(file, bytes, 8) == 8, "write");
    else
        put(file, 4096, 4104);
    close(file);
}
