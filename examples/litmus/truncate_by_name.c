/* To cut a file off by its name is to open it, to cut it off and to close it: close, message, cut
 * off, message, open.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    if (rank == 0) {
        int file = open_file("shared", 0);
        put(file, 8, 16);
        close(file);
        send_to(1, 0);
        receive_from(1, 0);
        file = open_file("shared", 0);
        must(pread(file, bytes, 16, 0) == 8, "pread");
        close(file);
    } else {
        receive_from(0, 0);
        must(truncate("shared", 8) == 0, "truncate");
        send_to(0, 0);
    }
}
