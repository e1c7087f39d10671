/* Two processes append: each gets bytes of its own.
 * posix: none  commit: none  session: none  mpi-io: none */
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
