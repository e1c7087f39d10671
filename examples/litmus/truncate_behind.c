/* The file is cut off behind what is written.
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
        must(ftruncate(file, 8) == 0, "ftruncate");
    close(file);
}
