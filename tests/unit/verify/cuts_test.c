/* What calls that cut a file off take from others, on thousands of random small runs, held against
 * every pair. */
#include "verify/compare/cuts.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 4000, MOST_OPERATIONS = 24, PROCESSES = 3, LAYER = 1, PLACES = 40 };

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % limit);
}

static struct fth_run_accesses accesses;
static bool before[MOST_OPERATIONS][MOST_OPERATIONS];
static uint64_t cut_at[MOST_OPERATIONS];
/* The calls of a situation, by their bytes. */
static bool calls[MOST_OPERATIONS][4][PLACES];
static size_t call_count[MOST_OPERATIONS];
static uint64_t found[MOST_OPERATIONS][MOST_OPERATIONS];

enum fth_precedence fth_judge_precedence(struct fth_judge *judge, const struct fth_situation *a,
                                         const struct fth_situation *b)
{
    size_t one = (size_t)(a - accesses.situations), other = (size_t)(b - accesses.situations);
    (void)judge;
    if (before[one][other])
        return FTH_FIRST_IS_FIRST;
    return before[other][one] ? FTH_SECOND_IS_FIRST : FTH_UNORDERED_PAIR;
}

static void add_pieces(uint32_t i)
{
    struct fth_series series = {below(15), 1 + below(4), 5 + below(5), 1 + below(3), below(2)};
    if (below(2)) {
        struct fth_access_range range = {series.start, series.length, i, 0};
        FTH_GROW(accesses.ranges, accesses.range_count);
        accesses.ranges[accesses.range_count++] = range;
        memset(&calls[i][call_count[i]++][series.start], 1, series.length);
        return;
    }
    FTH_GROW(accesses.series, accesses.series_count);
    accesses.series[accesses.series_count++] = (struct fth_access_series){series, i, 0};
    for (uint64_t k = 0; k < series.count; k++) {
        size_t call = series.one_call ? 0 : k;
        memset(&calls[i][call][series.start + k * series.stride], 1, series.length);
    }
    call_count[i] = series.one_call ? 1 : series.count;
}

static void make_run(uint32_t count)
{
    memset(&accesses, 0, sizeof accesses);
    memset(before, 0, sizeof before);
    memset(calls, 0, sizeof calls);
    memset(call_count, 0, sizeof call_count);
    memset(found, 0, sizeof found);
    accesses.situations = fth_new(count, sizeof *accesses.situations);
    accesses.situation_count = count;
    for (uint32_t i = 0; i < count; i++) {
        bool cuts = below(3) > 0;
        accesses.situations[i] = (struct fth_situation){.proc = below(PROCESSES),
                                                        .layer = LAYER,
                                                        .writes = true,
                                                        .removes = cuts,
                                                        .cuts = cuts,
                                                        .first_call = i};
        for (uint32_t j = 0; j < i; j++)
            before[j][i] =
                accesses.situations[j].proc == accesses.situations[i].proc || below(6) == 0;
        if (!cuts) {
            add_pieces(i);
            continue;
        }
        cut_at[i] = below(30);
        FTH_GROW(accesses.ranges, accesses.range_count);
        accesses.ranges[accesses.range_count++] =
            (struct fth_access_range){cut_at[i], FTH_ENDLESS - cut_at[i], i, 0};
    }
    for (uint32_t middle = 0; middle < count; middle++)
        for (uint32_t i = 0; i < middle; i++)
            for (uint32_t j = middle + 1; j < count; j++)
                before[i][j] |= before[i][middle] && before[middle][j];
}

static void take(void *context, const struct fth_conflict *conflict)
{
    (void)context;
    assert_true(conflict->start < conflict->end);
    found[conflict->a][conflict->b] += conflict->pairs;
}

/* Does another cut of the same process, nearer to the access than this one, take what this one
 * might? Returns where that begins. */
static uint64_t taken_by_nearer(uint32_t access, uint32_t cut, uint32_t count)
{
    uint64_t taken = PLACES;
    for (uint32_t i = 0; i < count; i++) {
        bool nearer =
            accesses.situations[i].cuts &&
            accesses.situations[i].proc == accesses.situations[cut].proc &&
            ((before[cut][i] && before[i][access]) || (before[access][i] && before[i][cut]));
        if (nearer && cut_at[i] < taken)
            taken = cut_at[i];
    }
    return taken;
}

static uint64_t expected(uint32_t access, uint32_t cut, uint32_t count)
{
    uint64_t pairs = 0, taken = taken_by_nearer(access, cut, count);
    for (size_t i = 0; i < call_count[access]; i++) {
        bool meets = false;
        for (uint64_t at = cut_at[cut]; at < taken; at++)
            meets |= calls[access][i][at];
        pairs += meets;
    }
    return pairs;
}

static void test_random(void **unused)
{
    (void)unused;
    uint64_t all = 0;
    for (int number = 0; number < RUNS; number++) {
        uint32_t count = 2 + below(MOST_OPERATIONS - 1);
        make_run(count);
        struct fth_cuts *cuts = fth_cuts_new(&accesses, 1, 1 << LAYER);
        for (size_t slice = 0; cuts && slice < fth_cuts_slices(cuts); slice++)
            fth_cuts_find(cuts, NULL, slice, take, NULL);
        fth_cuts_free(cuts);
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t c = 0; c < count; c++) {
                bool are_two = !accesses.situations[a].cuts && accesses.situations[c].cuts &&
                               accesses.situations[a].proc != accesses.situations[c].proc;
                uint64_t pairs = are_two ? expected(a, c, count) : 0;
                if (found[a][c] != pairs)
                    fail_msg("run %d: access %u and cut %u: %lu pairs, not %lu", number, a, c,
                             found[a][c], pairs);
                all += pairs;
            }
        fth_run_accesses_free(&accesses);
    }
    assert_true(all > RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
