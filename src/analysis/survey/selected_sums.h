/* Sums of selected calls of a process, of the form of those that a trace keeps of all its calls
 * (fth_trace_function_sums). What is said of being inside another call is about selected ones:
 * bytes of calls whose caller is not selected are counted. */
#ifndef FTH_ANALYSIS_SELECTED_SUMS_H
#define FTH_ANALYSIS_SELECTED_SUMS_H

#include "analysis/select/select.h"
#include "base/intern.h"
#include "base/progress.h"

struct fth_sums {
    size_t function_count, file_count;
    struct fth_function_sum *functions;
    struct fth_file_sum *files;
    struct fth_intern function_keys, paths;
};

/* Goes through all calls of the process; progress may be NULL, its unit is a call. *sums is all
 * zero before. -1: *error. */
int fth_analysis_sums(struct fth_trace *trace, const struct fth_selection *selection, size_t proc,
                      struct fth_progress *progress, struct fth_sums *sums,
                      struct fth_error **error);
void fth_analysis_sums_free(struct fth_sums *sums);

#endif
