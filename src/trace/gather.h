/* From the spill files of one process image to a process of a part: its calls are walked through once, times quantised, columns
 * compressed, sums added up. */
#ifndef FTH_TRACE_GATHER_H
#define FTH_TRACE_GATHER_H

#include "trace/part.h"
#include "trace/spill_files.h"
#include "trace/state.h"

/* Takes compressed blocks, in order. False: *error is set (a full disk). */
typedef bool fth_block_sink(void *context, const void *bytes, size_t length, struct fth_error **error);

struct fth_gather {
    struct fth_part *part; /* the process is added to it */
    struct fth_meaning *meanings;
    uint64_t resolution_ns;
    const struct fth_part *merged; /* what MPI_Finalize has merged already: left out; or NULL */
    fth_block_sink *sink;
    void *context;
    char **problems; /* what was damaged, a sentence each; grows */
    size_t problem_count;
};

int fth_gather_process(struct fth_gather *gather, const struct fth_spill_folder *folder,
                       const struct fth_spill_image *image, struct fth_error **error);

#endif
