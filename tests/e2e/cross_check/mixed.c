/* mixed: calls of several kinds, whose numbers stand in many views: copies between files, which
 * read and write, streams over descriptors, calls that fail, threads, children. */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[10000];

static void copy(const char *from, const char *to)
{
    int in = open(from, O_RDONLY), out = open(to, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0 || copy_file_range(in, NULL, out, NULL, 3000, 0) < 0 ||
        sendfile(out, in, NULL, 2000) != 2000)
        exit(1);
    close(in);
    close(out);
}

/* Several operations in one call, on two files; a read behind the end moves less. */
static void list(const char *first, const char *second)
{
    int one = open(first, O_RDWR | O_CREAT | O_TRUNC, 0600), other = open(second, O_RDONLY);
    struct aiocb blocks[3] = {{.aio_fildes = one, .aio_buf = bytes, .aio_nbytes = 6000},
                              {.aio_fildes = one, .aio_buf = bytes, .aio_nbytes = 4000},
                              {.aio_fildes = other, .aio_buf = bytes, .aio_nbytes = 9000}};
    struct aiocb *const all[3] = {&blocks[0], &blocks[1], &blocks[2]};
    blocks[0].aio_lio_opcode = blocks[1].aio_lio_opcode = LIO_WRITE;
    blocks[1].aio_offset = 6000;
    blocks[2].aio_lio_opcode = LIO_READ;
    if (lio_listio(LIO_WAIT, all, 3, NULL))
        exit(1);
    for (int i = 0; i < 3; i++)
        if (aio_return(&blocks[i]) != (i == 2 ? 5000 : 2000 * (3 - i)))
            exit(1);
    close(one);
    close(other);
}

static void *work(void *name)
{
    FILE *stream = fopen(name, "w");
    for (int i = 0; i < 500; i++)
        fprintf(stream, "%d\n", i);
    fclose(stream);
    for (int i = 0; i < 20; i++)
        if (open("nowhere", O_RDONLY) >= 0)
            exit(1);
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    for (volatile int i = 0; argc > 1 && i < 100000000; i++) /* without a call */
        ;
    if (argc > 1)
        return 0;
    int fd = open("bytes", O_RDWR | O_CREAT | O_TRUNC, 0600), status;
    for (int i = 0; i < 7; i++)
        if (pwrite(fd, bytes, sizeof bytes, i * 5000) != sizeof bytes ||
            pread(fd, bytes, 100, i * 300) != 100)
            exit(1);
    close(fd);
    copy("bytes", "copied");
    list("listed", "copied");
    pthread_t thread;
    pthread_create(&thread, NULL, work, "lines.thread");
    work("lines.first");
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0) {
        copy("copied", "child");
        exit(0);
    }
    if (waitpid(child, &status, 0) != child || status)
        return 1;
    child = fork();
    if (child == 0) {
        execl("mixed", "mixed", "silent", NULL);
        exit(1);
    }
    return waitpid(child, &status, 0) != child || status;
}
