/* Two threads with a semaphore of theirs: who takes from it knows what the other one did, and
 * passes it on.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,ipc,pthread
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>
#include <semaphore.h>

static int file;
static sem_t written;

static void *write_it(void *unused)
{
    put(file, 0, 8);
    sem_post(&written);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        sem_init(&written, 0, 0);
        pthread_create(&thread, NULL, write_it, NULL);
        must(sem_wait(&written) == 0, "sem_wait");
        send_to(1, 0);
        pthread_join(thread, NULL);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
