/* Two writes with a message between: without a commit the first one may come last.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        put(file, 4, 12);
    }
    close(file);
}
