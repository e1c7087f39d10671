/* The counter has 1 from the start: who reads that waits for nobody.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

static void first(void)
{
    make_name("started");
    wait_for_name("taken");
    put(open_file("shared", 0), 0, 8);
    add(1);
}

static void second(void)
{
    int file = open_file("shared", 0);
    wait_for_name("started");
    take();
    make_name("taken");
    get(file, 0, 8);
}

int main(void)
{
    make_counter(1, 0);
    start_both(first, second);
    return 0;
}
