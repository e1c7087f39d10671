/* Reads and writes through liburing: 4 writes of 4,096 bytes at 0, 8,192, 16,384 and 24,576 at
 * once, of which all have the same `user_data`; a flush; a vector and fixed memory to a file that
 * has a number in the ring; reads of both files, the last one behind the end; and one that fails.
 * With "unknown" an operation that is none of these, with "left" a write whose end nobody asks for.
 */
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BLOCK = 4096 };
static char bytes[2 * BLOCK];
static struct io_uring ring;

static struct io_uring_sqe *next(void)
{
    return io_uring_get_sqe(&ring);
}

static void finish(unsigned count)
{
    struct io_uring_cqe *done;
    for (unsigned i = 0; i < count; i++) {
        if (io_uring_wait_cqe(&ring, &done))
            _exit(3);
        printf("%d\n", done->res);
        io_uring_cqe_seen(&ring, done);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    struct iovec pieces[2] = {{bytes, 100}, {bytes + 100, 23}}, whole = {bytes, sizeof bytes};
    if (io_uring_queue_init(8, &ring, 0) < 0)
        return 77;
    int file = open("written", O_RDWR | O_CREAT, 0600),
        other = open("other", O_RDWR | O_CREAT, 0600);
    for (unsigned i = 0; i < 4; i++)
        io_uring_prep_write(next(), file, bytes, BLOCK, i * 2 * BLOCK);
    if (io_uring_submit(&ring) != 4)
        return 1;
    finish(4);
    io_uring_prep_fsync(next(), file, IORING_FSYNC_DATASYNC);
    io_uring_submit_and_wait(&ring, 1);
    finish(1);
    if (io_uring_register_files(&ring, &other, 1) || io_uring_register_buffers(&ring, &whole, 1))
        return 2;
    struct io_uring_sqe *entry = next();
    io_uring_prep_writev(entry, 0, pieces, 2, 1000);
    entry->flags |= IOSQE_FIXED_FILE;
    entry = next();
    io_uring_prep_write_fixed(entry, 0, bytes, BLOCK, 2 * BLOCK, 0);
    entry->flags |= IOSQE_FIXED_FILE;
    io_uring_submit(&ring);
    finish(2);
    io_uring_prep_read_fixed(next(), file, bytes, BLOCK, 8192, 0);
    io_uring_submit(&ring);
    finish(1);
    io_uring_prep_readv(next(), other, &whole, 1, 2 * BLOCK); /* 4,096 bytes are there */
    io_uring_submit(&ring);
    finish(1);
    io_uring_prep_read(next(), -5, bytes, BLOCK, 0);
    io_uring_submit(&ring);
    finish(1);
    if (strcmp(how, "unknown") == 0) {
        io_uring_prep_fallocate(next(), file, 0, 0, 1 << 20);
        io_uring_submit(&ring);
        finish(1);
    }
    if (strcmp(how, "left") == 0) {
        io_uring_prep_write(next(), file, bytes, 512, 1 << 20);
        io_uring_submit(&ring);
        _exit(0);
    }
    io_uring_queue_exit(&ring);
    return 0;
}
