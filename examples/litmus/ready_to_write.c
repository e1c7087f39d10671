/* A process waits until there is room in a pipe that was full (select): somebody has read from it.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/select.h>

static int filled[2], finished[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    while (read(filled[0], bytes, sizeof bytes) > 0)
        ;
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    fd_set waited;
    int file = open_file("shared", 0);
    FD_ZERO(&waited);
    FD_SET(filled[1], &waited);
    must(select(filled[1] + 1, NULL, &waited, NULL, NULL) == 1, "select");
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(filled) == 0 && pipe(finished) == 0, "pipe");
    must(fcntl(filled[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(filled[1], F_SETFL, O_NONBLOCK) == 0,
         "fcntl");
    while (write(filled[1], bytes, sizeof bytes) > 0)
        ;
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
