/* Calls of a thread come out of the trace in order of exit: calls inside a call come before it.
 * Here they wait until the call around them is known, and go out behind it, in order of entry.
 * Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_ENTRY_ORDER_H
#define FTH_MODEL_CALLS_ENTRY_ORDER_H

#include "model/calls/present.h"
#include "model/calls/starts.h"

/* One of them, at its place in order of exit. */
struct fth_entry_waiting {
    struct fth_kept_call call;
    uint32_t depth;  /* as recorded; once settled, the number of calls around it */
    uint32_t around; /* place of the call around it, in order of exit, or FTH_AROUND_NONE */
    uint32_t inside; /* how many calls are inside it: those right before it */
    uint32_t place;  /* in order of entry, once that is settled */
    bool left_out;   /* does not go out */
};
#define FTH_AROUND_NONE UINT32_MAX

/* Threads were started inside a call: they are `count` of those that are closed. */
struct fth_entry_starts {
    uint32_t call; /* its place in order of exit */
    size_t first, count;
};

/* All zero: none waits. */
struct fth_entry_order {
    struct fth_entry_waiting *waiting; /* in order of exit */
    uint32_t count, limit;
    uint32_t *outermost; /* of those that wait, calls that no other one has around it so far */
    uint32_t outermost_count, outermost_limit;
    uint32_t *entered; /* in order of entry: their places in order of exit */
    uint32_t entered_limit;
    uint32_t next; /* to go out */
    struct fth_kept_calls kept;
    struct fth_entry_starts *starts;
    uint32_t start_count, start_limit;
    uint64_t first_number; /* of the call that was entered first */
};

/* Another call, which ends after all that wait: `reader` has just given `raw`. `starts`: closed by
 * it. */
void fth_entry_order_take(struct fth_entry_order *order, struct fth_presenter *presenter,
                          const struct fth_thread_reader *reader, const struct fth_raw_call *raw,
                          struct fth_thread_starts *starts);
/* One that is only there for the places of the others. It starts no threads. */
void fth_entry_order_leave_out(struct fth_entry_order *order, const struct fth_presenter *presenter,
                               const struct fth_raw_call *raw);
/* No more come before those that wait go out, numbered from `first_number` on. Who started threads
 * goes to `starters`. */
void fth_entry_order_settle(struct fth_entry_order *order, uint64_t first_number,
                            const struct fth_thread_reader *reader,
                            struct fth_thread_starts *starts, struct fth_starts *starters);
static inline bool fth_entry_order_has_next(const struct fth_entry_order *order)
{
    return order->next < order->count;
}
/* When the next one begins, ns. There must be one, for this and the next. */
static inline int64_t fth_entry_order_start(const struct fth_entry_order *order)
{
    return order->waiting[order->entered[order->next]].call.start;
}
/* Number `number` in order of entry: which one is around it, by the same; or -1. */
static inline int64_t fth_entry_order_parent(const struct fth_entry_order *order, uint32_t number)
{
    uint32_t around = order->waiting[order->entered[number]].around;
    return around == FTH_AROUND_NONE ? -1 : (int64_t)order->waiting[around].place;
}
void fth_entry_order_give(struct fth_entry_order *order, struct fth_call *call);
/* All that went out are forgotten. */
void fth_entry_order_empty(struct fth_entry_order *order);
void fth_entry_order_free(struct fth_entry_order *order);

#endif
