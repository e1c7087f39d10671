/* Both have a counter of events, and what is done with it was not recorded.
 * record: --layers posix,process
 * posix: unknown  commit: unknown  session: unknown  mpi-io: seen */
#include "counters.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(1);
}

static void second(void)
{
    take();
    usleep(100000); /* the first process has ended by then, which commits what it wrote */
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    make_counter(0, 0);
    start_both(first, second);
    return 0;
}
