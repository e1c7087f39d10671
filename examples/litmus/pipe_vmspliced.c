/* vmsplice takes bytes out of a pipe that it cannot write to.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/uio.h>

static int ends[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(write(ends[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    struct iovec place = {bytes, 1};
    must(vmsplice(ends[0], &place, 1, 0) == 1, "vmsplice");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
