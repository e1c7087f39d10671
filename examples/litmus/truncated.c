/* A file that is emptied stays the same file.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        file = open_file("shared", 0);
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("shared", O_TRUNC);
        put(file, 0, 8);
    }
    close(file);
}
