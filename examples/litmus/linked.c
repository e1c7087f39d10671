/* Two names of one file.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        must(link("shared", "alias") == 0, "link");
        file = open_file("shared", 0);
        put(file, 0, 8);
        close(file);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("alias", 0);
        get(file, 0, 8);
        close(file);
    }
}
