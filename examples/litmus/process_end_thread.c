/* A thread that nobody waits for has written before the process ends.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static void *work(void *done)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    __atomic_store_n((int *)done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void child(void)
{
    pthread_t thread;
    int done = 0;
    must(pthread_create(&thread, NULL, work, &done) == 0, "pthread_create");
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
        usleep(1000);
}

int main(void)
{
    wait_for(start(child));
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    return 0;
}
