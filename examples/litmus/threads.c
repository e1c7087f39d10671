/* Two threads of one process write the same bytes: no two processes do.
 * threads: 1
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static int file;

static void *write_it(void *unused)
{
    put(file, 0, 8);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    file = open_file("shared", 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, write_it, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
