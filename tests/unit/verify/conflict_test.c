/* Conflicts found by sweeping: cases by hand, then random ones, held against every access with
 * every access. */
#include "verify/compare/conflict.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SITUATIONS = 6, MOST_CALLS = 400, PLACES = 300 };

static uint64_t state = 88172645463325252u;
static uint64_t below(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

/* A call, by the bytes that it accesses. */
struct call {
    uint32_t situation;
    bool bytes[PLACES];
};

static struct call calls[MOST_CALLS];
static size_t call_count;
static struct fth_run_accesses accesses;
static uint64_t found[SITUATIONS][SITUATIONS];

static struct call *add_call(uint32_t situation)
{
    struct call *call = &calls[call_count++];
    memset(call, 0, sizeof *call);
    call->situation = situation;
    return call;
}

static void add_range(uint32_t situation, uint64_t start, uint64_t length)
{
    memset(&add_call(situation)->bytes[start], 1, length);
    FTH_GROW(accesses.ranges, accesses.range_count);
    accesses.ranges[accesses.range_count++] =
        (struct fth_access_range){start, length, situation, (uint32_t)call_count};
}

/* Several calls to all bytes from a place on. */
static void add_endless(uint32_t situation, uint64_t start, uint64_t times, bool as_series)
{
    for (uint64_t i = 0; i < times; i++)
        memset(&add_call(situation)->bytes[start], 1, PLACES - start);
    if (as_series) {
        struct fth_series series = {start, FTH_ENDLESS - start, 0, times, false};
        FTH_GROW(accesses.series, accesses.series_count);
        accesses.series[accesses.series_count++] = (struct fth_access_series){series, situation, 0};
        return;
    }
    while (times--) {
        FTH_GROW(accesses.ranges, accesses.range_count);
        accesses.ranges[accesses.range_count++] =
            (struct fth_access_range){start, FTH_ENDLESS - start, situation, (uint32_t)times};
    }
}

/* Calls at equal distances; of one call that is there: pieces of it. */
static void add_series(uint32_t situation, uint32_t number, struct fth_series series,
                       struct call *whole)
{
    for (uint64_t i = 0; i < series.count; i++) {
        struct call *call = whole ? whole : add_call(situation);
        memset(&call->bytes[series.start + i * series.stride], 1, series.length);
    }
    FTH_GROW(accesses.series, accesses.series_count);
    accesses.series[accesses.series_count++] =
        (struct fth_access_series){series, situation, number};
}

static void take(void *context, const struct fth_conflict *conflict)
{
    (void)context;
    assert_true(conflict->a <= conflict->b);
    assert_true(conflict->start < conflict->end);
    found[conflict->a][conflict->b] += conflict->pairs;
}

static bool meet(const struct call *a, const struct call *b)
{
    for (size_t i = 0; i < PLACES; i++)
        if (a->bytes[i] && b->bytes[i])
            return true;
    return false;
}

static void print_calls(void)
{
    for (size_t i = 0; i < call_count; i++) {
        uint32_t situation = calls[i].situation;
        print_message("a call of situation %u, which %s:", situation,
                      accesses.situations[situation].writes ? "writes" : "reads");
        for (size_t from = 0, to; from < PLACES; from = to) {
            for (to = from + 1; to < PLACES && calls[i].bytes[to] == calls[i].bytes[from]; to++)
                ;
            if (calls[i].bytes[from])
                print_message(" %zu to %zu", from, to - 1);
        }
        print_message("\n");
    }
}

static bool is_room(size_t situation)
{
    return accesses.situations[situation].region == FTH_REGION_ROOM;
}

static bool finds_end(size_t situation)
{
    return !accesses.situations[situation].writes && accesses.situations[situation].found_end;
}

/* Room makes a pair only with who finds the end of the file: others may be left out. */
static bool may_be_left_out(size_t a, size_t b)
{
    return (is_room(a) && !finds_end(b)) || (is_room(b) && !finds_end(a));
}

static void check(int turn)
{
    uint64_t expected[SITUATIONS][SITUATIONS] = {{0}};
    for (size_t i = 0; i < call_count; i++)
        for (size_t j = i + 1; j < call_count; j++) {
            uint32_t a = calls[i].situation, b = calls[j].situation;
            if ((accesses.situations[a].writes || accesses.situations[b].writes) &&
                meet(&calls[i], &calls[j]))
                expected[a < b ? a : b][a < b ? b : a]++;
        }
    for (size_t i = 0; i < SITUATIONS; i++)
        for (size_t j = 0; j < SITUATIONS; j++)
            if (found[i][j] != expected[i][j] && !may_be_left_out(i, j)) {
                print_calls();
                fail_msg("turn %d, situations %zu and %zu: %lu pairs, not %lu", turn, i, j,
                         found[i][j], expected[i][j]);
            }
}

static void begin(void)
{
    memset(found, 0, sizeof found);
    memset(&accesses, 0, sizeof accesses);
    call_count = 0;
    accesses.situations = fth_new(SITUATIONS, sizeof *accesses.situations);
    accesses.situation_count = SITUATIONS;
}

/* Pair by pair. */
static void take_rows(void *context, const struct fth_conflict_rows *rows)
{
    for (size_t i = 0; i < rows->a.count; i++)
        for (size_t k = rows->a.units == rows->b.units ? i + 1 : 0; k < rows->b.count; k++) {
            const struct fth_sweep_unit *one = &rows->a.units[i], *other = &rows->b.units[k];
            bool is_first = one->situation < other->situation;
            take(context, &(struct fth_conflict){.a = is_first ? one->situation : other->situation,
                                                 .b = is_first ? other->situation : one->situation,
                                                 .pairs = one->times * other->times,
                                                 .start = rows->start,
                                                 .end = rows->end});
        }
}

/* Returns how many slices they were found in. */
static size_t find_all(void)
{
    struct fth_conflict_listener listener = {take, take_rows, NULL, false};
    struct fth_conflict_files *files = fth_conflict_files_new(&accesses, 1, 1);
    struct fth_conflict_file *file = fth_conflict_file_open(files, 0);
    size_t slices = fth_conflict_slices(file);
    for (size_t slice = slices; slice > 0; slice--) /* in any order */
        fth_conflict_find(file, slice - 1, &listener);
    fth_conflict_file_close(file);
    fth_conflict_files_free(files);
    return slices;
}

/* ---- cases by hand ---- */

enum { WRITER, READER, OTHER_READER };

static void begin_case(void)
{
    begin();
    accesses.situations[WRITER].writes = true;
}

static void end_case(void)
{
    fth_run_accesses_free(&accesses);
}

static void one_byte_in_common(void **unused)
{
    (void)unused;
    begin_case();
    add_range(WRITER, 0, 10);
    add_range(READER, 9, 10);
    find_all();
    assert_int_equal(found[WRITER][READER], 1);
    end_case();
}

static void neighbours_have_none(void **unused)
{
    (void)unused;
    begin_case();
    add_range(WRITER, 0, 10);
    add_range(READER, 10, 10);
    find_all();
    assert_int_equal(found[WRITER][READER], 0);
    end_case();
}

static void who_only_reads_is_in_nobodys_way(void **unused)
{
    (void)unused;
    begin_case();
    add_range(READER, 0, 10);
    add_range(OTHER_READER, 0, 10);
    find_all();
    assert_int_equal(found[READER][OTHER_READER], 0);
    end_case();
}

static void a_call_in_pieces_meets_once(void **unused)
{
    (void)unused;
    begin_case();
    add_series(READER, 1, (struct fth_series){0, 4, 10, 3, true}, add_call(READER));
    add_range(WRITER, 0, 30);
    find_all();
    assert_int_equal(found[WRITER][READER], 1);
    end_case();
}

/* Three calls, at 0, 10 and 20; what is between them is not theirs. */
static void calls_at_equal_distances_meet_one_by_one(void **unused)
{
    (void)unused;
    begin_case();
    add_series(READER, 1, (struct fth_series){0, 4, 10, 3, false}, NULL);
    add_range(WRITER, 4, 6);
    add_range(WRITER, 12, 9);
    find_all();
    assert_int_equal(found[WRITER][READER], 2);
    end_case();
}

static void to_the_end_of_the_file(void **unused)
{
    (void)unused;
    begin_case();
    add_endless(WRITER, 100, 2, true);
    add_range(READER, 99, 1);
    add_range(READER, 250, 1);
    find_all();
    assert_int_equal(found[WRITER][READER], 2);
    assert_int_equal(found[WRITER][WRITER], 1);
    end_case();
}

/* ---- random ones ---- */

static struct fth_series draw_series(bool one_call)
{
    struct fth_series series = {below(100), 1 + below(10), below(20), 1 + below(8), one_call};
    if (one_call && series.stride < series.length)
        series.stride = series.length + 1;
    return series;
}

static void test_random(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 3000; turn++) {
        begin();
        for (size_t i = 0; i < SITUATIONS; i++) {
            bool room = below(6) == 0;
            accesses.situations[i].writes = room || below(2);
            accesses.situations[i].region = room ? FTH_REGION_ROOM : FTH_REGION_BYTES;
            accesses.situations[i].found_end = below(2);
        }
        for (uint64_t i = 0, count = below(25); i < count; i++) {
            uint32_t situation = (uint32_t)below(SITUATIONS);
            uint64_t start, pieces;
            struct call *whole;
            switch (is_room(situation) ? 2 : below(5)) {
            case 0:
                add_series(situation, (uint32_t)i, draw_series(false), NULL);
                break;
            case 1:
                whole = add_call(situation);
                for (pieces = 1 + below(4); pieces > 0; pieces--)
                    add_series(situation, (uint32_t)call_count + 10000, draw_series(true), whole);
                break;
            case 2:
                start = below(PLACES - 1);
                add_endless(situation, start, 1 + below(4), below(2));
                break;
            default:
                start = below(200);
                add_range(situation, start, 1 + below(40));
            }
        }
        find_all();
        check(turn);
        fth_run_accesses_free(&accesses);
    }
}

