/* threads COUNT: so many threads beside the first one write, each twice as long as the one
 * before. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *number)
{
    int fd = open("data", O_WRONLY | O_CREAT, 0600);
    static char bytes[1 << 16];
    for (int i = 0; i < 100 << (long)number; i++)
        if (pwrite(fd, bytes, sizeof bytes, 0) < 0)
            exit(1);
    usleep(20000);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[8];
    long count = argc > 1 ? atol(argv[1]) : 1;
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    work((void *)0);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
