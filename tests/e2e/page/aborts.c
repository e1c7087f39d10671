/* aborts: four threads write a file in small steps; it is read back, and the program aborts. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, STEPS = 500, STEP = 100 };
static int fd;

static void *work(void *number)
{
    char bytes[STEP] = "";
    off_t begin = (off_t)((char *)number - (char *)NULL) * STEPS * STEP;
    for (int i = 0; i < STEPS; i++)
        if (pwrite(fd, bytes, STEP, begin + (off_t)i * STEP) != STEP)
            exit(1);
    return NULL;
}

int main(void)
{
    static char bytes[THREADS * STEPS * STEP];
    pthread_t threads[THREADS];
    fd = open("aborted", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (char *)NULL + i);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    if (pread(fd, bytes, sizeof bytes, 0) != sizeof bytes)
        return 1;
    abort();
}
