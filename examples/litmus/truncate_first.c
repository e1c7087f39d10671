/* Cut off, then written: servers cut off at once.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        must(truncate("shared", 0) == 0, "truncate");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        put(file, 0, 8);
    }
    close(file);
}
