/* A progress bar on the standard error stream, for a person who waits: shown only when that is a
 * terminal and the work has taken longer than a second, and gone without a trace when the work
 * ends. Not thread-safe: one thread reports. */
#ifndef FTH_BASE_PROGRESS_H
#define FTH_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct fth_progress {
    const char *what; /* "reading calls" */
    uint64_t total, done;
    uint64_t next_look;   /* no look at the clock before so much is done */
    uint64_t stride;      /* between two looks */
    int64_t start, shown; /* ns of the monotonic clock; shown: 0 while nothing is on the screen */
    bool enabled;
};

/* `what` must outlive the bar; `total` is in any unit of work, 0 when it is not known. */
void fth_progress_begin(struct fth_progress *progress, const char *what, uint64_t total);
void fth_progress_look(struct fth_progress *progress);
void fth_progress_end(struct fth_progress *progress);

/* Cheap enough for an inner loop. NULL is allowed. */
static inline void fth_progress_add(struct fth_progress *progress, uint64_t count)
{
    if (progress && (progress->done += count) >= progress->next_look)
        fth_progress_look(progress);
}

#endif
