/* The file is open before the message comes, and a thread learns through memory of both: the
 * descriptor says nothing of what came behind its open.
 * record: --layers posix,stdio,process
 * posix: unknown  commit: unknown  session: racy  mpi-io: none */
#include "litmus.h"

#include <pthread.h>
#include <stdatomic.h>

static int written[2];
static atomic_int ready;
static int opened;

static void *read_it(void *unused)
{
    while (!ready)
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
    opened = open_file("shared", 0);
    must(pthread_create(&thread, NULL, read_it, NULL) == 0, "pthread_create");
    must(read(written[0], bytes, 1) == 1, "read");
    ready = 1;
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
