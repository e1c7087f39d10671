/* The second append comes behind the first one, but finds the end of the file only where it has
 * been notified of it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", O_APPEND);
    if (rank == 0) {
        must(write(file, bytes, 8) == 8, "write");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        must(write(file, bytes, 8) == 8, "write");
    }
    close(file);
}
