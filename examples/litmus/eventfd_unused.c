/* Both have a counter of events, and nobody adds to it or takes from it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    make_name("written");
}

static void second(void)
{
    wait_for_name("written");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    make_counter(0, 0);
    start_both(first, second);
    return 0;
}
