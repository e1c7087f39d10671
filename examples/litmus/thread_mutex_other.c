/* Two threads use two mutexes: these order nothing, but threads share all memory.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>

static int file;
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *write_it(void *unused)
{
    pthread_mutex_lock(&mutexes[0]);
    put(file, 0, 8);
    pthread_mutex_unlock(&mutexes[0]);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, write_it, NULL);
        usleep(20000);
        pthread_mutex_lock(&mutexes[1]);
        send_to(1, 0);
        pthread_mutex_unlock(&mutexes[1]);
        pthread_join(thread, NULL);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
