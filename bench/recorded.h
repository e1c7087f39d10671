/* A rank of a model goes through the recorder, as a process of its own: what it records lies in a
 * spill folder for a moment, and becomes a part. */
#ifndef FTH_BENCH_RECORDED_H
#define FTH_BENCH_RECORDED_H

#include "models.h"

#include "trace/merge/gather_image.h"

struct recorded {
    struct fth_gather gather;
    struct fth_image_walk image;
    struct fth_bytes frames, facts; /* of the last rank */
    uint64_t launcher;              /* image of this process itself */
};

/* Makes the folder, and starts this program anew with a tracer that knows of it. Then it
 * returns. */
void recorded_prepare(char **argv);
void recorded_open(struct recorded *recorded);
void recorded_close(struct recorded *recorded);
/* Plays the rank; its part is the caller's. */
void recorded_rank(struct recorded *recorded, const struct model *model, struct rank *rank,
                   struct fth_part *part);

#endif
