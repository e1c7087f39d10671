/* calls N NAME: two threads write N pieces of changing sizes to a file of their own, now and then
 * with a seek; the first one writes to NAME before, and to another file through a stream. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long pieces;

static void *work(void *name)
{
    char bytes[64] = "";
    uint32_t state = 12345;
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (long i = 0; i < pieces; i++) {
        state = state * 1664525 + 1013904223;
        if (state >> 28 == 0)
            lseek(fd, 0, SEEK_SET);
        if (write(fd, bytes, state >> 26) < 0)
            exit(1);
    }
    close(fd);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t other;
    if (count < 3)
        return 1;
    int fd = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(fd, "text", 4) != 4 || close(fd))
        return 1;
    FILE *stream = fopen("stream", "w");
    if (!stream || fputs("text", stream) < 0 || fclose(stream))
        return 1;
    pieces = atol(arguments[1]);
    pthread_create(&other, NULL, work, "other");
    work("own");
    pthread_join(other, NULL);
    return 0;
}
