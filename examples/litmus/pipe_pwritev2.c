/* Bytes before the write go into the pipe by pwritev2 without an offset, and it is one of these
 * that is read.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/uio.h>

static int ends[2];

static void first(void)
{
    struct iovec two = {bytes, 2};
    must(pwritev2(ends[1], &two, 1, -1, 0) == 2, "pwritev2");
    put(open_file("shared", 0), 0, 8);
    must(write(ends[1], bytes, 2) == 2, "write");
    make_name("written");
}

static void second(void)
{
    wait_for_name("written");
    must(read(ends[0], bytes, 2) == 2, "read");
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
