/* Two processes, each by itself.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
