/* A timer that both processes have: the writer sets it, and the reader waits for it.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <stdint.h>
#include <sys/timerfd.h>

static int timer;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    struct itimerspec soon = {.it_value = {0, 1000000}};
    must(timerfd_settime(timer, 0, &soon, NULL) == 0, "timerfd_settime");
}

static void second(void)
{
    uint64_t count;
    must(read(timer, &count, sizeof count) == sizeof count, "read");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    must(timer >= 0, "timerfd_create");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
