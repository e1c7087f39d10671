/* Inner header: how often a function took how long and moved how much. */
#ifndef FTH_OVERVIEW_HISTOGRAMS_H
#define FTH_OVERVIEW_HISTOGRAMS_H

#include "overview/overview.h"

/* By function; grown as they come. All zero: nothing came yet. */
struct fth_overview_histograms {
    struct fth_overview_histogram *list;
    uint32_t limit;
};

/* A call of the function: ns; bytes, of a data call of which they are known, else -1. */
void fth_overview_measure(struct fth_overview_histograms *histograms, uint32_t function,
                          int64_t duration, int64_t bytes);
/* Adds *from, and frees it. */
void fth_overview_histograms_merge(struct fth_overview_histograms *into,
                                   struct fth_overview_histograms *from);
void fth_overview_histograms_free(struct fth_overview_histograms *histograms);

#endif
