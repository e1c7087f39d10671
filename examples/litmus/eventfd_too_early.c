/* The writer adds to a counter of events before it writes: who reads that knows nothing of the
 * write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

static void first(void)
{
    add(1);
    put(open_file("shared", 0), 0, 8);
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
