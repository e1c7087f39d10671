/* Threads that share descriptors, in an order that only barriers keep, which are not recorded: one
 * opens a file, two read it, a third one closes it, and so in turn, with the same number again. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, TURNS = 200, READS = 5 };

static pthread_barrier_t barrier;
static int file;

static void must(int done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(1);
}

static void *run(void *context)
{
    long own = (long)context;
    char name[32], bytes[512] = "";
    for (int turn = 0; turn < TURNS; turn++) {
        snprintf(name, sizeof name, "turn.%d", turn);
        if (turn % THREADS == own) {
            file = open(name, O_CREAT | O_RDWR, 0600);
            must(file >= 0 && write(file, bytes, sizeof bytes) == sizeof bytes, "write");
        }
        pthread_barrier_wait(&barrier);
        if (turn % THREADS != own)
            for (int i = 0; i < READS; i++)
                must(pread(file, bytes, 100, i * 100) == 100, "pread");
        pthread_barrier_wait(&barrier);
        if ((turn + 2) % THREADS == own)
            must(close(file) == 0, "close");
        pthread_barrier_wait(&barrier);
        if ((turn + 1) % THREADS == own && turn % 2)
            must(unlink(name) == 0, "unlink");
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    char bytes[10];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, run, (void *)i) == 0, "thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    file = open("turn.0", O_RDONLY);
    must(file >= 0 && read(file, bytes, sizeof bytes) == sizeof bytes && close(file) == 0, "turn.0");
    return 0;
}
