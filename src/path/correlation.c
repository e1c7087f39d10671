/* Significance is that of Fisher's transformation: atanh(r) * sqrt(n - 3) is normal without a
 * correlation. */
#include "path/correlation.h"

#include <math.h>
#include <stddef.h>

/* Of the normal distribution: 1 % of it is farther from 0. */
static const double SIGNIFICANT = 2.576;

void fth_correlation_add(struct fth_correlation *sums, double x, double y)
{
    sums->count++;
    sums->x += x;
    sums->y += y;
    sums->xx += x * x;
    sums->yy += y * y;
    sums->xy += x * y;
}

double fth_correlation_of(const struct fth_correlation *sums)
{
    double n = (double)sums->count, across = n * sums->xy - sums->x * sums->y;
    double along = (n * sums->xx - sums->x * sums->x) * (n * sums->yy - sums->y * sums->y);
    return n > 2 && along > 0 ? fmax(-1, fmin(across / sqrt(along), 1)) : 0;
}

const char *fth_correlation_strength(double correlation, uint64_t observations)
{
    if (observations <= 3 || atanh(correlation) * sqrt((double)observations - 3) < SIGNIFICANT)
        return NULL;
    return correlation < 0.4 ? "weakly" : correlation < 0.7 ? "moderately" : "strongly";
}
