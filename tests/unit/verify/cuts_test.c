/* What calls that cut a file off take from others: cases by hand, then thousands of random small
 * runs, held against every pair. */
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
static bool asked_for[MOST_OPERATIONS][MOST_OPERATIONS];

enum fth_precedence fth_judge_precedence(struct fth_judge *judge, const struct fth_situation *a,
                                         const struct fth_situation *b)
{
    size_t one = (size_t)(a - accesses.situations), other = (size_t)(b - accesses.situations);
    (void)judge;
    if (before[one][other])
        return FTH_FIRST_IS_FIRST;
    return before[other][one] ? FTH_SECOND_IS_FIRST : FTH_UNORDERED_PAIR;
}

static void begin_run(uint32_t count)
{
    memset(&accesses, 0, sizeof accesses);
    memset(before, 0, sizeof before);
    memset(calls, 0, sizeof calls);
    memset(call_count, 0, sizeof call_count);
    memset(found, 0, sizeof found);
    accesses.situations = fth_new(count, sizeof *accesses.situations);
    accesses.situation_count = count;
    for (uint32_t i = 0; i < count; i++)
        accesses.situations[i] = (struct fth_situation){
            .layer = LAYER, .handle = FTH_NO_OPENING, .writes = true, .first_call = i, .start = i};
}

static void add_range(uint32_t situation, uint64_t start, uint64_t length)
{
    FTH_GROW(accesses.ranges, accesses.range_count);
    accesses.ranges[accesses.range_count++] =
        (struct fth_access_range){start, length, situation, 0};
}

static void add_write(uint32_t i, uint32_t proc, uint64_t start, uint64_t length)
{
    accesses.situations[i].proc = proc;
    add_range(i, start, length);
    memset(&calls[i][call_count[i]++][start], 1, length);
}

static void add_series(uint32_t i, uint32_t proc, struct fth_series series)
{
    accesses.situations[i].proc = proc;
    FTH_GROW(accesses.series, accesses.series_count);
    accesses.series[accesses.series_count++] = (struct fth_access_series){series, i, 0};
    for (uint64_t k = 0; k < series.count; k++) {
        size_t call = series.one_call ? 0 : k;
        memset(&calls[i][call][series.start + k * series.stride], 1, series.length);
    }
    call_count[i] = series.one_call ? 1 : series.count;
}

static void add_cut(uint32_t i, uint32_t proc, uint64_t at)
{
    accesses.situations[i].proc = proc;
    accesses.situations[i].removes = accesses.situations[i].cuts = true;
    accesses.situations[i].cut_at = cut_at[i] = at;
    add_range(i, at, FTH_ENDLESS - at);
}

static void close_transitively(void)
{
    size_t count = accesses.situation_count;
    for (size_t middle = 0; middle < count; middle++)
        for (size_t i = 0; i < middle; i++)
            for (size_t j = middle + 1; j < count; j++)
                before[i][j] |= before[i][middle] && before[middle][j];
}

static void take(void *context, const struct fth_conflict *conflict)
{
    (void)context;
    assert_true(conflict->start < conflict->end);
    found[conflict->a][conflict->b] += conflict->pairs;
}

static void note_asked(void *context, uint32_t a, uint32_t b, bool ordered)
{
    (void)context;
    assert_false(ordered);
    asked_for[a][b] = true;
}

static void find_all(bool in_runs)
{
    struct fth_cuts *cuts = fth_cuts_new(&accesses, 1, 1 << LAYER);
    struct fth_cuts_asked asked = {.take = take, .violates = note_asked, .in_runs = in_runs};
    memset(found, 0, sizeof found);
    memset(asked_for, 0, sizeof asked_for);
    for (size_t slice = 0; cuts && slice < fth_cuts_slices(cuts); slice++)
        fth_cuts_find(cuts, &asked, slice);
    fth_cuts_free(cuts);
}

/* ---- cases by hand ---- */

enum { WRITES_FIRST, CUTS, CUTS_AGAIN };

