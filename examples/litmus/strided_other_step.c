/* Steps of 21 bytes against steps of 14: they meet again and again.
 * ranks: 2
 * pairs: 33
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), step = rank ? 14 : 21;
    for (off_t i = 0; i < (rank ? 100 : 66); i++)
        put(file, step * i, step * i + 1);
    close(file);
}
