/* Two messages, and the one before the write is waited for.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        send_to(1, 1);
        put(file, 0, 8);
        send_to(1, 2);
    } else {
        receive_from(0, 1);
        get(file, 0, 8);
        receive_from(0, 2);
    }
    close(file);
}
