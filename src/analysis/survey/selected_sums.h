/* Sums of selected calls of a process, of the form of those that a trace keeps of all its calls
 * (fth_trace_function_sums). What is said of being inside another call is about selected ones:
 * bytes of calls whose caller is not selected are counted. Where no selected call of the system
 * moved bytes, those that went through buffers (of stdio, of HDF5) are counted as they went in and
 * out. */
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
    struct fth_moved_bytes {
        uint64_t read, written;
    } * buffered;       /* by files: of calls with buffers that are not inside of others */
    bool above_buffers; /* no call of the system moved bytes */
};

/* What calls --where is about. */
enum fth_where_scope {
    FTH_WHERE_ITSELF,     /* those for which it holds */
    FTH_WHERE_AND_INSIDE, /* and all that is inside of these: as a survey takes it */
};

/* Goes through all calls of the process that are selected; progress may be NULL, its unit is a
 * call. *sums is all zero before. -1: *error. */
int fth_analysis_sums(struct fth_trace *trace, const struct fth_selection *selection,
                      enum fth_where_scope scope, size_t proc, struct fth_progress *progress,
                      struct fth_sums *sums, struct fth_error **error);
void fth_analysis_sums_free(struct fth_sums *sums);

#endif
