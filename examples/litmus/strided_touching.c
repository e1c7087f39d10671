/* Blocks that take turns, and have one byte in common in the end.
 * ranks: 2
 * pairs: 1
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    for (off_t i = 0; i < 100; i++)
        put(file, 20 * i + 10 * rank, 20 * i + 10 * rank + 10);
    if (rank == 1)
        put(file, 1989, 1990);
    close(file);
}
