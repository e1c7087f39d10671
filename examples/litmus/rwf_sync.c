/* A write with RWF_SYNC lasts when it returns, but nobody is promised to see it before a commit.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/uio.h>

static int written[2], finished[2];

static void first(void)
{
    struct iovec piece = {bytes, 8};
    must(pwritev2(open_file("shared", 0), &piece, 1, 0, RWF_SYNC) == 8, "pwritev2");
    must(write(written[1], bytes, 1) == 1, "write");
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    int file = open_file("shared", 0);
    must(read(written[0], bytes, 1) == 1, "read");
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(written) == 0 && pipe(finished) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
