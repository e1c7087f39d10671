/* Samples of the machine: tables with a picture of each counter, large pictures of those that are
 * named. */
#ifndef FTH_VIEWS_SAMPLES_PAGE_H
#define FTH_VIEWS_SAMPLES_PAGE_H

#include "analysis/tables/samples_table.h"
#include "views/formats/writer.h"

enum { FTH_SAMPLES_LINE_DEPTH = 2 };

struct fth_samples_view {
    const char *trace_path;
    bool named; /* these counters were asked for: a picture of each; in JSON, their values */
    bool all;   /* also what was always 0, and each CPU */
    size_t most_values; /* in JSON, of all counters together: the others have none; 0: all */
    size_t top;         /* rows of the table of processes; 0: all */
};

void fth_views_samples(struct fth_writer *writer, const struct fth_trace *trace,
                       const struct fth_sample_sums *sums, const struct fth_samples_view *view);

/* As tables, to be freed; NULL: out of memory. */
struct fth_table *fth_views_counters(const struct fth_trace *trace,
                                     const struct fth_sample_sums *sums);
struct fth_table *fth_views_counter_values(const struct fth_trace *trace,
                                           const struct fth_sample_sums *sums);
/* "bytes" */
const char *fth_views_counter_unit(const struct fth_counter *counter);

#endif
