/* What a process closes by its end. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_PROCESS_ENDS_H
#define FTH_VERIFY_GATHER_PROCESS_ENDS_H

#include "verify/gather/run_accesses.h"

/* Adds a mark for each file that a process had open when it ended, and for those that exec closed.
 * When the accesses of all processes are together, and have openings still. */
void fth_process_ends_mark(struct fth_run_accesses *accesses, const struct fth_runs *runs);

#endif
