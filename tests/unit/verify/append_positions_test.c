/* Where writes to the end of a file come to: cases by hand, then thousands of random small runs,
 * held against all orders in which they may have happened. */
#include "verify/compare/conflict.h"
#include "verify/gather/append_positions.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 4000, MOST_OPERATIONS = 7, PROCESSES = 3, LAYER = 1 };

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % limit);
}

/* ---- a run: what processes do to one file, and what came before what ---- */

enum kind { READ, WRITE, CUT, APPEND, KINDS };

struct operation {
    enum kind kind;
    uint32_t proc;
    uint64_t start, length; /* of an append only the length */
    uint64_t observed;      /* of an append: where it went in one of these orders, + 1; or 0 */
    /* over all orders: */
    uint64_t least, most;
};

static struct operation done[MOST_OPERATIONS];
static int count;
static bool before[MOST_OPERATIONS][MOST_OPERATIONS];
static bool met[MOST_OPERATIONS]
               [MOST_OPERATIONS]; /* in one of the orders they had a byte in common */
static struct fth_run_accesses accesses;
static bool
    /* how long the file was before is the same in all orders, and appends show where they went in
     * one of them */
    is_observed;
static uint64_t length_before;
static uint64_t orders; /* played */

/* Moments have the number of the operation as their step. */
bool fth_runs_before(const struct fth_runs *runs, struct fth_moment a, struct fth_moment b)
{
    (void)runs;
    return before[a.step][b.step];
}

static void make_run(void)
{
    count = 2 + (int)below(MOST_OPERATIONS - 1);
    memset(before, 0, sizeof before);
    memset(met, 0, sizeof met);
    for (int i = 0; i < count; i++) {
        done[i] = (struct operation){.kind = below(KINDS + 1),
                                     .proc = below(PROCESSES),
                                     .start = below(12),
                                     .length = 1 + below(6),
                                     .least = UINT64_MAX};
        if (done[i].kind == KINDS || below(3) == 0)
            done[i].kind = APPEND;
        for (int j = 0; j < i; j++)
            before[j][i] = done[j].proc == done[i].proc || below(3) == 0;
    }
    if (below(2)) { /* as most programs begin */
        done[0].kind = CUT;
        for (int i = 1; i < count; i++)
            before[0][i] = true;
    }
    for (int middle = 0; middle < count; middle++)
        for (int i = 0; i < middle; i++)
            for (int j = middle + 1; j < count; j++)
                before[i][j] |= before[i][middle] && before[middle][j];
}

/* ---- by definition: in every order ---- */

/* One of all orders is the one that was seen, each of them with the same likelihood. */
static void observe(const uint64_t *start)
{
    if (below((uint32_t)++orders))
        return;
    for (int i = 0; i < count; i++)
        done[i].observed = done[i].kind == APPEND && (i + count) % 3 ? start[i] + 1 : 0;
}

static void play(const int *order, uint64_t length)
{
    uint64_t start[MOST_OPERATIONS], end[MOST_OPERATIONS];
    for (int i = 0; i < count; i++) {
        struct operation *operation = &done[order[i]];
        uint64_t from = operation->kind == APPEND ? length : operation->start;
        start[order[i]] = from;
        end[order[i]] = operation->kind == CUT ? UINT64_MAX : from + operation->length;
        if (operation->kind == CUT)
            length = operation->start;
        else if (operation->kind != READ && from + operation->length > length)
            length = from + operation->length;
        operation->least = from < operation->least ? from : operation->least;
        operation->most = from > operation->most ? from : operation->most;
    }
    if (is_observed)
        observe(start);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            met[i][j] |= start[i] < end[j] && start[j] < end[i];
}

static void play_all(int *order, int placed, unsigned used)
{
    if (placed == count) {
        play(order, is_observed ? length_before : 0);
        if (!is_observed) /* how long it was before is not known */
            play(order, 5);
        return;
    }
    for (int i = 0; i < count; i++) {
        bool may_come = !(used >> i & 1);
        for (int j = 0; j < count && may_come; j++)
            may_come = !before[j][i] || used >> j & 1;
        order[placed] = i;
        if (may_come)
            play_all(order, placed + 1, used | 1u << i);
    }
}

/* ---- as it is gathered ---- */

