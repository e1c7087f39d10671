/* From the sums that traces keep of functions: nothing is gone through. */
#include "analysis/survey/working.h"

#include "base/error.h"
#include "base/saturating.h"

struct ends {
    int64_t start, end;
};

static struct ends ends_of(struct fth_trace *trace, size_t proc)
{
    const struct fth_function_sum *sums;
    struct fth_error *error = NULL;
    struct ends ends = {0};
    size_t count = 0;
    if (!fth_trace_function_sums(trace, proc, &sums, &count, &error))
        fth_error_free(error); /* going through the calls reports it */
    for (size_t i = 0; i < count; i++) {
        if (sums[i].inside_same_layer)
            continue;
        FTH_ADD_SATURATING(ends.start,
                           fth_function_starts_mpi(sums[i].function) ? sums[i].time : 0);
        FTH_ADD_SATURATING(ends.end, fth_function_ends_mpi(sums[i].function) ? sums[i].time : 0);
    }
    return ends;
}

struct fth_working fth_analysis_working(struct fth_trace *trace,
                                        const struct fth_selection *selection)
{
    struct fth_working working = {0};
    int64_t shortest = INT64_MAX, ended = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        if (!fth_analysis_selects_process(selection, trace, proc))
            continue;
        const struct fth_process *process = fth_trace_process(trace, proc);
        struct ends ends = ends_of(trace, proc);
        working.whole += fth_analysis_kept_until(process) - process->start;
        working.mpi += ends.start;
        ended += ends.end > 0;
        shortest = ends.end > 0 && ends.end < shortest ? ends.end : shortest;
    }
    working.mpi += ended ? shortest * ended : 0;
    working.mpi = working.mpi < working.whole ? working.mpi : working.whole;
    return working;
}
