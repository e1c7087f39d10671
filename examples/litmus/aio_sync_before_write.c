/* A sync by aio that began before a write of aio, of which nobody knows whether it is over.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <aio.h>

static int ends[2];

static void first(void)
{
    int file = open_file("shared", 0);
    struct aiocb sync = {.aio_fildes = file};
    struct aiocb writing = {.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 8};
    must(!aio_fsync(O_SYNC, &sync), "aio_fsync");
    must(!aio_write(&writing), "aio_write");
    while (aio_error(&sync) == EINPROGRESS)
        usleep(1000);
    must(write(ends[1], "", 1) == 1, "pipe");
    usleep(50000);
    must(!aio_return(&sync), "aio_return");
}

static void second(void)
{
    char byte;
    int file = open_file("shared", 0);
    must(read(ends[0], &byte, 1) == 1, "pipe");
    get(file, 0, 8);
}

int main(void)
{
    must(!pipe(ends), "pipe");
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
