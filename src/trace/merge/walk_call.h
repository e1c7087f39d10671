/* One call of a process that is walked through, up to what it adds to sums: no grammar and no
 * column is needed for that. For the merge, and for the recorder itself
 * (capture/record/sum_stream.c). */
#ifndef FTH_TRACE_MERGE_WALK_CALL_H
#define FTH_TRACE_MERGE_WALK_CALL_H

#include "trace/merge/walk.h"

/* A call with what was known of its thread when it came. */
struct fth_walked {
    const struct fth_meaning *meaning;
    const int64_t *values; /* those of its signature, or `resolved` */
    int64_t resolved[FTH_MOST_VALUES + 1];
    uint64_t before, entry, exit; /* units; before: exit of the call before it */
    bool note;                    /* it is one of the tracer itself */
    bool holds;                   /* there are calls inside it */
};

/* The time of the thread goes on by one call. */
static inline void fth_walk_pass(struct fth_walk *walk, bool holds, uint64_t gap, uint64_t duration,
                                 struct fth_walked *walked)
{
    walked->holds = holds;
    walked->before = walk->units;
    uint64_t exit = walk->now + gap + (holds ? 0 : duration);
    walked->entry = fth_divided(exit - duration, &walk->quantum);
    walk->now = exit;
    walked->exit = walk->units = fth_divided(exit, &walk->quantum);
}

/* The state of the thread goes on by one call. */
void fth_walk_step(struct fth_walk *walk, const struct fth_signature *signature, uint64_t gap,
                   uint64_t duration, const int64_t *literals, struct fth_walked *walked);
/* Adds it to the sums of its process, if it is no note. */
void fth_walk_sum(struct fth_walk *walk, struct fth_call_kind *kind,
                  const struct fth_walked *walked);

#endif
