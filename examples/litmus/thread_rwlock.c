/* A thread writes under a lock for writing, another one has it for reading then.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>

static int file, written;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    put(file, 0, 8);
    written = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, write_it, NULL);
        for (int found = 0; !found;) {
            pthread_rwlock_rdlock(&lock);
            found = written;
            pthread_rwlock_unlock(&lock);
        }
        send_to(1, 0);
        pthread_join(thread, NULL);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
