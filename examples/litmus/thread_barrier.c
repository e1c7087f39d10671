/* A thread writes before a barrier of threads, and another one sends the message behind it.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>

static int file;
static pthread_barrier_t barrier;

static void *write_it(void *unused)
{
    pthread_barrier_wait(&barrier);
    put(file, 0, 8);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_barrier_init(&barrier, NULL, 2);
        pthread_create(&thread, NULL, write_it, NULL);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        send_to(1, 0);
        pthread_join(thread, NULL);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
