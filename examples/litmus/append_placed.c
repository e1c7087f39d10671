/* The file was emptied, and all that was appended since is in order: the second append is behind
 * the bytes that are read.
 * ranks: 3
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        file = open_file("shared", O_TRUNC | O_APPEND);
        must(write(file, bytes, 8) == 8, "write");
        close(file);
        send_to(1, 0);
        send_to(2, 0);
    } else {
        receive_from(0, 0);
        file = open_file("shared", O_APPEND);
        if (rank == 1)
            must(write(file, bytes, 8) == 8, "write");
        else
            get(file, 0, 8);
        close(file);
    }
}
