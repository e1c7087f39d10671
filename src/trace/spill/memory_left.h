/* How much memory may still be taken by this process: of the node, and of its control groups. */
#ifndef FTH_TRACE_SPILL_MEMORY_LEFT_H
#define FTH_TRACE_SPILL_MEMORY_LEFT_H

#include <stdint.h>

/* Bytes; 0: nothing is known. Where a control group counts what it keeps of files, what it would
 * give back first is taken for free. Of the versions 1 and 2 of control groups. */
uint64_t fth_memory_left(void);

#endif
