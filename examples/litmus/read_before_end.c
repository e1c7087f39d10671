/* A read that finds the end of the file, and then a write behind it.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        receive_from(1, 0);
        put(file, 4096, 4104);
    } else {
        must(pread(file, bytes, 8, 4096) == 0, "pread");
        send_to(0, 0);
    }
    close(file);
}
