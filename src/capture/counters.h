/* Counters of events (eventfd), and descriptors of signals (signalfd), which are found as they are.
 * Inner header of the capture room. */
#ifndef FTH_CAPTURE_COUNTERS_H
#define FTH_CAPTURE_COUNTERS_H

#include "capture/runtime.h"

/* Is this path, as the system tells it, that of a counter? */
bool fth_is_of_counter(const char *path);
/* The descriptor is one from now on, and calls on it are left out by the filters. */
void fth_counter_begins(int descriptor);
bool fth_is_left_out_counter(int descriptor); /* handles.c */

/* Before read or write on a descriptor that is left out: when, if it is a counter whose calls are
 * recorded; else 0. */
uint64_t fth_counter_since(int descriptor);
/* Behind it: what it added or took. `buffer` NULL: nobody knows where the number is. */
void fth_counter_changed(bool adds, int descriptor, const void *buffer, int64_t result,
                         uint64_t since, uintptr_t frame);

#endif
