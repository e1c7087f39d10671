/* writers NAME: two threads write to a file of their own in steps and sync it; then the first
 * writes to NAME. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *name)
{
    char bytes[4096] = "";
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 2000; i++)
        if (write(fd, bytes, sizeof bytes) != sizeof bytes)
            exit(1);
    fsync(fd);
    close(fd);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t other;
    pthread_create(&other, NULL, work, "other");
    work("own");
    pthread_join(other, NULL);
    if (count > 1)
        work(arguments[1]);
    return 0;
}
