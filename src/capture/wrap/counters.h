/* Counters of events (eventfd), and descriptors of signals (signalfd), which are found as they are.
 * Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_COUNTERS_H
#define FTH_CAPTURE_WRAP_COUNTERS_H

#include "capture/record/runtime.h"

/* Before read or write on a descriptor that is left out: when, if it is a counter whose calls are
 * recorded; else 0. */
uint64_t fth_counter_since(int descriptor);
/* Behind it: what it added or took. `buffer` NULL: nobody knows where the number is. */
void fth_counter_changed(bool adds, int descriptor, const void *buffer, int64_t result,
                         uint64_t since, uintptr_t frame);

#endif
