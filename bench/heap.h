/* How much memory this program has from malloc: now, and the most since somebody last set it. */
#ifndef FTH_BENCH_HEAP_H
#define FTH_BENCH_HEAP_H

#include <stdint.h>

extern int64_t heap_bytes, heap_most;

#endif
