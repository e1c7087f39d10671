/* Asynchronous writes of one thread: three at a time, three times, then one alone, then thirteen at
 * a time, of which each begins before any is found complete. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { MANY = 13, BYTES = 4096, PAUSE = 2000 /* us */ };

static char bytes[MANY][BYTES];
static struct aiocb requests[MANY];

static void write_at_once(int file, int count)
{
    for (int i = 0; i < count; i++) {
        requests[i] = (struct aiocb){
            .aio_fildes = file, .aio_buf = bytes[i], .aio_nbytes = BYTES, .aio_offset = i * BYTES};
        aio_write(&requests[i]);
    }
    usleep(PAUSE); /* so that none is found complete in the tick in which the last one starts */
    for (int i = 0; i < count; i++) {
        const struct aiocb *one = &requests[i];
        while (aio_error(one) == EINPROGRESS)
            aio_suspend(&one, 1, NULL);
        aio_return(&requests[i]);
    }
}

int main(void)
{
    int file = open("overlapping.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int turn = 0; turn < 3; turn++)
        write_at_once(file, 3);
    write_at_once(file, 1);
    write_at_once(file, MANY);
    close(file);
    return 0;
}
