/* A counter of events that both have inherited: the reader waits until it is more than 0.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(1);
}

static void second(void)
{
    int file = open_file("shared", 0);
    take();
    get(file, 0, 8);
}

int main(void)
{
    make_counter(0, 0);
    start_both(first, second);
    return 0;
}