static void gather(void)
{
    memset(&accesses, 0, sizeof accesses);
    for (int i = 0; i < count; i++) {
        const struct operation *operation = &done[i];
        bool appends = operation->kind == APPEND;
        FTH_GROW(accesses.situations, accesses.situation_count);
        accesses.situations[accesses.situation_count++] = (struct fth_situation){
            .proc = operation->proc,
            .layer = LAYER,
            .region = appends ? FTH_REGION_APPENDED : FTH_REGION_BYTES,
            .writes = operation->kind != READ,
            .removes = operation->kind == CUT,
            .begin = {operation->proc, (uint32_t)i},
            .end = {operation->proc, (uint32_t)i},
            .carrier = FTH_NO_CALL,
            .first_call = (uint64_t)i,
            .last_call = (uint64_t)i,
            .appended = appends ? operation->length : 0,
            .observed = operation->observed,
        };
        struct fth_access_range range = {appends ? 0 : operation->start, operation->length,
                                         (uint32_t)i, 0};
        if (operation->kind == CUT)
            range.length = FTH_ENDLESS - range.start;
        FTH_GROW(accesses.ranges, accesses.range_count);
        accesses.ranges[accesses.range_count++] = range;
    }
}

/* ---- one against the other ---- */

static int pairs[MOST_OPERATIONS][MOST_OPERATIONS];

/* Situations that were added stand for the ends that appends found: of those in the order of the
 * appends. */
static int operation_of(uint32_t situation)
{
    int end = (int)situation - count;
    if (end < 0)
        return (int)situation;
    for (int i = 0; i < count; i++)
        if (done[i].kind == APPEND && end-- == 0)
            return i;
    fail_msg("a situation of nobody");
    return 0;
}