static void a_cut_takes_what_is_behind_it(void **unused)
{
    (void)unused;
    begin_run(2);
    add_write(WRITES_FIRST, 0, 0, 10);
    add_cut(CUTS, 1, 9);
    find_all(false);
    assert_int_equal(found[WRITES_FIRST][CUTS], 1);
    fth_run_accesses_free(&accesses);
}

static void what_is_before_it_stays(void **unused)
{
    (void)unused;
    begin_run(2);
    add_write(WRITES_FIRST, 0, 0, 10);
    add_cut(CUTS, 1, 10);
    find_all(false);
    assert_int_equal(found[WRITES_FIRST][CUTS], 0);
    fth_run_accesses_free(&accesses);
}

static void its_own_process_is_none_of_a_pair(void **unused)
{
    (void)unused;
    begin_run(2);
    add_write(WRITES_FIRST, 0, 0, 10);
    add_cut(CUTS, 0, 0);
    before[WRITES_FIRST][CUTS] = true;
    find_all(false);
    assert_int_equal(found[WRITES_FIRST][CUTS], 0);
    fth_run_accesses_free(&accesses);
}

/* A write, a cut at 5 and a cut at 0, one behind the other: the second cut takes what the first one
 * left. */
static void what_one_took_no_other_one_takes(void **unused)
{
    (void)unused;
    for (int below_the_first = 0; below_the_first < 2; below_the_first++) {
        begin_run(3);
        add_write(WRITES_FIRST, 0, below_the_first ? 0 : 6, 4);
        add_cut(CUTS, 1, 5);
        add_cut(CUTS_AGAIN, 1, 0);
        before[WRITES_FIRST][CUTS] = before[CUTS][CUTS_AGAIN] = true;
        close_transitively();
        find_all(false);
        assert_int_equal(found[WRITES_FIRST][CUTS], !below_the_first);
        assert_int_equal(found[WRITES_FIRST][CUTS_AGAIN], below_the_first);
        fth_run_accesses_free(&accesses);
    }
}

/* In no order with either cut, the write may have met both. */
static void without_an_order_it_meets_both(void **unused)
{
    (void)unused;
    begin_run(3);
    add_write(WRITES_FIRST, 0, 6, 4);
    add_cut(CUTS, 1, 5);
    add_cut(CUTS_AGAIN, 1, 0);
    before[CUTS][CUTS_AGAIN] = true;
    find_all(false);
    assert_int_equal(found[WRITES_FIRST][CUTS], 1);
    assert_int_equal(found[WRITES_FIRST][CUTS_AGAIN], 1);
    fth_run_accesses_free(&accesses);
}

/* ---- random ones ---- */

static void add_pieces(uint32_t i, uint32_t proc)
{
    struct fth_series series = {below(15), 1 + below(4), 5 + below(5), 1 + below(3), below(2)};
    if (below(2))
        add_write(i, proc, series.start, series.length);
    else
        add_series(i, proc, series);
}

static void make_run(uint32_t count)
{
    begin_run(count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t proc = below(PROCESSES);
        if (below(3) > 0)
            add_cut(i, proc, below(30));
        else
            add_pieces(i, proc);
        for (uint32_t j = 0; j < i; j++)
            before[j][i] = accesses.situations[j].proc == proc || below(6) == 0;
    }
    close_transitively();
}

