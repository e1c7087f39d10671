/* Asynchronous I/O of POSIX that moves less than it asks for, and lists of it. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1000, HALF = 500, ASKED = 4096 };
static char room[4][ASKED];

static void check(int ok)
{
    if (!ok)
        abort();
}

static ssize_t finish(struct aiocb *block)
{
    const struct aiocb *list[] = {block};
    while (aio_error(block) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return aio_return(block);
}

static void *finish_for_another(void *block)
{
    check(finish(block) == HALF);
    return NULL;
}

static int opened(const char *name)
{
    int file = open(name, O_CREAT | O_RDWR, 0666);
    check(file >= 0);
    return file;
}

static void alone(void)
{
    int file = opened("alone"), other = opened("other");
    struct aiocb block = {.aio_fildes = file, .aio_buf = room[0], .aio_nbytes = BLOCK};
    check(!aio_write(&block) && finish(&block) == BLOCK);
    check(!aio_fsync(O_SYNC, &block) && finish(&block) == 0); /* the same block, and no bytes */
    block.aio_nbytes = ASKED;
    block.aio_offset = BLOCK - HALF;
    for (int i = 0; i < 10; i++)
        check(!aio_read(&block) && finish(&block) == HALF);
    block.aio_offset = BLOCK; /* at the end */
    check(!aio_read(&block) && finish(&block) == 0);
    block.aio_offset = 0;
    check(!aio_read(&block));
    while (aio_error(&block) == EINPROGRESS)
        ;                     /* nobody asks how much it was */
    block.aio_fildes = other; /* fails: for reading only */
    close(other);
    block.aio_fildes = open("other", O_RDONLY);
    check(!aio_write(&block) && finish(&block) == -1);
    close(file);
}

/* The thread that asks is walked through before the one that begins, and behind it. */
static void by_threads(void)
{
    int file = opened("threads");
    pthread_t thread;
    check(write(file, room, HALF) == HALF);
    struct aiocb block = {.aio_fildes = file, .aio_buf = room[0], .aio_nbytes = BLOCK};
    check(!aio_read(&block));
    pthread_create(&thread, NULL, finish_for_another, &block);
    pthread_join(thread, NULL);
    close(file);
}

static void *begin_for_another(void *block)
{
    check(!aio_read(block));
    return NULL;
}

static void begun_by_thread(void)
{
    int file = opened("begun");
    pthread_t thread;
    check(write(file, room, HALF) == HALF);
    struct aiocb block = {.aio_fildes = file, .aio_buf = room[0], .aio_nbytes = ASKED};
    pthread_create(&thread, NULL, begin_for_another, &block);
    pthread_join(thread, NULL);
    check(finish(&block) == HALF);
    close(file);
}

static void lists(void)
{
    int one = opened("one"), two = opened("two");
    struct aiocb blocks[] = {
        {.aio_fildes = one, .aio_buf = room[0], .aio_nbytes = BLOCK, .aio_lio_opcode = LIO_WRITE},
        {.aio_fildes = two, .aio_buf = room[1], .aio_nbytes = HALF, .aio_lio_opcode = LIO_WRITE},
        {.aio_fildes = two, .aio_nbytes = 77, .aio_lio_opcode = LIO_NOP}};
    struct aiocb *list[] = {&blocks[0], NULL, &blocks[1], &blocks[2]};
    check(!lio_listio(LIO_WAIT, list, 4, NULL));
    check(aio_return(&blocks[0]) == BLOCK && aio_return(&blocks[1]) == HALF);
    for (int i = 0; i < 2; i++) {
        blocks[i].aio_lio_opcode = LIO_READ;
        blocks[i].aio_nbytes = ASKED;
    }
    check(!lio_listio(LIO_NOWAIT, list, 4, NULL));
    check(finish(&blocks[0]) == BLOCK && finish(&blocks[1]) == HALF);
    close(one);
    close(two);
}

int main(void)
{
    alone();
    by_threads();
    begun_by_thread();
    lists();
    return 0;
}
