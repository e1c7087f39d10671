/* A counter over time, in characters. Inner header of the views room. */
#ifndef FTH_VIEWS_COUNTER_CURVE_H
#define FTH_VIEWS_COUNTER_CURVE_H

#include "views/output/output.h"

#include <fathom/samples.h>

enum { FTH_LONGEST_TIMELINE = 512 };

/* What a counter was in each of `count` equal parts of the time of its node's sampling: mean and
 * most. NAN where it has no sample. */
struct fth_timeline {
    size_t count;
    int64_t start, end; /* ns */
    double mean[FTH_LONGEST_TIMELINE], most[FTH_LONGEST_TIMELINE];
};
void fth_views_timeline(struct fth_timeline *timeline, const struct fth_trace *trace,
                        size_t counter, size_t count);

/* One line of block characters, from 0 to the largest; into `text`, 3 * count + 1 bytes. */
void fth_views_sparkline(const struct fth_timeline *timeline, char *text);
/* The same with what the terminal can show: ASCII where it has no more. */
void fth_views_spark(struct fth_output *output, const struct fth_timeline *timeline);
/* Rows of them, with a scale that `label` writes. */
void fth_views_picture(struct fth_output *output, const struct fth_timeline *timeline,
                       size_t height,
                       void (*label)(char *text, size_t size, double value, const void *context),
                       const void *context);

#endif
