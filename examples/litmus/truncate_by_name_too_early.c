/* The writer has not closed the file when the other one cuts it off by its name, and does not open
 * it again before it reads.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    if (rank == 0) {
        int file = open_file("shared", 0);
        put(file, 8, 16);
        send_to(1, 0);
        receive_from(1, 0);
        must(pread(file, bytes, 16, 0) == 8, "pread");
        close(file);
    } else {
        receive_from(0, 0);
        must(truncate("shared", 8) == 0, "truncate");
        send_to(0, 0);
    }
}
