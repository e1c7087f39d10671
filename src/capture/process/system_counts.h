/* What the system has counted for this process. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_SYSTEM_COUNTS_H
#define FTH_CAPTURE_PROCESS_SYSTEM_COUNTS_H

#include "capture/process/process.h"
#include "trace/record/spill.h"

/* To ask takes a read of *took bytes, which is in what is counted. False: it is not known (a system
 * that does not count). */
bool fth_counted_read(struct fth_spill_counted *counted, uint64_t *took) FTH_PUBLIC;
/* The same where a descriptor may be opened: in work that is done apart. */
bool fth_counted_read_here(struct fth_spill_counted *counted, uint64_t *took);

/* Has the program a queue of io_uring now that is not recorded? */
bool fth_has_unseen_ring(void);
/* What goes through the queue behind this descriptor is recorded from now on, or not any more. */
void fth_ring_is_recorded(int descriptor, bool recorded) FTH_PUBLIC;
/* A queue of reads and writes between the program and the system (FTH_QUEUE_...) is noted, once:
 * what goes through it is not seen. */
void fth_queue_seen(const char *name);

#endif
