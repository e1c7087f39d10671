/* Two threads and a child write to the same bytes in no order; one call fails. Then bytes are
 * written asynchronously and copied. */
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;

static void *work(void *unused)
{
    for (int i = 0; i < 10; i++)
        if (pwrite(file, "abcdefgh", 8, i % 4) != 8)
            abort();
    return unused;
}

static bool write_asynchronously(void)
{
    struct aiocb block = {.aio_fildes = file, .aio_buf = "abcdefgh", .aio_nbytes = 8};
    struct aiocb *list[] = {&block};
    block.aio_lio_opcode = LIO_WRITE;
    return lio_listio(LIO_WAIT, list, 1, NULL) == 0 && aio_error(&block) == 0 &&
           aio_return(&block) == 8;
}

static bool copy(void)
{
    int other = open("copy.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return other >= 0 && lseek(file, 0, SEEK_SET) == 0 &&
           copy_file_range(file, NULL, other, NULL, 8, 0) == 8;
}

int main(void)
{
    pthread_t other;
    file = open("racing.out", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (open("missing", O_RDONLY) >= 0 || pthread_create(&other, NULL, work, NULL) != 0)
        return 1;
    pid_t child = fork();
    work(NULL);
    if (child == 0)
        _exit(0);
    pthread_join(other, NULL);
    waitpid(child, NULL, 0);
    return write_asynchronously() && copy() ? 0 : 1;
}
