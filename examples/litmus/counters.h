/* A counter of events (eventfd) of litmus programs. What cannot be done ends the program with
 * status 1. */
#ifndef LITMUS_COUNTERS_H
#define LITMUS_COUNTERS_H

#include "litmus.h"

#include <stdint.h>
#include <sys/eventfd.h>

static int counter;

static inline void make_counter(unsigned count, int flags)
{
    counter = eventfd(count, flags);
    must(counter >= 0, "eventfd");
}

static inline void add(uint64_t more)
{
    must(write(counter, &more, sizeof more) == sizeof more, "write");
}

static inline void take(void)
{
    uint64_t count;
    must(read(counter, &count, sizeof count) == sizeof count, "read");
}

/* Two processes, and the end of both. */
static inline void start_both(void (*one)(void), void (*other)(void))
{
    pid_t children[] = {start(one), start(other)};
    wait_for(children[0]);
    wait_for(children[1]);
}

#endif
