/* A thread learns through memory that the file is open, and reads it: however it learned of that,
 * it comes behind the call that opened the file, as it has the descriptor of that.
 * record: --layers posix,stdio,process
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <pthread.h>
#include <stdatomic.h>

static int written[2];
static atomic_int opened;

static void *read_it(void *unused)
{
    while (!opened)
        usleep(1000);
    get(opened, 0, 8);
    return unused;
}

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    must(write(written[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    pthread_t thread;
    must(pthread_create(&thread, NULL, read_it, NULL) == 0, "pthread_create");
    must(read(written[0], bytes, 1) == 1, "read");
    opened = open_file("shared", 0);
    pthread_join(thread, NULL);
}

int main(void)
{
    must(pipe(written) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
