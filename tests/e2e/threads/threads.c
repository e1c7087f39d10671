/* Four threads write to a file each and to a part each of one file; then 200 threads, one after the
 * other, write a line. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, WRITES = 2000, SHORT_THREADS = 200 };

static int shared;

static void *write_files(void *argument)
{
    int number = (int)(intptr_t)argument;
    char name[32], record[16] = "thread's record";
    snprintf(name, sizeof name, "own.%d", number);
    int own = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < WRITES; i++)
        if (pwrite(shared, record, sizeof record, ((off_t)number * WRITES + i) * 16) != 16 ||
            write(own, record, 10) != 10)
            abort();
    close(own);
    return NULL;
}

static void *write_line(void *argument)
{
    if (pwrite(shared, "a line\n", 7, (off_t)(intptr_t)argument * 7) != 7)
        abort();
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    shared = open("shared", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, write_files, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (intptr_t i = 0; i < SHORT_THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, write_line, (void *)i);
        pthread_join(thread, NULL);
    }
    return close(shared);
}
