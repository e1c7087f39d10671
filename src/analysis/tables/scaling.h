/* Runs of one program, side by side: with more ranks, do its requests to the file system get
 * smaller? */
#ifndef FTH_ANALYSIS_SCALING_H
#define FTH_ANALYSIS_SCALING_H

#include "analysis/survey/survey.h"

struct fth_scaling_run {
    const char *name;          /* of its trace; it outlives the results */
    size_t ranks;              /* processes where there are none */
    int64_t duration, working; /* ns: of the run; of all its processes (working.h) */
    struct fth_moved moved[2]; /* reads, writes on the system: calls, bytes, time */
};

/* Goes once through the selected calls of a trace. 0 or -1 with *error. */
int fth_scaling_measure(struct fth_trace *trace, const struct fth_selection *selection,
                        const struct fth_thresholds *thresholds, unsigned threads,
                        struct fth_progress *progress, struct fth_scaling_run *run,
                        struct fth_error **error);
/* The table `runs`, by ranks, and what stands out. Sorts the runs. */
void fth_scaling_results(struct fth_scaling_run *runs, size_t count,
                         const struct fth_thresholds *thresholds, struct fth_results *results);

#endif