static void take(void *context, const struct fth_conflict *conflict)
{
    int a = operation_of(conflict->a), b = operation_of(conflict->b);
    enum fth_precedence precedence = before[a][b]   ? FTH_FIRST_IS_FIRST
                                     : before[b][a] ? FTH_SECOND_IS_FIRST
                                                    : FTH_UNORDERED_PAIR;
    (void)context;
    if (!fth_append_positions_is_pair(&accesses.situations[conflict->a],
                                      &accesses.situations[conflict->b], precedence))
        return;
    pairs[a][b] += (int)conflict->pairs;
    pairs[b][a] += (int)conflict->pairs;
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

static void find_pairs(void)
{
    memset(pairs, 0, sizeof pairs);
    struct fth_conflict_listener listener = {take, take_rows, NULL, false};
    struct fth_conflict_files *files = fth_conflict_files_new(&accesses, 1, 1 << LAYER);
    struct fth_conflict_file *file = fth_conflict_file_open(files, 0);
    for (size_t slice = 0; slice < fth_conflict_slices(file); slice++)
        fth_conflict_find(file, slice, &listener);
    fth_conflict_file_close(file);
    fth_conflict_files_free(files);
}

/* A plain write has none in how long the file is where that was longer before, and nothing cuts it
 * off by then. */
static bool has_part(const struct operation *operation, int append)
{
    if (operation->kind != WRITE || !is_observed)
        return operation->kind != READ;
    for (int i = 0; i < count; i++)
        if (done[i].kind == CUT && !before[append][i])
            return true;
    return operation->start + operation->length > length_before;
}

static void print_run(int number)
{
    static const char *const kinds[] = {
        [READ] = "reads", [WRITE] = "writes", [CUT] = "cuts off", [APPEND] = "appends"};
    print_error("run %d, of a file of %s\n", number,
                is_observed ? "a length that all orders begin with" : "any length");
    for (int i = 0; i < count; i++) {
        const struct operation *operation = &done[i];
        print_error("  operation %d: process %u %s", i, operation->proc, kinds[operation->kind]);
        if (operation->kind != APPEND)
            print_error(" at %lu", operation->start);
        if (operation->kind != CUT)
            print_error(", %lu bytes", operation->length);
        if (operation->observed)
            print_error(", seen at %lu", operation->observed - 1);
        print_error("; behind");
        for (int j = 0; j < i; j++)
            if (before[j][i])
                print_error(" %d", j);
        print_error("\n");
    }
}

static void check_pair(int number, int i, int j)
{
    bool both_append = done[i].kind == APPEND && done[j].kind == APPEND;
    bool writes = done[i].kind != READ || done[j].kind != READ;
    bool both_cut = done[i].kind == CUT && done[j].kind == CUT;
    int expected = writes && !both_cut && met[i][j];
    if (done[i].proc == done[j].proc)
        return;
    if (both_append)
        expected = 1;
    /* Where an append's place depends on what the other one wrote they are a pair, also if they
     * have no byte in common. */
    bool depends = (done[j].kind == APPEND && has_part(&done[i], j) && !before[j][i]) ||
                   (done[i].kind == APPEND && has_part(&done[j], i) && !before[i][j]);
    if (depends)
        expected = 1;
    if (pairs[i][j] < expected || pairs[i][j] > 1) {
        print_run(number);
        fail_msg("operations %d and %d make %d pairs", i, j, pairs[i][j]);
    }
}

static int certain, uncertain, certain_by_sight, placed_by_sight;

static void check_place(int number, int i)
{
    const struct fth_access_range *range = &accesses.ranges[i];
    bool is_certain = range->length == done[i].length;
    if (is_certain && (done[i].least != range->start || done[i].most != range->start)) {
        print_run(number);
        fail_msg("operation %d is at %lu, not between %lu and %lu", i, range->start, done[i].least,
                 done[i].most);
    }
    if (!is_certain &&
        (range->start > done[i].least || range->start + range->length != FTH_ENDLESS)) {
        print_run(number);
        fail_msg("operation %d is from %lu on, not from %lu", i, range->start, done[i].least);
    }
    if (is_observed) {
        certain_by_sight += is_certain && length_before && range->start >= length_before;
        placed_by_sight += range->start > 0;
    } else {
        *(is_certain ? &certain : &uncertain) += 1;
    }
}

/* ---- by hand ---- */

static void add(enum kind kind, uint32_t proc, uint64_t start, uint64_t length)
{
    done[count] = (struct operation){kind, proc, start, length, 0, UINT64_MAX, 0};
    for (int j = 0; j < count; j++)
        before[j][count] = true; /* unless a case says otherwise */
    count++;
}

static void begin(void)
{
    count = 0;
    is_observed = false;
    memset(before, 0, sizeof before);
}

/* Where the operation has come to: so many bytes from there on; FTH_ENDLESS: to the end. */
static void is_placed(int operation, uint64_t start, uint64_t length)
{
    struct fth_first_length first = {0};
    gather();
    fth_append_positions_find(&accesses, &first, 1, NULL, 0);
    assert_int_equal(accesses.ranges[operation].start, start);
    assert_int_equal(accesses.ranges[operation].length,
                     length == FTH_ENDLESS ? FTH_ENDLESS - start : length);
    fth_run_accesses_free(&accesses);
}

static void an_append_goes_behind_what_was_written(void **unused)
{
    (void)unused;
    begin();
    add(CUT, 0, 0, 1);
    add(WRITE, 0, 2, 6);
    add(APPEND, 1, 0, 3);
    is_placed(2, 8, 3);
}

static void appends_in_a_row_go_behind_each_other(void **unused)
{
    (void)unused;
    begin();
    add(CUT, 0, 0, 1);
    add(APPEND, 0, 0, 5);
    add(APPEND, 1, 0, 3);
    is_placed(2, 5, 3);
}

static void nobody_knows_the_end_of_a_file_that_was_there(void **unused)
{
    (void)unused;
    begin();
    add(WRITE, 0, 2, 6);
    add(APPEND, 0, 0, 3);
    is_placed(1, 8, FTH_ENDLESS);
}

static void nobody_knows_which_of_two_at_once_is_first(void **unused)
{
    (void)unused;
    begin();
    add(CUT, 0, 0, 1);
    add(APPEND, 0, 0, 5);
    add(APPEND, 1, 0, 3);
    before[1][2] = false;
    is_placed(1, 0, FTH_ENDLESS);
    is_placed(2, 0, FTH_ENDLESS);
}

/* ---- random ones ---- */

static void run_all(bool observed)
{
    is_observed = observed;
    for (int number = 0; number < RUNS; number++) {
        int order[MOST_OPERATIONS];
        make_run();
        length_before = below(20);
        orders = 0;
        play_all(order, 0, 0);
        gather();
        struct fth_first_length first = {.length = length_before,
                                         .is_known = observed && number % 2};
        fth_append_positions_find(&accesses, &first, 1, NULL, 0);
        for (int i = 0; i < count; i++)
            if (done[i].kind == APPEND)
                check_place(number, i);
        find_pairs();
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++)
                check_pair(number, i, j);
        fth_run_accesses_free(&accesses);
    }
}

static void test_random(void **unused)
{
    (void)unused;
    run_all(false);
    assert_true(certain > RUNS / 4 && uncertain > RUNS / 4);
}

/* Where an append went says how long the file was. */
static void test_observed(void **unused)
{
    (void)unused;
    run_all(true);
    assert_true(certain_by_sight > RUNS / 8 && placed_by_sight > RUNS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_append_goes_behind_what_was_written),
        cmocka_unit_test(appends_in_a_row_go_behind_each_other),
        cmocka_unit_test(nobody_knows_the_end_of_a_file_that_was_there),
        cmocka_unit_test(nobody_knows_which_of_two_at_once_is_first),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_observed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
