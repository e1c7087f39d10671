/* Who is recorded in the next phase (`fathom record --select`): the page that processes of a node
 * share (trace/record/watched_file.h). Any process may ask at any time; nobody waits. */
#ifndef FTH_TRACE_SPILL_WATCH_CHOICE_H
#define FTH_TRACE_SPILL_WATCH_CHOICE_H

#include "trace/record/watched_file.h"

#include <stdbool.h>

struct fth_watch_chosen {
    bool is_chosen;
    uint64_t least; /* ticks: what the last one of the chosen took */
};

/* A free place for this image; NULL: all are taken. */
struct fth_watch_place *fth_watch_take_place(struct fth_watch_page *page, uint64_t image);
/* Is the process at `place` one of the `slowest` of phase `next` - 1? Whoever asks first for `next`
 * chooses for all; who comes while that is being done chooses alone, and does not wait.
 * `stragglers`: processes that are still in an earlier phase count with what they have taken in
 * it. */
struct fth_watch_chosen fth_watch_choose(struct fth_watch_page *page,
                                         const struct fth_watch_place *place, uint64_t next,
                                         uint64_t slowest, bool stragglers);

#endif
