/* How long files were, of thousands of random runs, held against the definition: what one change
 * left, but for cuts that may have come between, for each pair of them. */
#include "verify/gather/file_lengths.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 20000, MOST_CHANGES = 24, THREADS = 4, MOST_STEPS = MOST_CHANGES + 2 };

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % limit);
}

/* By thread and step: up to which steps of the others it knows. */
static uint32_t known[THREADS][MOST_STEPS][THREADS];
static uint32_t step[THREADS];

bool fth_runs_before(const struct fth_runs *runs, struct fth_moment a, struct fth_moment b)
{
    (void)runs;
    return known[b.timeline][b.step][a.timeline] > a.step;
}

/* A step of a thread, which perhaps knows what another one knows. */
static void go_on(uint32_t thread)
{
    uint32_t other = below(THREADS), now = ++step[thread];
    memcpy(known[thread][now], known[thread][now - 1], sizeof known[thread][now]);
    known[thread][now][thread] = now;
    for (uint32_t i = 0; i < THREADS && below(2); i++)
        if (known[other][step[other]][i] > known[thread][now][i])
            known[thread][now][i] = known[other][step[other]][i];
}

static struct fth_situation situations[MOST_CHANGES];
static struct fth_length_change changes[MOST_CHANGES];

static void make_run(size_t count)
{
    memset(known, 0, sizeof known);
    memset(step, 0, sizeof step);
    for (size_t i = 0; i < count; i++) {
        uint32_t thread = below(THREADS);
        if (below(3))
            go_on(thread);
        uint64_t length = below(12);
        situations[i] = (struct fth_situation){.proc = thread / 2,
                                               .thread = thread % 2,
                                               .first_call = i,
                                               .begin = {thread, step[thread]},
                                               .end = {thread, step[thread]},
                                               .cuts = below(3) == 0,
                                               .cut_at = length};
        changes[i] = (struct fth_length_change){.situation = (uint32_t)i, .length = length};
    }
    /* some go on until later, or nobody knows until when */
    for (size_t i = 0; i < count; i++)
        if (below(6) == 0)
            situations[i].end.step = below(3) ? step[situations[i].end.timeline] + 1 : FTH_NEVER;
}

static bool is_before(size_t a, size_t b)
{
    return fth_situation_is_before(NULL, &situations[a], &situations[b]);
}

/* By the definition. */
static uint64_t length_at(uint64_t first, size_t change, size_t count, bool *was_cut)
{
    uint64_t longest = first;
    *was_cut = false;
    for (size_t j = 0; j < count; j++)
        if (situations[j].cuts && changes[j].length < longest && !is_before(change, j))
            longest = changes[j].length;
    for (size_t i = 0; i < count; i++) {
        if (!is_before(i, change))
            continue;
        uint64_t left = changes[i].length;
        *was_cut |= situations[i].cuts;
        for (size_t j = 0; j < count; j++)
            if (situations[j].cuts && changes[j].length < left && !is_before(j, i) &&
                !is_before(change, j))
                left = changes[j].length;
        longest = left > longest ? left : longest;
    }
    return longest;
}

static void random_runs_are_as_defined(void **context)
{
    (void)context;
    struct fth_run_accesses accesses = {.situations = situations};
    size_t not_empty = 0, cut = 0;
    for (int run = 0; run < RUNS; run++) {
        size_t count = 1 + below(MOST_CHANGES);
        make_run(count);
        accesses.situation_count = count;
        uint64_t first = below(2) ? below(12) : 0;
        fth_file_lengths_find(&accesses, NULL, first, changes, count);
        for (uint32_t i = 0; i < count; i++) {
            bool was_cut;
            assert_int_equal(changes[i].before, length_at(first, i, count, &was_cut));
            assert_int_equal(changes[i].was_cut, was_cut);
            not_empty += changes[i].before > 0;
            cut += was_cut;
        }
    }
    assert_true(not_empty > RUNS && cut > RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_runs_are_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
