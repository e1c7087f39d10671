/* Two threads of one process, and two mutexes: their reads and writes are in no order. No two
 * processes share anything.
 * threads: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static int file;
static pthread_mutex_t mutexes[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *change_it(void *mutex)
{
    pthread_mutex_lock(mutex);
    put(file, 0, 8);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void *look_at_it(void *mutex)
{
    pthread_mutex_lock(mutex);
    get(file, 0, 4);
    get(file, 4, 8);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    file = open_file("shared", 0);
    pthread_create(&threads[0], NULL, change_it, &mutexes[0]);
    pthread_create(&threads[1], NULL, look_at_it, &mutexes[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
