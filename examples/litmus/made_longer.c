/* To give a file room takes nothing from what is written.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0)
        put(file, 0, 8);
    else
        must(posix_fallocate(file, 0, 8192) == 0, "posix_fallocate");
    close(file);
}
