/* Counters of the machine, for the page of a run. */
#include "cmd/shared/sampling.h"

#include "views/browser/pack.h"

int fth_cmd_pack_samples(struct fth_sink *to, struct fth_trace *trace, const char *path,
                         const struct fth_selection *selection, size_t most_values,
                         struct fth_error **error)
{
    const struct fth_words all = {0};
    struct fth_error *none = NULL;
    if (!fth_trace_counter_count(trace))
        return 0;
    struct fth_sample_sums *sums = fth_analysis_samples(trace, selection, &all, &none);
    if (!sums) { /* none of those processes was alive when a sample was taken */
        fth_error_free(none);
        return 0;
    }
    int result = fth_views_pack_samples(
        to, trace, sums,
        &(struct fth_samples_view){.trace_path = path, .named = true, .most_values = most_values},
        error);
    fth_analysis_samples_free(sums);
    return result;
}
