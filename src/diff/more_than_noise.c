/* Is a difference more than noise? Numbers of calls and bytes that are the same in all runs of a
 * side have no noise. All else is judged by the test of Mann and Whitney, where there are enough
 * runs for it to say something (four of each). With fewer it may differ if all runs of a side are
 * beyond those of the other, and the medians by more than `settings.noise`.
 *
 * Who tests many figures finds some that differ by chance. So those that are found are at most a
 * share `level` false, by the procedure of Benjamini and Hochberg (1995). */
#include "diff/diff.h"
#include "diff/mann_whitney.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

struct spread {
    int64_t least, median, most;
};

static struct spread spread_of(const int64_t *figures, size_t count)
{
    int64_t *sorted = fth_new(count + 1, sizeof *sorted);
    memcpy(sorted, figures, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    int64_t high = sorted[count / 2], low = sorted[(count - 1) / 2];
    struct spread spread = {sorted[0], low / 2 + high / 2 + (low % 2 + high % 2) / 2,
                            sorted[count - 1]};
    free(sorted);
    return spread;
}

static double distance(int64_t a, int64_t b)
{
    return fabs((double)a - (double)b);
}

static double larger(int64_t a, int64_t b)
{
    return fmax(fabs((double)a), fabs((double)b));
}

static bool are_apart(const struct spread *a, const struct spread *b)
{
    return a->most < b->least || b->most < a->least;
}

/* By the limit: none of one side is within the other, and the medians differ by that much. */
static bool exceed_noise(const struct fth_diff *diff, const struct spread *a,
                         const struct spread *b)
{
    return are_apart(a, b) &&
           distance(a->median, b->median) > diff->settings->noise * larger(a->median, b->median);
}

static struct spread *spreads_of(const struct fth_diff *diff, const int64_t *figures,
                                 struct fth_diff_value *value, struct spread spreads[2])
{
    spreads[0] = spread_of(figures, diff->counts[0]);
    spreads[1] = spread_of(figures + diff->counts[0], diff->counts[1]);
    value->a = spreads[0].median;
    value->b = spreads[1].median;
    value->p = FTH_DIFF_NO_TEST;
    value->verdict = FTH_DIFF_SAME;
    value->large = false;
    return spreads;
}

static void test(const struct fth_diff *diff, const int64_t *figures, struct fth_diff_value *value)
{
    value->p =
        fth_diff_mann_whitney(figures, diff->counts[0], figures + diff->counts[0], diff->counts[1]);
    value->verdict =
        value->large && value->p < diff->settings->level ? FTH_DIFF_DIFFERS : FTH_DIFF_NOISE;
}

void fth_diff_judge_count(const struct fth_diff *diff, const int64_t *figures, int64_t floor,
                          struct fth_diff_value *value)
{
    struct spread spreads[2], *of = spreads_of(diff, figures, value, spreads);
    bool steady = of[0].least == of[0].most && of[1].least == of[1].most;
    double apart = distance(value->a, value->b);
    if (steady && of[0].least == of[1].least)
        return;
    value->large =
        apart >= diff->settings->least * larger(value->a, value->b) && apart >= (double)floor;
    if (steady)
        value->verdict = value->large ? FTH_DIFF_DIFFERS : FTH_DIFF_SMALL;
    else if (diff->tests)
        test(diff, figures, value);
    else
        value->verdict =
            value->large && exceed_noise(diff, &of[0], &of[1]) ? FTH_DIFF_MAYBE : FTH_DIFF_NOISE;
}

void fth_diff_judge_timed(const struct fth_diff *diff, const int64_t *figures, int64_t floor,
                          struct fth_diff_value *value)
{
    struct spread spreads[2], *of = spreads_of(diff, figures, value, spreads);
    int64_t most = of[0].most > of[1].most ? of[0].most : of[1].most;
    double apart = distance(value->a, value->b);
    if (of[0].least == of[0].most && of[1].least == of[1].most && value->a == value->b)
        return;
    value->verdict = FTH_DIFF_NOISE;
    if (most < floor) /* whatever it is, it does not matter */
        return;
    value->large =
        apart >= (double)floor && apart >= diff->settings->least * larger(value->a, value->b);
    if (diff->tests)
        test(diff, figures, value);
    else if (value->large && exceed_noise(diff, &of[0], &of[1]))
        value->verdict = FTH_DIFF_MAYBE;
}

static int by_probability(const void *one, const void *other)
{
    const struct fth_diff_value *a = *(struct fth_diff_value *const *)one,
                                *b = *(struct fth_diff_value *const *)other;
    return (a->p > b->p) - (a->p < b->p);
}

void fth_diff_judge_together(const struct fth_diff *diff, struct fth_diff_value **values,
                             size_t count)
{
    size_t found = 0;
    if (count)
        qsort(values, count, sizeof *values, by_probability);
    for (size_t i = 0; i < count; i++)
        if (values[i]->p <= diff->settings->level * (double)(i + 1) / (double)count)
            found = i + 1;
    for (size_t i = 0; i < count; i++)
        values[i]->verdict = i < found && values[i]->large ? FTH_DIFF_DIFFERS : FTH_DIFF_NOISE;
}

/* A run of a few milliseconds starts later or earlier by some, whatever it does. */
int64_t fth_diff_least_time(const struct fth_diff *diff, int64_t whole)
{
    int64_t least = diff->tests ? 10000000 : 50000000, share = whole / (diff->tests ? 100 : 20);
    return share > least ? share : least;
}
