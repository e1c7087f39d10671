/* Which calls may wait for somebody else: for a child, a thread, or who has the other end of a
 * pipe. */
#ifndef FTH_MODEL_CALLS_MEETS_OTHERS_H
#define FTH_MODEL_CALLS_MEETS_OTHERS_H

#include "fathom/trace.h"

/* For children, threads and their locks. Who gives a lock up, or lets others go on, does not
 * wait. */
bool fth_function_waits_for_others(const struct fth_function *function);
/* Of functions that open something: does it give a connection that somebody asks for (accept)? */
bool fth_function_accepts(const struct fth_function *function);
/* Is it a pipe, a socket, a terminal? Somebody else has to do something before a call that reads
 * from it returns: write to the pipe, type a line. NULL: no. */
bool fth_handle_meets_others(const struct fth_handle *handle);

#endif
