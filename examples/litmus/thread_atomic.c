/* A thread writes, and sets an atomic flag, for which another one waits before it sends the byte:
 * that is memory, and no call.
 * record: --layers posix,stdio,process,pthread
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <pthread.h>
#include <stdatomic.h>

static int file, written[2];
static atomic_int flag;

static void *write_it(void *unused)
{
    put(file, 0, 8);
    flag = 1;
    return unused;
}

static void first(void)
{
    pthread_t thread;
    file = open_file("shared", 0);
    must(pthread_create(&thread, NULL, write_it, NULL) == 0, "pthread_create");
    while (!flag)
        usleep(1000);
    must(write(written[1], bytes, 1) == 1, "write");
    pthread_join(thread, NULL);
}

static void second(void)
{
    file = open_file("shared", 0);
    must(read(written[0], bytes, 1) == 1, "read");
    get(file, 0, 8);
}

int main(void)
{
    must(pipe(written) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
