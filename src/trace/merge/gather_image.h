/* From the spill files of one process image to a process of a part: its calls are walked through
 * once, times quantised, columns compressed, sums added up. */
#ifndef FTH_TRACE_MERGE_GATHER_IMAGE_H
#define FTH_TRACE_MERGE_GATHER_IMAGE_H

#include "trace/file/blind_spots.h"
#include "trace/spill/node_clocks.h"
#include "trace/spill/spill_files.h"
#include "trace/record/time_mode.h"
#include "trace/file/watched_section.h"
#include "trace/merge/definitions.h"

/* A process of which streams are gone, in all its images together. */
struct fth_gather_gone {
    const struct fth_spill_process *process; /* its first image with such a stream */
    size_t gone, begun;                      /* of the images that lack some */
};

/* What a merge knows of the times, and finds out about all of its processes. */
struct fth_gather {
    struct fth_time_mode times;
    const struct fth_part_process *merged; /* what MPI_Finalize has merged already: left out */
    size_t merged_count;
    /* of the process that was gathered last: what calls that were left out for their file moved;
     * false: a part of that is not known */
    struct fth_spill_counted passed;
    bool passed_is_known;
    char **problems; /* what was damaged, a sentence each; grows */
    size_t problem_count;
    struct fth_gather_gone *gone; /* grows */
    size_t gone_count;
    bool takes_watched; /* what was only watched counts, too: at the end of the run, once */
    struct fth_watched_process watched; /* of the process that was gathered last; the caller's */
    struct fth_blind_spots unreturned;  /* calls in which processes were killed */
};
void fth_gather_free(struct fth_gather *gather);

/* An image on its way into a part, and what of it is walked through already. */
struct fth_image_walk {
    struct fth_walk walk;
    struct fth_definitions defined; /* by the stream */
    bool is_summed;                 /* what follows in the stream is only added up */
    bool has_sums;                  /* so it is in one of the streams, at the earliest since: */
    uint64_t summed_since;          /* ticks */
    bool is_ahead;                  /* the first stream has come by, up to this place: */
    uint64_t done;                  /* bytes of its sealed records */
};
/* Processes go to `part`, their columns to the sink. It can be used for one process after the
 * other. */
void fth_image_walk_open(struct fth_image_walk *image, struct fth_part *part, fth_block_sink *sink,
                         void *context);
void fth_image_walk_close(struct fth_image_walk *image);

/* Appends the facts of the process to `facts`. What is walked through already is not looked at
 * again. */
int fth_gather_process(struct fth_gather *gather, struct fth_image_walk *image,
                       const struct fth_spill_folder *folder, const struct fth_spill_image *of,
                       const struct fth_clock *clock, struct fth_bytes *facts,
                       struct fth_error **error);
/* Behind the last process: streams that are gone become problems, one for each process. */
void fth_gather_report_gone(struct fth_gather *gather);

/* What a process has sealed by now in its first stream, while it may still run: walked through up
 * to the end or until *is_over, which another thread may set. `image` is one that was just opened,
 * or the same one as before. FTH_AHEAD_FAILED: it is of no use any more. */
enum fth_ahead_state { FTH_AHEAD_FAILED, FTH_AHEAD_WAITS, FTH_AHEAD_MOVED };
enum fth_ahead_state fth_gather_ahead(struct fth_gather *gather, struct fth_image_walk *image,
                                      const struct fth_spill_folder *folder,
                                      const struct fth_spill_image *of,
                                      const struct fth_clock *clock, const bool *is_over);

#endif
