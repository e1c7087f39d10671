/* Blocks that take turns, and touch nowhere.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    for (off_t i = 0; i < 100; i++)
        put(file, 20 * i + 10 * rank, 20 * i + 10 * rank + 10);
    close(file);
}