/* So many ranges of two bytes that they are cut into slices: what starts at p meets what starts at
 * p - 1, p and p + 1. */
enum { STARTS = 30000, RANGES = 100000 };

static void test_slices(void **unused)
{
    static uint64_t starting[SITUATIONS][STARTS + 1];
    (void)unused;
    memset(starting, 0, sizeof starting);
    begin();
    accesses.situations[0].writes = true;
    accesses.situations[1].writes = false;
    for (uint32_t i = 0; i < RANGES; i++) {
        struct fth_access_range range = {below(STARTS), 2, (uint32_t)below(SITUATIONS), i};
        FTH_GROW(accesses.ranges, accesses.range_count);
        accesses.ranges[accesses.range_count++] = range;
        starting[range.situation][range.start]++;
    }
    assert_true(find_all() > 3);
    for (size_t a = 0; a < SITUATIONS; a++)
        for (size_t b = a; b < SITUATIONS; b++) {
            uint64_t expected = 0;
            for (size_t p = 0; p < STARTS; p++) {
                const uint64_t *one = &starting[a][p], *other = &starting[b][p];
                expected += a == b ? *one * (*one - 1) / 2 + *one * one[1]
                                   : *one * (*other + other[1]) + one[1] * *other;
            }
            if (!accesses.situations[a].writes && !accesses.situations[b].writes)
                expected = 0;
            assert_int_equal(found[a][b], expected);
        }
    fth_run_accesses_free(&accesses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_byte_in_common),
        cmocka_unit_test(neighbours_have_none),
        cmocka_unit_test(who_only_reads_is_in_nobodys_way),
        cmocka_unit_test(a_call_in_pieces_meets_once),
        cmocka_unit_test(calls_at_equal_distances_meet_one_by_one),
        cmocka_unit_test(to_the_end_of_the_file),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
