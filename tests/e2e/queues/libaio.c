/* Reads and writes through libaio: two writes of 4,096 bytes at once, a vector, a read of which
 * 1,000 bytes are there, and one that is refused. */
#include <fcntl.h>
#include <libaio.h>
#include <stdio.h>
#include <sys/uio.h>

enum { BLOCK = 4096 };
static char bytes[BLOCK];

int main(void)
{
    io_context_t context = 0;
    if (io_setup(4, &context))
        return 77;
    int file = open("written", O_RDWR | O_CREAT, 0600);
    struct iovec pieces[2] = {{bytes, 900}, {bytes + 900, 100}};
    struct iocb blocks[4], *list[] = {&blocks[0], &blocks[1], &blocks[2]};
    struct io_event events[4];
    io_prep_pwrite(&blocks[0], file, bytes, BLOCK, 0);
    io_prep_pwrite(&blocks[1], file, bytes, BLOCK, 2 * BLOCK);
    io_prep_pwritev(&blocks[2], file, pieces, 2, 3 * BLOCK);
    if (io_submit(context, 3, list) != 3 || io_getevents(context, 3, 4, events, NULL) != 3)
        return 1;
    io_prep_pread(&blocks[3], file, bytes, BLOCK, 3 * BLOCK);
    list[0] = &blocks[3];
    if (io_submit(context, 1, list) != 1 || io_getevents(context, 1, 1, events, NULL) != 1)
        return 2;
    printf("%ld\n", (long)events[0].res);
    io_prep_pwrite(&blocks[0], -5, bytes, BLOCK, 0);
    list[0] = &blocks[0];
    printf("%d\n", io_submit(context, 1, list));
    return io_destroy(context);
}
