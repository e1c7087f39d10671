/* Quartiles of timings: see the header. */
#include "measure/statistics.h"

#include "base/memory.h"

void fth_timings_add(struct fth_timings *timings, double value)
{
    FTH_GROW(timings->values, timings->count);
    timings->values[timings->count++] = value;
}

static int ascending(const void *one, const void *other)
{
    double left = *(const double *)one, right = *(const double *)other;
    return (left > right) - (left < right);
}

struct fth_quartiles fth_timings_quartiles(struct fth_timings *timings)
{
    uint32_t count = timings->count;
    const double *values = timings->values;
    if (!count)
        return (struct fth_quartiles){0};
    qsort(timings->values, count, sizeof *values, ascending);
    return (struct fth_quartiles){values[0], values[count / 4], values[count / 2],
                                  values[(uint32_t)((uint64_t)count * 3 / 4)], values[count - 1]};
}

double fth_timings_mean(const struct fth_timings *timings)
{
    double sum = 0;
    for (uint32_t i = 0; i < timings->count; i++)
        sum += timings->values[i];
    return timings->count ? sum / timings->count : 0;
}

void fth_timings_free(struct fth_timings *timings)
{
    free(timings->values);
    *timings = (struct fth_timings){0};
}
