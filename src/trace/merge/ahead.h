/* Merging ahead: what running processes have sealed is walked through while they go on, so that
 * little is left to do behind their last call. It is the beginning of the same merge, of each
 * process by itself: what is here when the run ends goes on from there, and what is not here is
 * merged as a whole. Nothing but time depends on how far it came. */
#ifndef FTH_TRACE_MERGE_AHEAD_H
#define FTH_TRACE_MERGE_AHEAD_H

#include "trace/merge/gather_image.h"

/* A process image that is walked through ahead, into a part of its own. */
struct fth_ahead_image {
    uint64_t image;
    struct fth_part part;
    struct fth_image_walk walk;
    int columns; /* a file without a name in the spill folder; -1: this image is of no use */
    uint64_t column_bytes;
};

enum {
    FTH_AHEAD_MOST = 16, /* images: for each of them as much memory as its merge needs anyway */
    FTH_AHEAD_LEAST = 1 << 20,   /* bytes that it has sealed: what is less is merged in no time */
    FTH_AHEAD_MEMORY = 25 << 20, /* bytes that an image takes, about */
    FTH_AHEAD_SHARE = 8,         /* all of them take this part of the memory that is left */
};

struct fth_ahead {
    char *spill;
    struct fth_gather gather;
    struct fth_meaning *meanings; /* its own: its thread may be at work beside the merge */
    struct fth_ahead_image *images[FTH_AHEAD_MOST];
    size_t count;
};
/* Of a run that records into the folder `spill`; nothing is read yet. */
void fth_ahead_open(struct fth_ahead *ahead, const char *spill, const struct fth_time_mode *times);
void fth_ahead_close(struct fth_ahead *ahead);
/* Looks for processes with long streams, and goes on with them, until there is nothing more or
 * *is_over. True: there was something. Whatever fails is left for later. Not by two threads at the
 * same time. */
bool fth_ahead_go_on(struct fth_ahead *ahead, const bool *is_over);

/* What is here of the image, if the merge can go on from it: its times are those of this clock.
 * NULL: nothing is. */
struct fth_ahead_image *fth_ahead_find(struct fth_ahead *ahead, const struct fth_spill_image *image,
                                       const struct fth_clock *clock);

#endif
