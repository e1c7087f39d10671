/* The same name, another file.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        file = open_file("shared", 0);
        put(file, 0, 8);
        close(file);
        unlink("shared");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("shared", O_CREAT);
        put(file, 0, 8);
        close(file);
    }
}
