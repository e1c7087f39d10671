/* The message leaves before the write.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        send_to(1, 0);
        put(file, 0, 8);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
