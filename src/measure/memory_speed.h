/* Inner header: how fast memory is. */
#ifndef FTH_MEASURE_MEMORY_SPEED_H
#define FTH_MEASURE_MEMORY_SPEED_H

#include "measure/trial.h"

/* What a memory trial moves at once. */
enum { FTH_MEMORY_CHUNK = 1 << 20 };

/* Times "set", "write", "read", "read, write, write" and "copy" over a buffer far larger than
 * caches. */
int fth_measure_memory(struct fth_trials *trials, int64_t budget, struct fth_progress *progress,
                       struct fth_error **error);

/* What the kernel would give without taking from others, in bytes; 0: it does not say. */
uint64_t fth_memory_available(void);

#endif
