/* The reader has opened the file under its old name.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        receive_from(1, 0);
        rename("shared", "moved");
        file = open_file("moved", 0);
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        file = open_file("shared", 0);
        send_to(0, 0);
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
