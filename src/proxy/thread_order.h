/* Finds the threads of a process that a program repeats, the handles that several of them use, and
 * what orders them. Inner header of the proxy room.
 *
 * A thread begins before the call of the first one that goes on when its first call comes, or else
 * before the next; and is over before the first call of that one that begins behind its last. Of
 * two threads, one waits for a call of the other that was over before its own began, and has to do
 * with it: both use a handle, and one of them makes or closes it; both are about a name, and one of
 * them makes, changes or removes it; both are collective calls on one communicator, or calls of one
 * library for files, which may not be made at once. So no thread waits for what came later, and the
 * program ends. Locks are not repeated: they are in traces only where they were asked for. */
#ifndef FTH_PROXY_THREAD_ORDER_H
#define FTH_PROXY_THREAD_ORDER_H

#include "proxy/program_calls.h"

/* Sets scope->threads[proc], which is there, in place of what it had. -1 and *error: the trace is
 * damaged. */
int fth_thread_order_find(struct fth_trace *trace, size_t proc, const struct fth_proxy_scope *scope,
                          enum fth_proxy_skips skips, struct fth_error **error);

#endif
