/* As many threads as the argument says, few at a time, each of which writes one byte at a place of
 * its own. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TOGETHER = 10 };

static int file;

static void *write_one(void *place)
{
    return (void *)(pwrite(file, "x", 1, (long)place) == 1 ? 0L : 1L);
}

int main(int argc, char **argv)
{
    pthread_t threads[TOGETHER];
    long failed = 0, count = argc > 1 ? atol(argv[1]) : 0;
    file = open("bytes", O_CREAT | O_WRONLY, 0644);
    for (long i = 0; i < count; i += TOGETHER) {
        for (int k = 0; k < TOGETHER; k++)
            pthread_create(&threads[k], NULL, write_one, (void *)(i + k));
        for (int k = 0; k < TOGETHER; k++) {
            void *result;
            pthread_join(threads[k], &result);
            failed += (long)result;
        }
    }
    printf("%ld failed\n", failed);
    return 0;
}
