/* The clock of this process: ticks of the processor where all processors of the node count alike,
 * else CLOCK_MONOTONIC. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_PROCESS_CLOCK_H
#define FTH_CAPTURE_PROCESS_PROCESS_CLOCK_H

#include "base/ticks.h"
#include "trace/record/spill.h"
#include "interpose/interpose.h"

#include <stdbool.h>

/* Which clock it is. `elsewhere`: not on the node of `fathom record`, which has looked at its
 * own. */
void fth_clock_choose(bool elsewhere);
/* All clocks at one instant. */
struct fth_spill_anchor fth_clock_anchor(void);

extern FTH_PUBLIC bool fth_ticks_are_ns;
/* Nanoseconds since some moment; the same for all processes of the node. */
uint64_t fth_clock_ns(void) FTH_PUBLIC;

static inline uint64_t fth_ticks(void)
{
    if (FTH_LIKELY(!fth_ticks_are_ns))
        return fth_ticks_read();
    return fth_clock_ns();
}

#endif
