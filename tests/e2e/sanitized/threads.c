/* Threads that write, read and allocate. With an argument they do something wrong, too, which the
 * sanitizer is to find. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, CALLS = 500 };
static int shared;
static const char *wrong = "";

static void *work(void *argument)
{
    long number = (long)argument;
    char name[32], block[8], *text = malloc(16);
    snprintf(name, sizeof name, "out.%ld", number);
    int file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    for (int i = 0; i < CALLS; i++) {
        memset(block, i, sizeof block);
        if (pwrite(file, block, sizeof block, i * 8L) != sizeof block)
            abort();
    }
    close(file);
    FILE *stream = fopen(name, "r");
    if (!stream || fread(text, 1, 16, stream) != 16)
        abort();
    fclose(stream);
    if (strcmp(wrong, "race") == 0)
        shared += text[8];
    if (strcmp(wrong, "overflow") == 0)
        text[16 + number] = 1;
    if (strcmp(wrong, "shift") == 0)
        shared = 1 << (30 + number);
    if (strcmp(wrong, "leak") != 0)
        free(text);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    wrong = argc > 1 ? argv[1] : "";
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 3;
}
