/* A message that nobody receives orders nothing.
 * ranks: 2
 * findings: unmatched send
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        get(file, 0, 8);
    }
    close(file);
}
