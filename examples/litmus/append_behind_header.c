/* What is appended comes behind what was written before: who reads that does not meet it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        file = open_file("shared", O_TRUNC);
        put(file, 0, 100);
        send_to(1, 0);
        must(fcntl(file, F_SETFL, O_APPEND) == 0, "fcntl");
        must(write(file, bytes, 8) == 8, "write");
    } else {
        receive_from(0, 0);
        file = open_file("shared", 0);
        get(file, 0, 100);
    }
    close(file);
}
