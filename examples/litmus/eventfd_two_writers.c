/* Two processes have added to a counter as a semaphore, in no order, and the reader takes one: of
 * whom that was nobody knows.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(1);
    make_name("one");
}

static void third(void)
{
    add(1);
    make_name("another");
}

static void second(void)
{
    wait_for_name("one");
    wait_for_name("another");
    take();
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    make_counter(0, EFD_SEMAPHORE);
    pid_t writer = start(third);
    start_both(first, second);
    wait_for(writer);
    return 0;
}
