/* The clock of this process: ticks of the processor where all processors of the node count alike,
 * else CLOCK_MONOTONIC. Inner header of the capture room. */
#ifndef FTH_CAPTURE_CLOCK_H
#define FTH_CAPTURE_CLOCK_H

#include "trace/record/spill.h"

#include <stdbool.h>

/* Which clock it is. `elsewhere`: not on the node of `fathom record`, which has looked at its
 * own. */
void fth_clock_choose(bool elsewhere);
/* All clocks at one instant. */
struct fth_spill_anchor fth_clock_anchor(void);

#endif
