/* Worker threads do all the I/O, as those of a Java program do: the first thread opens nothing but
 * a list, and waits. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, WRITES = 500 };

static void *work(void *argument)
{
    static const char block[1 << 16];
    char name[32];
    snprintf(name, sizeof name, "part.%ld", (long)argument);
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0666);
    for (int i = 0; i < WRITES; i++)
        if (write(file, block, sizeof block) != sizeof block)
            abort();
    close(file);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    close(open("list", O_CREAT | O_WRONLY, 0666));
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
