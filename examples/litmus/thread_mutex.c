/* Two threads take turns with a mutex: what the first one did, and had received, the second one
 * passes on.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>

static int file, written;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void *write_it(void *unused)
{
    put(file, 0, 8);
    pthread_mutex_lock(&mutex);
    written = 1;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, write_it, NULL);
        pthread_mutex_lock(&mutex);
        while (!written)
            pthread_cond_wait(&change, &mutex);
        pthread_mutex_unlock(&mutex);
        send_to(1, 0);
        pthread_join(thread, NULL);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
