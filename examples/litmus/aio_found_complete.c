/* A write of aio that is found complete before the message; what it returned is asked for later.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <aio.h>

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        struct aiocb write = {.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 8};
        must(aio_write(&write) == 0, "aio_write");
        while (aio_error(&write) == EINPROGRESS)
            usleep(100);
        send_to(1, 0);
        must(aio_return(&write) == 8, "aio_return");
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
