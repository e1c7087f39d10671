/* A thread writes, and the message does not wait for it.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>

static int file;

static void *write_it(void *unused)
{
    put(file, 0, 8);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, write_it, NULL);
        send_to(1, 0);
        pthread_join(thread, NULL);
    } else {
        receive_from(0, 0);
        get(file, 0, 8);
    }
    close(file);
}
