/* Two messages, one after the other: the order goes on from rank to rank.
 * ranks: 3
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        fdatasync(file);
        send_to(1, 0);
    } else if (rank == 1) {
        receive_from(0, 0);
        send_to(2, 0);
    } else {
        receive_from(1, 0);
        get(file, 0, 8);
    }
    close(file);
}
