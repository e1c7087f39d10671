/* Two threads append by a seek to the end and a write, each with a descriptor of its own, one after
 * the other by chance: another run may put both at the same place.
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * names: lseek write
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static void *append(void *wait)
{
    int file = open_file("shared", 0);
    usleep(*(useconds_t *)wait);
    must(lseek(file, 0, SEEK_END) >= 4096, "lseek");
    must(write(file, bytes, 8) == 8, "write");
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
