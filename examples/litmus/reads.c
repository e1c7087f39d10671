/* Two reads are no conflict.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    get(file, 8 * rank, 16);
    close(file);
}
