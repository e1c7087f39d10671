/* Calls that are seen but not kept, because there is no room for them or no right to write: they
 * are counted, with the reason, in memory that is mapped already and takes no new space. Inner
 * header of the capture room.
 *
 * A thread that has a stream counts in its live area. A thread without one has a recorder that
 * leads nowhere: its calls go the same way, through the same filters, and are counted for the
 * process. A process that cannot make a file of its own is described in memory of its own only, and
 * counts in the file of the process that forked it, or else in a page that `fathom record` has made
 * for all of them. */
#ifndef FTH_CAPTURE_PROCESS_UNKEPT_CALLS_H
#define FTH_CAPTURE_PROCESS_UNKEPT_CALLS_H

#include "capture/process/process.h"

/* Calls find no room from now on, because of this errno, which may pass. The first reason stays. */
void fth_unkept_since(int error);
/* So many calls of a thread without a stream were not kept. */
void fth_unkept_calls(uint64_t count) FTH_PUBLIC;
/* A description for a process that cannot make its file because of `error`; `parent`: of who forked
 * it, or NULL. NULL: nobody would see its counts. */
struct fth_spill_process *fth_unkept_process(struct fth_spill_process *parent, int error);
/* The same, and its calls are not even counted. */
void fth_unkept_process_uncounted(struct fth_spill_process *parent, int error);
/* This process has a file after all: it is the child of one of those. */
void fth_unkept_process_over(void);
/* It becomes another program. */
void fth_unkept_process_replaced(void);
/* Is this process one of those? */
bool fth_process_is_unkept(void);

#endif
