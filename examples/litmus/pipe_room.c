/* A process writes to a full pipe without waiting, until there is room: somebody has read from it.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int filled[2], asked[2], finished[2];

static void first(void)
{
    must(read(asked[0], bytes, 1) == 1, "read");
    put(open_file("shared", 0), 0, 8);
    while (read(filled[0], bytes, sizeof bytes) > 0)
        ;
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    int file = open_file("shared", 0);
    must(write(filled[1], bytes, 1) < 0, "write");
    must(write(asked[1], bytes, 1) == 1, "write");
    while (write(filled[1], bytes, 1) < 0)
        usleep(1000);
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(filled) == 0 && pipe(asked) == 0 && pipe(finished) == 0, "pipe");
    must(fcntl(filled[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(filled[1], F_SETFL, O_NONBLOCK) == 0,
         "fcntl");
    while (write(filled[1], bytes, sizeof bytes) > 0)
        ;
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
