/* What orders the threads of a process where its calls are repeated.
 *
 * A thread begins before the call of the first one that goes on when its first call comes, or else
 * before the next; and is over before the first call of that one that begins behind its last. Of
 * two threads, one waits for a call of the other that was over before its own began, and has to do
 * with it: both use a handle, and one of them makes or closes it; both are about a name, and one of
 * them makes, changes or removes it; one reads a file that the other has written to; both are
 * collective calls on one communicator, or calls of one library for files, which may not be made at
 * once. So no thread waits for what came later, and the repetition ends. Locks are not repeated:
 * they are in traces only where they were asked for.
 *
 * Takes the calls that are repeated, in order of entry, twice: first only when threads begin and
 * end, then what each has to do with. Who repeats them numbers the steps of each thread, in order,
 * from 0. */
#ifndef FTH_REPEAT_THREAD_ORDER_H
#define FTH_REPEAT_THREAD_ORDER_H

#include "catalog/catalog.h"
#include "fathom/trace.h"

/* What comes before step `before` of a thread. */
struct fth_thread_order_listener {
    /* the first thread starts this one, and waits until it is over */
    void (*start)(void *context, uint32_t thread, uint64_t before);
    void (*join)(void *context, uint32_t thread, uint64_t before);
    /* `by` waits until `thread` has done its first `steps` */
    void (*wait)(void *context, uint32_t by, uint64_t before, uint32_t thread, uint64_t steps);
};

struct fth_thread_order;
/* NULL: the process has one thread, or so many that only the first one is repeated. */
struct fth_thread_order *fth_thread_order_open(const struct fth_process *process,
                                               const struct fth_thread_order_listener *listener,
                                               void *context);
void fth_thread_order_close(struct fth_thread_order *order); /* NULL is allowed */

/* The first time. */
void fth_thread_order_note(struct fth_thread_order *order, const struct fth_call *call);
bool fth_thread_order_repeats(const struct fth_thread_order *order, uint32_t thread);
/* Its place among those that are repeated, in the order in which they begin; 0: the first. */
uint32_t fth_thread_order_slot(const struct fth_thread_order *order, uint32_t thread);
/* So many are repeated, without the first one. */
uint32_t fth_thread_order_others(const struct fth_thread_order *order);

/* The second time. The call comes, before step `number` of its thread; what it has to do with,
 * which may be several things; and how many steps its thread has behind it. */
void fth_thread_order_call(struct fth_thread_order *order, const struct fth_call *call,
                           uint64_t number);
/* `kind` and `name` together; `changes`: it makes it, closes it, or does not bear others beside. */
void fth_thread_order_thing(struct fth_thread_order *order, const char *kind, const char *name,
                            bool changes);
/* The names of files of the call, and its library, if that does not bear two calls at once. */
void fth_thread_order_row(struct fth_thread_order *order, const struct fth_row *row);
void fth_thread_order_done(struct fth_thread_order *order, uint64_t steps);
/* In place of a call of the first thread: something that it does then. */
void fth_thread_order_meanwhile(struct fth_thread_order *order, const struct fth_call *call);
/* No call is left: the first thread waits for all that are not over. */
void fth_thread_order_end(struct fth_thread_order *order);

#endif
