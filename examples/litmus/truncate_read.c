/* Cut off, then read by who has opened the file before: it may still know the old bytes.
 * ranks: 2
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        must(ftruncate(file, 0) == 0, "ftruncate");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        must(pread(file, bytes, 8, 0) == 0, "pread");
    }
    close(file);
}
