/* Two threads seek, and write at the place, through one descriptor, and hold a mutex from the seek
 * to the write.
 * record: --layers posix,stdio,process,mpi,mpiio,pthread
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static int file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *write_at(void *place)
{
    off_t start = *(off_t *)place;
    pthread_mutex_lock(&mutex);
    must(lseek(file, start, SEEK_SET) == start, "lseek");
    usleep(1000);
    must(write(file, bytes, 8) == 8, "write");
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    static off_t places[] = {0, 1024};
    pthread_t threads[2];
    file = open_file("shared", 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, write_at, &places[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
