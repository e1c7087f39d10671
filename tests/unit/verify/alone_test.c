/* A thread that opens a file again and again and accesses the same bytes each time: what is found
 * of rows of accesses is what is found of their pairs, one by one. Random runs of one thread,
 * judged under all built-in models. */
#include "verify/compare/alone.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 300, OPENINGS = 60, MOST_MODELS = 16, MOST_ALONE = 16 };

static const struct fth_function functions[] = {
    {.name = "fsync", .layer = "posix", .syncs = true},
    {.name = "close", .layer = "posix", .closes = true},
    {.name = "open", .layer = "posix", .opens = true},
};
enum { SYNC, CLOSE, OPEN };

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % limit);
}

static struct fth_run_accesses accesses;
static uint32_t tick, call;
static uint32_t description; /* of the open file, or 0 */

/* ---- the order that the judge asks: that of one thread ---- */

const struct fth_process *fth_runs_process(const struct fth_runs *runs, uint32_t proc)
{
    static struct fth_process process = {.thread_count = 1};
    (void)runs, (void)proc;
    return &process;
}

uint32_t fth_runs_predecessor(const struct fth_runs *runs, uint32_t proc)
{
    (void)runs, (void)proc;
    return FTH_NO_PREDECESSOR;
}

bool fth_runs_is_exec(const struct fth_runs *runs, uint32_t proc)
{
    (void)runs, (void)proc;
    return false;
}

uint32_t fth_order_timeline(const struct fth_order *order, size_t proc, uint32_t thread)
{
    (void)order, (void)proc;
    return thread;
}

const struct fth_vector_clock *fth_runs_known(const struct fth_runs *runs, struct fth_moment b)
{
    (void)runs, (void)b;
    return NULL;
}

uint32_t fth_order_known_events(const struct fth_vector_clock *known, uint32_t timeline)
{
    (void)known, (void)timeline;
    return 0;
}

size_t fth_order_timelines(const struct fth_order *order)
{
    (void)order;
    return 1;
}

bool fth_runs_before(const struct fth_runs *runs, struct fth_moment a, struct fth_moment b)
{
    (void)runs;
    return a.step <= b.step;
}

bool fth_order_knows(const struct fth_vector_clock *known, struct fth_moment a)
{
    (void)known, (void)a;
    return false;
}

/* ---- a run ---- */

static void do_mark(uint32_t function)
{
    FTH_GROW(accesses.marks, accesses.mark_count);
    struct fth_sync_mark *mark = &accesses.marks[accesses.mark_count++];
    *mark = (struct fth_sync_mark){.handle = FTH_NO_OPENING,
                                   .function = &functions[function],
                                   .opening = below(20) ? 0 : FTH_NO_OPENING};
    mark->began = ++tick;
    mark->ended = ++tick;
    call++;
}

/* The situation that the same opening had, or a new one. */
static void do_access(bool writes, bool atomic, uint32_t *situation)
{
    uint64_t start = 8 * below(2), length = below(3) ? 8 : 12;
    if (*situation == UINT32_MAX) {
        *situation = (uint32_t)accesses.situation_count;
        FTH_GROW(accesses.situations, accesses.situation_count);
        accesses.situations[accesses.situation_count++] =
            (struct fth_situation){.handle = FTH_NO_OPENING,
                                   .writes = writes,
                                   .atomic = atomic,
                                   .carrier = FTH_NO_CALL,
                                   .interval = FTH_NO_INTERVAL,
                                   .description = description,
                                   .first_call = call,
                                   .began = tick,
                                   .ended = tick};
    }
    accesses.situations[*situation].last_call = call;
    FTH_GROW(accesses.ranges, accesses.range_count);
    accesses.ranges[accesses.range_count++] = (struct fth_access_range){
        start, length, *situation, (uint32_t)(call - accesses.situations[*situation].first_call)};
    call++;
}

static void do_accesses(bool atomic, bool mixes)
{
    uint32_t situations[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t i = below(5); i > 0; i--) {
        bool writes = mixes ? below(2) : i > 1;
        do_access(writes, atomic, &situations[writes]);
    }
}

static void do_opening(bool atomic, bool mixes)
{
    do_mark(OPEN);
    do_accesses(atomic, mixes);
    if (below(3) == 0) {
        do_mark(SYNC);
        do_accesses(atomic, mixes);
    }
    if (below(8))
        do_mark(CLOSE);
}

static void make_run(void)
{
    accesses = (struct fth_run_accesses){0};
    tick = call = 0;
    bool mixes = below(2);
    uint32_t described = below(3); /* no open file is known; each is one of its own; any */
    for (uint32_t i = 0; i < OPENINGS; i++) {
        description = described == 0 ? 0 : 1 + (described == 1 ? i : below(OPENINGS));
        do_opening(i < OPENINGS / 3, mixes);
    }
}

static void free_run(void)
{
    free(accesses.situations);
    free(accesses.marks);
    free(accesses.ranges);
}

/* ---- what is found ---- */

struct found {
    struct fth_alone_finder finder;
    struct fth_verdict_model counts[MOST_MODELS];
    struct fth_verdict_alone alone[MOST_MODELS][MOST_ALONE];
    uint64_t rows;
};

