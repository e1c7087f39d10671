/* A thread that begins behind the message reads.
 * ranks: 2
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <pthread.h>

static int file;

static void *read_it(void *unused)
{
    get(file, 0, 8);
    return unused;
}

static void program(int rank)
{
    pthread_t thread;
    file = open_file("shared", 0);
    if (rank == 0) {
        put(file, 0, 8);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        pthread_create(&thread, NULL, read_it, NULL);
        pthread_join(thread, NULL);
    }
    close(file);
}
