/* The writer commits the wrong file.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), other = open_file("other", 0);
    if (rank == 0) {
        put(file, 0, 8);
        fsync(other);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(other);
    close(file);
}
