/* Timings and what is said of them. Timings are no bell curves, so that quartiles say more of them
 * than deviations (Kunkel 2013, section 3.1.2). */
#ifndef FTH_MEASURE_STATISTICS_H
#define FTH_MEASURE_STATISTICS_H

#include <stdint.h>

/* Nanoseconds, each of one operation. Begins zeroed. */
struct fth_timings {
    double *values;
    uint32_t count;
};

/* Picked from the sorted values, none is made up between two of them. */
struct fth_quartiles {
    double least, first, median, third, most;
};

void fth_timings_add(struct fth_timings *timings, double value);
/* Sorts; of no values all are 0. */
struct fth_quartiles fth_timings_quartiles(struct fth_timings *timings);
/* Of no values 0. */
double fth_timings_mean(const struct fth_timings *timings);
void fth_timings_free(struct fth_timings *timings);

#endif
