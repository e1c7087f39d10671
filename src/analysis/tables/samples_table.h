/* The pass of samples: what the counters of the machine said, summed up over the run. O(samples)
 * time, O(counters) memory. */
#ifndef FTH_ANALYSIS_SAMPLES_TABLE_H
#define FTH_ANALYSIS_SAMPLES_TABLE_H

#include "analysis/select/select.h"
#include "table/table.h"

#include <fathom/samples.h>

/* One counter, summed up: over all its samples, each by the time it stands for. */
struct fth_counter_sum {
    size_t counter; /* of the trace */
    double least, mean, most;
    double amount; /* of a rate */
};

struct fth_sample_sums {
    /* those that are selected; of nodes first, then of processes */
    struct fth_counter_sum *counters;
    size_t count;
    /* Columns: proc rank host program samples cpu (percent of one, mean), rss threads (most),
     * minor_faults major_faults voluntary_switches involuntary_switches bytes_read bytes_written
     * instructions cycles cache_misses (while it was sampled); of the selected processes. */
    struct fth_table *processes;
};

/* Is it a counter of a selected process? Where --proc or --rank name processes, those of nodes are
 * not selected. */
bool fth_analysis_selects_counter(const struct fth_selection *selection,
                                  const struct fth_trace *trace, const struct fth_counter *counter);

/* A pattern (glob(7)) is matched with NAME and with NAME:INSTANCE; without any all counters are
 * selected. NULL: *error is set; so it is where the trace has no samples, or none that match. */
struct fth_sample_sums *fth_analysis_samples(const struct fth_trace *trace,
                                             const struct fth_selection *selection,
                                             const struct fth_words *patterns,
                                             struct fth_error **error);
void fth_analysis_samples_free(struct fth_sample_sums *sums);

#endif
