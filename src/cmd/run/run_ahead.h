/* Merging ahead, by a thread that runs when a processor has nothing else to do. */
#ifndef FTH_CMD_RUN_RUN_AHEAD_H
#define FTH_CMD_RUN_RUN_AHEAD_H

#include "cmd/run/run.h"
#include "trace/merge/ahead.h"

struct fth_run_ahead;
/* Of this run, whose command has started. NULL: not here, where memory, processor time or files are
 * limited or no thread can be idle; the merge at the end then does everything. */
struct fth_run_ahead *fth_run_ahead_start(const struct fth_cmd_run *run);
/* The thread is asked to end, and what it did is the caller's: for one merge of this run. NULL:
 * nothing, or it does not come to its end as others need all processors. */
struct fth_ahead *fth_run_ahead_end(struct fth_run_ahead *ahead);
/* Frees it, with what it did. Takes NULL. */
void fth_run_ahead_forget(struct fth_run_ahead *ahead);

/* When memory is out, or a file was cut off while it was read: called by that thread, it does not
 * return, and what the thread did is of no use. Any other thread goes on. */
void fth_run_ahead_give_up(void);

#endif
