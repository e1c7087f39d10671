/* Two processes append, in any order: where files are kept strongly each gets bytes of its own,
 * elsewhere both may write to the end that they know.
 * pairs: 1
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", O_APPEND);
    must(write(file, bytes, 8) == 8, "write");
}

static void second(void)
{
    first();
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
