/* Two appends, and between them what NFS asks for.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 1)
        receive_from(0, 0);
    file = open_file("shared", O_APPEND);
    must(write(file, bytes, 8) == 8, "write");
    close(file);
    if (rank == 0)
        send_to(1, 0);
}
