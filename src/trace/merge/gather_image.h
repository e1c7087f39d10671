/* From the spill files of one process image to a process of a part: its calls are walked through
 * once, times quantised, columns compressed, sums added up. */
#ifndef FTH_TRACE_MERGE_GATHER_IMAGE_H
#define FTH_TRACE_MERGE_GATHER_IMAGE_H

#include "trace/file/blind_spots.h"
#include "trace/spill/node_clocks.h"
#include "trace/spill/spill_files.h"
#include "trace/record/time_mode.h"
#include "trace/file/watched_section.h"
#include "trace/merge/walk.h"

/* A process of which streams are gone, in all its images together. */
struct fth_gather_gone {
    const struct fth_spill_process *process; /* its first image with such a stream */
    size_t gone, begun;                      /* of the images that lack some */
};

struct fth_gather {
    struct fth_walk walk;
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
/* Processes go to `part`, their columns to the sink. */
void fth_gather_open(struct fth_gather *gather, struct fth_part *part,
                     const struct fth_time_mode *times, fth_block_sink *sink, void *context);
void fth_gather_close(struct fth_gather *gather);

/* Appends the process's facts to `facts`. */
int fth_gather_process(struct fth_gather *gather, const struct fth_spill_folder *folder,
                       const struct fth_spill_image *image, const struct fth_clock *clock,
                       struct fth_bytes *facts, struct fth_error **error);
/* Behind the last process: streams that are gone become problems, one for each process. */
void fth_gather_report_gone(struct fth_gather *gather);

#endif
