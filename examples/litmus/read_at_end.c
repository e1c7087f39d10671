/* A read at the end of the file, and a write there: whether it finds something depends on who comes
 * first.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0)
        put(file, 4096, 4104);
    else
        must(pread(file, bytes, 8, 4096) >= 0, "pread");
    close(file);
}
