/* A send may be over before anybody receives: it tells nothing of the receiver.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        send_to(1, 0);
        get(file, 0, 8);
    } else {
        put(file, 0, 8);
        receive_from(0, 0);
    }
    close(file);
}
