/* HOST~PID.samples in the spill folder: what a sampler has written so far, with times of its node's
 * CLOCK_MONOTONIC. Like other spill files it is read by the same build on whatever was left of
 * it. */
#ifndef FTH_TRACE_SPILL_SAMPLE_FILES_H
#define FTH_TRACE_SPILL_SAMPLE_FILES_H

#include "trace/spill/node_clocks.h"
#include "trace/file/sample_section.h"

#define FTH_SAMPLES_ENDING ".samples"

/* One instant by two clocks of the node, ns. */
struct fth_samples_anchor {
    int64_t monotonic, realtime;
};

/* Replaces the file in one step. Nobody hears of it when that is not possible: there are no samples
 * then. */
void fth_sample_file_write(const char *path, const struct fth_samples *samples,
                           const struct fth_samples_anchor *anchor);

/* Appends a section SAMP for each file of samples in the spill folder, its times on the clock of
 * the run; `clocks` are those of the folder's images. Returns how many are damaged and left out. */
size_t fth_sample_files_append(struct fth_bytes *to, const struct fth_spill_folder *folder,
                               const struct fth_clock *clocks);

#endif
