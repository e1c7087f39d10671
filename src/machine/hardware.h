/* Counters of the processor for one process, through perf_event_open. Inner header of the machine
 * room. */
#ifndef FTH_MACHINE_HARDWARE_H
#define FTH_MACHINE_HARDWARE_H

#include "machine/reading.h"

enum { FTH_HARDWARE_EVENTS = 4, FTH_HARDWARE_THREADS = 16 };

struct fth_hardware {
    bool opened;
    int files[FTH_HARDWARE_THREADS][FTH_HARDWARE_EVENTS]; /* descriptor + 1; 0: none */
};

/* From here on, for all threads that the process has and will have. False: none of the processor's
 * own events can be counted, because of *error. */
bool fth_hardware_open(struct fth_hardware *hardware, int64_t pid, int *error);
void fth_hardware_take(const struct fth_hardware *hardware, const struct fth_taker *taker);
void fth_hardware_close(struct fth_hardware *hardware);

#endif
