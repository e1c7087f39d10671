/* The facts of a process image: who it was, and its clock. */
#ifndef FTH_TRACE_MERGE_IMAGE_FACTS_H
#define FTH_TRACE_MERGE_IMAGE_FACTS_H

#include "trace/file/part.h"
#include "trace/record/time_mode.h"
#include "trace/spill/node_clocks.h"

/* ns since 1970, on the clock of the run. */
int64_t fth_clock_time(const struct fth_clock *clock, const struct fth_spill_process *process,
                       uint64_t ticks);

/* Ticks of a unit of time. That of a clock is nearly the same whenever it is looked at. */
uint64_t fth_clock_quantum(const struct fth_clock *clock, const struct fth_time_mode *times);

/* Those that its calls need. */
void fth_facts_begin(struct fth_facts *facts, const struct fth_spill_process *process,
                     const struct fth_clock *clock, const struct fth_time_mode *times);
/* All others, as they are now; what calls have added meanwhile stays. */
void fth_facts_take(struct fth_facts *facts, const struct fth_spill_process *process,
                    const struct fth_clock *clock);

#endif
