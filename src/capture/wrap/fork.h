/* Whose process is this? Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_FORK_H
#define FTH_CAPTURE_WRAP_FORK_H

#include <stdbool.h>
#include <stdint.h>

/* True: fth_process describes the process that runs. A forked child that has made no call yet
 * starts its recording here; a vforked one never has any. */
bool fth_process_is_recorded(void);
/* A child is about to run in our memory while this thread waits: from here on, calls of the thread
 * pass through unrecorded. Returns when that was. */
uint64_t fth_lend_memory(void);
/* It has gone. True: this thread is no such child itself. */
bool fth_take_memory_back(void);

#endif
