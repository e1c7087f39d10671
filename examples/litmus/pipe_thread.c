/* A thread waits at a pipe for what another process has done.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

static int ends[2];

static void *hear_and_read(void *unused)
{
    char byte;
    must(read(ends[0], &byte, 1) == 1, "read");
    get(open_file("shared", 0), 0, 8);
    return unused;
}

static void first(void)
{
    char byte = 1;
    put(open_file("shared", 0), 0, 8);
    must(write(ends[1], &byte, 1) == 1, "write");
}

int main(void)
{
    pthread_t thread;
    must(pipe(ends) == 0, "pipe");
    pid_t child = start(first);
    pthread_create(&thread, NULL, hear_and_read, NULL);
    pthread_join(thread, NULL);
    wait_for(child);
    return 0;
}
