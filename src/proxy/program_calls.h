/* The kept calls that the program can make: those of which it is known how much memory they access.
 * The others are left out and counted. */
#ifndef FTH_PROXY_PROGRAM_CALLS_H
#define FTH_PROXY_PROGRAM_CALLS_H

#include "proxy/kept_calls.h"

/* As fth_kept_calls_next. Sets *bytes to those that a buffer of the call needs. `only_started`:
 * calls on files before MPI is started are left out. */
int fth_program_calls_next(struct fth_proxy_calls *kept, bool only_started, uint64_t *bytes,
                           struct fth_error **error);

#endif
