/* The kept calls that the program can make: those of which it is known how much memory they access.
 * The others are left out and counted. */
#ifndef FTH_PROXY_PROGRAM_CALLS_H
#define FTH_PROXY_PROGRAM_CALLS_H

#include "proxy/kept_calls.h"

/* What is left out before MPI is started, where ranks differ in it: nothing, calls of the system
 * and of streams (of interpreters, which read files of their own), or all on files. */
enum fth_proxy_skips { FTH_SKIP_NOTHING, FTH_SKIP_SYSTEM, FTH_SKIP_FILES };

/* As fth_kept_calls_next. Sets *bytes to those that a buffer of the call needs. */
int fth_program_calls_next(struct fth_proxy_calls *kept, enum fth_proxy_skips skips,
                           uint64_t *bytes, struct fth_error **error);

#endif
