/* Finds the threads of a process that a program repeats, the handles that several of them use, and
 * what orders them (repeat/what/thread_order.h). Inner header of the proxy room. */
#ifndef FTH_PROXY_FIND_THREADS_H
#define FTH_PROXY_FIND_THREADS_H

#include "proxy/program_calls.h"

/* Sets scope->threads[proc], which is there, in place of what it had. -1 and *error: the trace is
 * damaged. */
int fth_proxy_find_threads(struct fth_trace *trace, size_t proc,
                           const struct fth_proxy_scope *scope, enum fth_proxy_skips skips,
                           struct fth_error **error);

#endif
