/* A byte is copied from one pipe to another by tee, and read from there.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int one[2], other[2];

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    must(write(one[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    make_name("asked");
    must(tee(one[0], other[1], 1, 0) == 1, "tee");
    must(read(other[0], bytes, 1) == 1, "read");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(one) == 0 && pipe(other) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
