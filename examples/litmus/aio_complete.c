/* A write of aio, complete before the message.
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
        const struct aiocb *writes[] = {&write};
        write.aio_sigevent.sigev_notify = SIGEV_NONE;
        must(aio_write(&write) == 0, "aio_write");
        must(aio_suspend(writes, 1, NULL) == 0 && aio_return(&write) == 8, "aio_suspend");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
