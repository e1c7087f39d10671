/* splice moves fewer bytes to a pipe than asked for, as the pipe is full: it has seen nothing of
 * what the other process writes behind them.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#define _GNU_SOURCE
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    if (rank == 0) {
        int file = open_file("other", 0), ends[2];
        must(ftruncate(file, 65536) == 0 && pipe(ends) == 0, "pipe");
        must(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096, "fcntl");
        must(splice(file, NULL, ends[1], NULL, 65536, 0) == 4096, "splice");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        int file = open_file("other", 0);
        put(file, 8192, 8200);
        close(file);
    }
}
