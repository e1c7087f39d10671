/* A third rank commits, between the writer and the reader.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        send_to(1, 0);
    } else if (rank == 1) {
        receive_from(0, 0);
        fsync(file);
        send_to(2, 0);
    } else {
        receive_from(1, 0);
        get(file, 0, 8);
    }
    close(file);
}
