/* A file opened with O_SYNC: its writes last, but nobody is promised to see them before a commit.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", O_SYNC);
    if (rank == 0) {
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
