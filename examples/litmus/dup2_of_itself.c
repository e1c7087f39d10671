/* A descriptor that becomes itself: nothing is closed, nor is the file when another descriptor
 * becomes it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file, other = open_file("other", 0);
    if (rank == 0) {
        file = open_file("shared", 0);
        put(file, 0, 8);
        must(dup2(file, file) == file && dup2(file, other) == other, "dup2");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("shared", 0);
        get(file, 0, 8);
    }
    close(file);
    close(other);
}
