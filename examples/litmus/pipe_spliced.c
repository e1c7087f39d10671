/* A third process moves what is in one pipe into another one: who reads that comes behind who wrote
 * it.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int one[2], other[2];

static void writes(void)
{
    put(open_file("shared", 0), 0, 8);
    must(write(one[1], bytes, 1) == 1, "write");
}

static void moves(void)
{
    must(splice(one[0], NULL, other[1], NULL, 1, 0) == 1, "splice");
}

static void reads(void)
{
    must(read(other[0], bytes, 1) == 1, "read");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(one) == 0 && pipe(other) == 0, "pipe");
    pid_t children[] = {start(writes), start(moves), start(reads)};
    for (int i = 0; i < 3; i++)
        wait_for(children[i]);
    return 0;
}