static void take(void *context, const struct fth_conflict *conflict)
{
    struct found *found = context;
    const struct fth_situation *a = &accesses.situations[conflict->a],
                               *b = &accesses.situations[conflict->b];
    if (a->description && a->description == b->description)
        return; /* no pair (fth_append_positions_is_pair) */
    bool b_first = b->first_call < a->first_call;
    struct fth_violation violation = {.x = b_first ? conflict->b : conflict->a,
                                      .y = b_first ? conflict->a : conflict->b,
                                      .x_call = b_first ? conflict->call_b : conflict->call_a,
                                      .y_call = b_first ? conflict->call_a : conflict->call_b,
                                      .start = conflict->start,
                                      .end = conflict->end,
                                      .ordered = true};
    fth_alone_judge(&found->finder, conflict, violation);
    for (size_t i = 0; i < found->finder.comparing->models->count; i++)
        found->counts[i].same_process_pairs += conflict->pairs;
}

static void take_rows(void *context, const struct fth_conflict_rows *rows)
{
    struct found *found = context;
    found->rows++;
    fth_alone_judge_rows(&found->finder, rows, take, found);
}

static void take_pairs(void *context, const struct fth_conflict_rows *rows)
{
    struct found *found = context;
    bool same = rows->a.units == rows->b.units;
    found->rows++;
    for (size_t i = 0; i < rows->a.count; i++)
        for (size_t k = same ? i + 1 : 0; k < rows->b.count; k++) {
            const struct fth_sweep_unit *a = &rows->a.units[i], *b = &rows->b.units[k];
            if (a->situation > b->situation) {
                const struct fth_sweep_unit *swap = a;
                a = b;
                b = swap;
            }
            take(found, &(struct fth_conflict){a->situation, b->situation, a->times * b->times,
                                               rows->start, rows->end, a->call, b->call});
        }
}

static void find(struct found *found, const struct fth_comparing *comparing, bool by_rows)
{
    *found = (struct found){0};
    found->finder = (struct fth_alone_finder){comparing, comparing->judge, found->counts, 1};
    for (size_t i = 0; i < comparing->models->count; i++)
        found->counts[i].alone = found->alone[i];
    struct fth_conflict_listener listener = {take, by_rows ? take_rows : take_pairs, found, false};
    struct fth_conflict_files *files = fth_conflict_files_new(&accesses, 1, 1);
    struct fth_conflict_file *file = fth_conflict_file_open(files, 0);
    for (size_t slice = 0; slice < fth_conflict_slices(file); slice++)
        fth_conflict_find(file, slice, &listener);
    fth_conflict_file_close(file);
    fth_conflict_files_free(files);
}

static void check_alone(const struct fth_verdict_alone *one, const struct fth_verdict_alone *other)
{
    assert_int_equal(one->violations, other->violations);
    assert_int_equal(one->unsure, other->unsure);
    assert_memory_equal(one->hazards, other->hazards, sizeof one->hazards);
    assert_int_equal(one->is_unsure, other->is_unsure);
    assert_int_equal(one->x, other->x);
    assert_int_equal(one->y, other->y);
    assert_int_equal(one->x_call, other->x_call);
    assert_int_equal(one->y_call, other->y_call);
    assert_int_equal(one->range_start, other->range_start);
    assert_int_equal(one->range_end, other->range_end);
}

static void rows_are_their_pairs(void **unused)
{
    struct fth_consistencies models = {0};
    struct fth_carriers carriers = {0};
    struct fth_run only = {0};
    struct fth_runs runs = {.count = 1, .runs = &only, .process_count = 1, .timeline_count = 1};
    static uint32_t all_of_one[1];
    bool certain = false;
    struct fth_possible_means means = {.runs = &runs, .is_assumed = &certain};
    unsigned layers[MOST_MODELS];
    uint64_t rows = 0, violations = 0, kept = 0, unsure = 0;
    (void)unused;
    runs.run_of_proc = runs.run_of_timeline = all_of_one;
    fth_consistency_built_in(&models);
    assert_true(models.count <= MOST_MODELS);
    for (size_t i = 0; i < MOST_MODELS; i++)
        layers[i] = 1;
    for (int i = 0; i < RUNS; i++) {
        static struct found by_rows, by_pairs;
        struct fth_judge judge;
        make_run();
        fth_judge_open(&judge, &runs, &accesses, &carriers, &models, 1);
        struct fth_comparing comparing = {.models = &models,
                                          .model_layers = layers,
                                          .accesses = &accesses,
                                          .judge = &judge,
                                          .means = &means};
        find(&by_rows, &comparing, true);
        find(&by_pairs, &comparing, false);
        rows += by_rows.rows;
        assert_int_equal(by_rows.rows, by_pairs.rows);
        for (size_t k = 0; k < models.count; k++) {
            const struct fth_verdict_model *one = &by_rows.counts[k], *other = &by_pairs.counts[k];
            assert_int_equal(one->same_process_pairs, other->same_process_pairs);
            assert_memory_equal(one->same_process, other->same_process, sizeof one->same_process);
            for (size_t n = 0; n < models.models[k].alone_count; n++) {
                check_alone(&by_rows.alone[k][n], &by_pairs.alone[k][n]);
                violations += by_rows.alone[k][n].violations;
                unsure += by_rows.alone[k][n].unsure;
                kept += one->same_process_pairs - by_rows.alone[k][n].violations;
            }
        }
        fth_judge_close(&judge);
        free_run();
    }
    fth_consistencies_free(&models);
    /* there was something of each */
    assert_true(rows && violations && kept && unsure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_their_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
