/* Whether the best choice helps: the test of Mann and Whitney on the runs in pairs and the first
 * unchanged one, one-sided, as the choice was to be faster. (The probability of the two-sided test
 * is halved: of few values it is exact and symmetric.) Three changed runs that are all faster than
 * four unchanged ones come by chance once in 35 times. */
#include "tune/tune.h"

#include "diff/mann_whitney.h"

#include <stdlib.h>

static const double LEVEL = 0.05, LEAST_GAIN = 0.03;

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

static int64_t median(const int64_t *times, size_t count)
{
    int64_t sorted[2 + FTH_TUNE_PAIRS];
    for (size_t i = 0; i < count; i++)
        sorted[i] = times[i];
    qsort(sorted, count, sizeof *sorted, compare);
    return count ? sorted[(count - 1) / 2] / 2 + sorted[count / 2] / 2 : 0;
}

struct fth_tune_judgement fth_tune_judge(const struct fth_tune_search *search)
{
    struct fth_tune_judgement judgement = {.verdict = FTH_TUNE_NOTHING_TO_TRY, .p = 1};
    judgement.unchanged = median(search->unchanged, search->unchanged_count);
    judgement.changed = median(search->changed, search->changed_count);
    if (!search->unchanged_count)
        return judgement;
    judgement.verdict = FTH_TUNE_NOTHING_HELPS;
    if (!search->changed_count)
        return judgement;
    double gain = 1 - (double)judgement.changed / (double)judgement.unchanged,
           p = fth_diff_mann_whitney(search->unchanged, search->unchanged_count, search->changed,
                                     search->changed_count) /
               2;
    judgement.p = gain > 0 ? p : 1 - p;
    if (gain >= LEAST_GAIN)
        judgement.verdict = judgement.p <= LEVEL ? FTH_TUNE_HELPS : FTH_TUNE_NOT_SURE;
    return judgement;
}