static void print_run(void)
{
    for (uint32_t i = 0; i < accesses.situation_count; i++) {
        print_message("%u: process %u", i, accesses.situations[i].proc);
        if (accesses.situations[i].cuts)
            print_message(" cuts at %lu", cut_at[i]);
        for (size_t k = 0; k < call_count[i]; k++) {
            print_message(k ? " and" : " writes");
            for (uint32_t at = 0; at < PLACES; at++)
                if (calls[i][k][at])
                    print_message(" %u", at);
        }
        print_message("; behind");
        for (uint32_t j = 0; j < i; j++)
            if (before[j][i])
                print_message(" %u", j);
        print_message("\n");
    }
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

/* Two cuts in no order, once, where not all of the file leave the same length. */
static bool are_two_cuts(uint32_t a, uint32_t c, uint32_t count)
{
    bool differ = false;
    for (uint32_t i = 0; i < count; i++)
        differ |= accesses.situations[i].cuts && cut_at[i] != cut_at[c];
    return accesses.situations[a].cuts && accesses.situations[c].cuts && differ &&
           accesses.situations[a].proc < accesses.situations[c].proc && !before[a][c] &&
           !before[c][a];
}

static uint64_t pairs_of(uint32_t a, uint32_t c, uint32_t count)
{
    bool are_two = !accesses.situations[a].cuts && accesses.situations[c].cuts &&
                   accesses.situations[a].proc != accesses.situations[c].proc;
    return are_two ? expected(a, c, count) : are_two_cuts(a, c, count);
}

static void test_random(void **unused)
{
    (void)unused;
    uint64_t all = 0;
    for (int number = 0; number < RUNS; number++) {
        uint32_t count = 2 + below(MOST_OPERATIONS - 1);
        make_run(count);
        find_all(false);
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t c = 0; c < count; c++) {
                uint64_t pairs = pairs_of(a, c, count);
                if (found[a][c] != pairs) {
                    print_run();
                    fail_msg("run %d: access %u and cut %u: %lu pairs, not %lu", number, a, c,
                             found[a][c], pairs);
                }
                all += pairs;
            }
        fth_run_accesses_free(&accesses);
    }
    assert_true(all > RUNS);
}

/* Of an access and the cuts of a process, on either side of it in time: as many pairs, and the
 * first one of them has some; of pairs that come together it is asked for the first one and the
 * last one. */
static uint64_t check_side(uint32_t a, uint32_t proc, uint32_t from, uint32_t to, uint32_t count)
{
    uint64_t sum = 0, wanted = 0, together = 0;
    uint32_t first = UINT32_MAX, first_wanted = UINT32_MAX, last_wanted = UINT32_MAX;
    for (uint32_t c = from; c < to; c++) {
        bool as_long = accesses.situations[a].cuts && cut_at[a] == cut_at[c];
        uint64_t pairs = accesses.situations[c].proc != proc || as_long ? 0 : pairs_of(a, c, count);
        uint64_t said = accesses.situations[c].proc != proc || as_long ? 0 : found[a][c];
        first_wanted = pairs && first_wanted == UINT32_MAX ? c : first_wanted;
        first = said && first == UINT32_MAX ? c : first;
        last_wanted = pairs ? c : last_wanted;
        together += said > pairs;
        assert_true(said <= pairs || asked_for[a][c]);
        assert_true(pairs || (!said && (!asked_for[a][c] || accesses.situations[c].proc != proc)));
        wanted += pairs;
        sum += said;
    }
    assert_int_equal(sum, wanted);
    assert_int_equal(first, first_wanted);
    assert_true(!wanted || found[a][last_wanted] || asked_for[a][last_wanted]);
    return together;
}

static void runs_are_their_pairs(void **unused)
{
    (void)unused;
    uint64_t together = 0;
    for (int number = 0; number < RUNS; number++) {
        uint32_t count = 2 + below(MOST_OPERATIONS - 1);
        make_run(count);
        find_all(true);
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t proc = 0; proc < PROCESSES; proc++)
                together += check_side(a, proc, 0, a, count) + check_side(a, proc, a, count, count);
        fth_run_accesses_free(&accesses);
    }
    assert_true(together > RUNS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_takes_what_is_behind_it),
        cmocka_unit_test(what_is_before_it_stays),
        cmocka_unit_test(its_own_process_is_none_of_a_pair),
        cmocka_unit_test(what_one_took_no_other_one_takes),
        cmocka_unit_test(without_an_order_it_meets_both),
        cmocka_unit_test(test_random),
        cmocka_unit_test(runs_are_their_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
