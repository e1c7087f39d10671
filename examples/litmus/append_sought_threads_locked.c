/* Two threads append by a seek to the end and a write, each with a descriptor of its own, and hold
 * a mutex meanwhile: the size is in order.
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *wait)
{
    int file = open_file("shared", 0);
    usleep(*(useconds_t *)wait);
    pthread_mutex_lock(&mutex);
    must(lseek(file, 0, SEEK_END) >= 4096, "lseek");
    must(write(file, bytes, 8) == 8, "write");
    pthread_mutex_unlock(&mutex);
    close(file);
    return NULL;
}

int main(void)
{
    static useconds_t waits[] = {0, 50000};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, append, &waits[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
