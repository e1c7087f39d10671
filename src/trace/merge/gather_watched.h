/* What a process has counted of calls that were only watched becomes sums, calls that are not kept,
 * and phases. Inner header of the trace room. */
#ifndef FTH_TRACE_MERGE_GATHER_WATCHED_H
#define FTH_TRACE_MERGE_GATHER_WATCHED_H

#include "trace/file/watched_section.h"
#include "trace/spill/node_clocks.h"
#include "trace/spill/spill_files.h"
#include "trace/merge/walk.h"

/* Adds to the process of `walk`, which is being walked through, and to `watched`, all zero. Returns
 * 0, also where nothing was watched, or -1 and *error: the file is damaged. */
int fth_gather_watched(struct fth_walk *walk, const struct fth_spill_folder *folder,
                       const struct fth_spill_image *image, const struct fth_clock *clock,
                       struct fth_watched_process *watched, struct fth_error **error);

#endif
