/* Inner header of the merge: calls that did not return, as the process was killed in them. */
#ifndef FTH_TRACE_MERGE_UNRETURNED_H
#define FTH_TRACE_MERGE_UNRETURNED_H

#include "trace/file/blind_spots.h"
#include "trace/merge/walk.h"
#include "trace/spill/spill_files.h"

/* Adds the calls in which the thread was that `walk` has just gone through: nothing if its process
 * ended by itself, or if the call may be one that ends a process as it should. Returns the spot if
 * it is new, without its time, and with the ticks at which the program's call began in *begin;
 * NULL otherwise. */
struct fth_blind_spot *fth_unreturned_add(struct fth_blind_spots *spots,
                                          const struct fth_walk *walk,
                                          const struct fth_spill_live *live, uint64_t *begin);

#endif
