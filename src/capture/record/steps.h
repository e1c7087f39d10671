/* Values that are kept as steps (trace/columns/trails.h): which trail a value goes on from.
 * Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_STEPS_H
#define FTH_CAPTURE_RECORD_STEPS_H

#include "capture/record/runtime.h"
#include "trace/columns/trails.h"

/* What the reader need not know of trails: how they went so far. */
struct fth_habits {
    uint32_t key; /* of the trails that these are about */
    int64_t step[FTH_TRAILS];
    uint32_t known
        /* a number for each pair of trail and step that there was, where it was written last */
        [32];
};

/* The steps of a call on its way. */
struct fth_steps {
    uint32_t count, handle_class;
    struct {
        uint32_t key;
        int64_t kept;
    } taken[FTH_MOST_VALUES];
};

struct fth_stepping {
    struct fth_trails trails;
    struct fth_habits habits[FTH_TRAIL_SETS];
    struct fth_steps now;
    bool off; /* the reader's trails are not ours any more */
};

/* Makes steps of the values in `mask`, as far as they can be, and puts the mask of these behind the
 * values. Returns by how many words that makes the key longer. */
unsigned fth_steps_take(struct fth_draft *draft, uint32_t mask);
/* The call is in the trace: its trails stand there now. */
void fth_steps_done(struct fth_stepping *stepping);
/* Another thread, whose trails are all at 0. */
void fth_steps_begin(struct fth_stepping *stepping);

#endif
