// Several asynchronous operations at once, whose results are asked for in another order than they began.
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { STEPS = 5, AT_ONCE = 4, BYTES = 8192 };

static void end(struct aiocb *block)
{
    const struct aiocb *list[] = {block};
    do
        aio_suspend(list, 1, NULL);
    while (aio_error(block) == EINPROGRESS);
    if (aio_return(block) < 0)
        abort();
}

int main(void)
{
    static char bytes[AT_ONCE][BYTES];
    struct aiocb blocks[AT_ONCE];
    int fd = open("asynchronous.bin", O_RDWR | O_CREAT, 0644);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < AT_ONCE; i++) {
            blocks[i] = (struct aiocb){.aio_fildes = fd, .aio_buf = bytes[i], .aio_nbytes = BYTES, .aio_offset = (step * AT_ONCE + i) * BYTES};
            if (aio_write(&blocks[i]))
                abort();
        }
        for (int i = AT_ONCE; i-- > 0;)
            end(&blocks[i]);
    }
    blocks[0] = (struct aiocb){.aio_fildes = fd, .aio_buf = bytes[0], .aio_nbytes = BYTES};
    if (aio_read(&blocks[0]))
        abort();
    end(&blocks[0]);
    if (aio_fsync(O_SYNC, &blocks[0]))
        abort();
    end(&blocks[0]);
    return close(fd);
}
