/* A counter as a semaphore: the writer adds two, and two readers take one each.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(eventfd_write(counter, 2) == 0, "eventfd_write");
}

static void second(void)
{
    eventfd_t one;
    int file = open_file("shared", 0);
    must(eventfd_read(counter, &one) == 0 && one == 1, "eventfd_read");
    get(file, 0, 8);
}

int main(void)
{
    make_counter(0, EFD_SEMAPHORE);
    pid_t reader = start(second);
    start_both(first, second);
    wait_for(reader);
    return 0;
}
