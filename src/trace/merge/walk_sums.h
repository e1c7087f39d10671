/* What a call adds to the sums of its process. Inner header of the trace room. */
#ifndef FTH_TRACE_MERGE_WALK_SUMS_H
#define FTH_TRACE_MERGE_WALK_SUMS_H

#include "trace/merge/walk.h"

/* `exit` and `duration` are in units of the process. */
void fth_walk_add_to_sums(struct fth_walk *walk, const struct fth_meaning *meaning,
                          struct fth_call_kind *kind, const int64_t *values, uint64_t exit,
                          uint64_t duration);

/* The same for a call of a plain kind, of which there was one before. */
void fth_walk_add_plain(struct fth_walk *walk, const struct fth_kind_sum *known, uint64_t duration);

/* What was added up before (trace/record/summed_file.h); `path` is a text of the process. */
void fth_walk_add_sum(struct fth_walk *walk, const struct fth_sum *more);
void fth_walk_add_path_sum(struct fth_walk *walk, const struct fth_path_sum *more);

#endif
