/* Linear correlation of pairs of numbers, and what may be said of it. Inner header of the path
 * room. */
#ifndef FTH_PATH_CORRELATION_H
#define FTH_PATH_CORRELATION_H

#include <stdint.h>

/* Sums over the pairs; all zero: none. */
struct fth_correlation {
    uint64_t count;
    double x, y, xx, yy, xy;
};
void fth_correlation_add(struct fth_correlation *sums, double x, double y);
/* -1 to 1 (Pearson's coefficient); 0: it is not defined. */
double fth_correlation_of(const struct fth_correlation *sums);
/* "weakly" (below 0.4), "moderately" (below 0.7) or "strongly"; NULL: nothing can be said, because
 * so many independent observations show no positive correlation at a level of 1 %. */
const char *fth_correlation_strength(double correlation, uint64_t observations);

#endif
