/* The pass of handles: those of one process, as a tree. */
#ifndef FTH_ANALYSIS_HANDLES_TABLE_H
#define FTH_ANALYSIS_HANDLES_TABLE_H

#include "analysis/select/select.h"
#include "base/progress.h"
#include "table/table.h"

extern const struct fth_shape fth_handles_shape;

/* A row for each handle, parents before their children, in order of first appearance otherwise; its
 * columns are keys of `fathom handles --json` (docs/fathom-handles.1.md). `all`: also those that
 * have nothing to do with files (communicators, datatypes, property lists). Of the selection
 * --layer, --file and --where (for a call that is about it; one that does not ask for accesses)
 * count: a handle stays when it, or one below it, is chosen. Goes through all calls of the process.
 * NULL: *error is set. */
struct fth_table *fth_analysis_handles(struct fth_trace *trace, size_t proc,
                                       const struct fth_selection *selection, bool all,
                                       struct fth_progress *progress, struct fth_error **error);

#endif
