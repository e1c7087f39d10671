/* Who comes first in its thread comes before more of what others do, and what it does after an
 * access is there for more of them. So of two rows it is asked for each access of the one from
 * which access of the other one on it comes before, and from which on a model has what it wants:
 * both only go forward. n accesses of each are 2 n questions, not n * n. */
#include "verify/compare/rows_apart.h"

#include "base/memory.h"
#include "verify/compare/alone.h"
#include "verify/gather/append_positions.h"

#include <string.h>

enum { MOST_MODELS = 64 }; /* bits of a mask */

/* Pairs of which x is of the one row, and y of the other one. */
struct pairing {
    const struct fth_rows_finder *finder;
    const struct fth_situation *situations;
    struct fth_conflict_row x, y;
    uint64_t *times; /* by y: accesses before it; and one behind the last */
    size_t *behind;  /* by x: the first y that it comes before */
    size_t *perhaps; /* that it may come before; if nothing else may be, the same */
    uint64_t start, end;
};

bool fth_rows_apart_can_be_judged(const struct fth_comparing *comparing)
{
    return !fth_means_may_be_missing(comparing->means);
}

static bool is_wanted(const struct fth_rows_finder *finder, size_t model)
{
    return finder->comparing->model_layers[model] == finder->layers;
}

static const struct fth_situation *at(const struct pairing *pairing,
                                      const struct fth_sweep_unit *unit)
{
    return &pairing->situations[unit->situation];
}

static uint64_t call_of(const struct pairing *pairing, const struct fth_sweep_unit *unit)
{
    return fth_call_since(at(pairing, unit), unit->call);
}

/* Of y's units [from, to). */
static uint64_t times_of(const struct pairing *pairing, size_t from, size_t to)
{
    return pairing->times[to] - pairing->times[from];
}

/* By x: the first y that it comes before. */
static size_t *find_behind(const struct pairing *pairing, struct fth_judge *judge)
{
    size_t *behind = fth_new(pairing->x.count + 1, sizeof *behind);
    for (size_t i = 0, next = 0; i < pairing->x.count; i++) {
        while (next < pairing->y.count &&
               fth_judge_precedence(judge, at(pairing, &pairing->x.units[i]),
                                    at(pairing, &pairing->y.units[next])) != FTH_FIRST_IS_FIRST)
            next++;
        behind[i] = next;
    }
    return behind;
}

static struct pairing pairing_of(const struct fth_rows_finder *finder,
                                 const struct fth_conflict_row *x, const struct fth_conflict_row *y,
                                 const struct fth_conflict_rows *rows)
{
    struct pairing pairing = {.finder = finder,
                              .situations = finder->comparing->accesses->situations,
                              .x = *x,
                              .y = *y,
                              .times = fth_new(y->count + 1, sizeof *pairing.times),
                              .start = rows->start,
                              .end = rows->end};
    for (size_t i = 0; i < y->count; i++)
        pairing.times[i + 1] = pairing.times[i] + y->units[i].times;
    pairing.behind = find_behind(&pairing, finder->judge);
    pairing.perhaps = finder->possible ? find_behind(&pairing, finder->possible) : pairing.behind;
    return pairing;
}

static void free_pairing(struct pairing *pairing)
{
    if (pairing->perhaps != pairing->behind)
        free(pairing->perhaps);
    free(pairing->behind);
    free(pairing->times);
}

/* Pairs of x with y's units [from, to), one by one. */
static void take(const struct pairing *pairing, const struct fth_sweep_unit *x, size_t from,
                 size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct fth_sweep_unit *y = &pairing->y.units[i];
        const struct fth_sweep_unit *a = x->situation < y->situation ? x : y, *b = a == x ? y : x;
        pairing->finder->take(pairing->finder->context,
                              &(struct fth_conflict){a->situation, b->situation,
                                                     x->times * y->times, pairing->start,
                                                     pairing->end, a->call, b->call});
    }
}

static void add(const struct pairing *pairing, uint64_t models, bool ordered,
                const struct fth_sweep_unit *x, const struct fth_sweep_unit *y, uint64_t pairs)
{
    const struct fth_situation *first = at(pairing, x), *second = at(pairing, y);
    struct fth_violation violation = {.x = x->situation,
                                      .y = y->situation,
                                      .x_call = call_of(pairing, x),
                                      .y_call = call_of(pairing, y),
                                      .start = pairing->start,
                                      .end = pairing->end,
                                      .ordered = ordered,
                                      .hazard = fth_hazard_of(first, second, ordered)};
    if (models && pairs)
        fth_groups_add(pairing->finder->groups, models, &violation, pairs);
}

/* Is x's pair with y's unit a violation in any case? */
static void ask(const struct pairing *pairing, const struct fth_sweep_unit *x, size_t y,
                bool ordered)
{
    pairing->finder->violates(pairing->finder->context, x->situation, pairing->y.units[y].situation,
                              ordered);
}

static void count(const struct pairing *pairing, enum fth_hazard hazard, uint64_t pairs)
{
    for (size_t i = 0; i < pairing->finder->comparing->models->count; i++)
        if (is_wanted(pairing->finder, i)) {
            pairing->finder->counts[i].conflict_pairs += pairs;
            pairing->finder->counts[i].hazards[hazard] += pairs;
        }
}

/* ---- pairs in order ---- */

/* Up to which y x is not synchronized under each model: for sure, and if all that may have come
 * before did. */
struct bounds {
    size_t ends[MOST_MODELS], certain[MOST_MODELS];
};

/* The first y from `from` on with which x is synchronized under the model. */
static size_t synchronized_from(const struct pairing *pairing, struct fth_judge *judge,
                                size_t model, const struct fth_sweep_unit *x, size_t from)
{
    while (from < pairing->y.count && !fth_judge_synchronized(judge, model, at(pairing, x),
                                                              at(pairing, &pairing->y.units[from])))
        from++;
    return from;
}

static size_t later(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t sooner(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Those of the x before are known. */
static void find_bounds(const struct pairing *pairing, const struct fth_sweep_unit *x, size_t first,
                        struct bounds *bounds)
{
    const struct fth_rows_finder *finder = pairing->finder;
    for (size_t i = 0; i < finder->comparing->models->count; i++) {
        if (!is_wanted(finder, i))
            continue;
        size_t *end = &bounds->ends[i], *certain = &bounds->certain[i];
        *end = synchronized_from(pairing, finder->judge, i, x, later(*end, first));
        *certain = finder->possible
                       ? synchronized_from(pairing, finder->possible, i, x, later(*certain, first))
                       : *end;
    }
}

/* Violations of x with y's units [from, to): in parts that the same models call so. */
static void add_violations(const struct pairing *pairing, const struct fth_sweep_unit *x,
                           size_t from, size_t to, const struct bounds *bounds)
{
    const struct fth_rows_finder *finder = pairing->finder;
    while (from < to) {
        size_t end = to;
        uint64_t models = 0;
        for (size_t i = 0; i < finder->comparing->models->count; i++) {
            if (!is_wanted(finder, i) || bounds->ends[i] <= from)
                continue;
            models |= (uint64_t)1 << i;
            end = sooner(end, bounds->ends[i]);
        }
        if (!models)
            return;
        uint64_t pairs = x->times * times_of(pairing, from, end);
        for (size_t i = 0; i < finder->comparing->models->count; i++)
            finder->counts[i].violations += models >> i & 1 ? pairs : 0;
        add(pairing, models, true, x, &pairing->y.units[from], pairs);
        if (models & 1)
            ask(pairing, x, end - 1, true);
        from = end;
    }
}

static void judge_ordered(const struct pairing *pairing)
{
    const struct fth_rows_finder *finder = pairing->finder;
    struct bounds bounds = {0};
    size_t all = pairing->y.count;
    enum fth_hazard hazard =
        fth_hazard_of(at(pairing, pairing->x.units), at(pairing, pairing->y.units), true);
    for (size_t i = 0; i < pairing->x.count && pairing->behind[i] < all; i++) {
        const struct fth_sweep_unit *x = &pairing->x.units[i];
        size_t first = pairing->behind[i], from = all, to = first; /* in doubt */
        find_bounds(pairing, x, first, &bounds);
        for (size_t k = 0; k < finder->comparing->models->count; k++)
            if (is_wanted(finder, k) && bounds.certain[k] < bounds.ends[k]) {
                from = sooner(from, bounds.certain[k]);
                to = later(to, bounds.ends[k]);
            }
        if (from >= to)
            from = to = all;
        count(pairing, hazard,
              x->times * (times_of(pairing, first, from) + times_of(pairing, to, all)));
        add_violations(pairing, x, first, from, &bounds);
        add_violations(pairing, x, to, all, &bounds);
        take(pairing, x, from, to);
    }
}

/* ---- pairs in no order ---- */

/* The first y of [from, to) that is called the second one of the two: by time; of two at the same
 * time, if its situation has the higher number. */
static size_t second_from(const struct pairing *pairing, const struct fth_sweep_unit *x,
                          size_t from, size_t to)
{
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct fth_sweep_unit *y = &pairing->y.units[middle];
        int64_t mine = at(pairing, x)->start, others = at(pairing, y)->start;
        if (others > mine || (others == mine && x->situation < y->situation))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Are these pairs writes to the end of the file, of which the model lets none be lost? */
static bool is_atomic_append(const struct pairing *pairing, size_t model)
{
    return is_wanted(pairing->finder, model) &&
           pairing->finder->comparing->models->models[model].atomic_appends &&
           fth_is_append(at(pairing, pairing->x.units)) &&
           fth_is_append(at(pairing, pairing->y.units));
}

/* Pairs of x with y's units [from, to), that nothing may have ordered. */
static void add_unordered(const struct pairing *pairing, uint64_t models,
                          const struct fth_sweep_unit *x, size_t from, size_t to)
{
    const struct fth_rows_finder *finder = pairing->finder;
    const struct fth_sweep_unit *y = pairing->y.units;
    size_t second = second_from(pairing, x, from, to);
    uint64_t pairs = x->times * times_of(pairing, from, to);
    count(pairing, fth_hazard_of(at(pairing, x), at(pairing, y), false), pairs);
    for (size_t i = 0; i < finder->comparing->models->count; i++) {
        finder->counts[i].violations += models >> i & 1 ? pairs : 0;
        finder->counts[i].unordered_appends += is_atomic_append(pairing, i) ? pairs : 0;
    }
    if (models & 1) {
        ask(pairing, x, from, false);
        ask(pairing, x, to - 1, false);
    }
    if (from < second)
        add(pairing, models, false, &y[from], x, x->times * times_of(pairing, from, second));
    if (second < to)
        add(pairing, models, false, x, &y[second], x->times * times_of(pairing, second, to));
}

static void judge_unordered(const struct pairing *pairing, const struct pairing *back)
{
    const struct fth_rows_finder *finder = pairing->finder;
    size_t before = 0, perhaps = 0, all = pairing->y.count; /* y: those that come before x */
    uint64_t models = 0;
    for (size_t i = 0; i < finder->comparing->models->count; i++)
        models |= is_wanted(finder, i) && !is_atomic_append(pairing, i) ? (uint64_t)1 << i : 0;
    for (size_t i = 0; i < pairing->x.count; i++) {
        const struct fth_sweep_unit *x = &pairing->x.units[i];
        while (before < all && back->behind[before] <= i)
            before++;
        while (perhaps < all && back->perhaps[perhaps] <= i)
            perhaps++;
        size_t end = pairing->behind[i];
        if (before >= end)
            continue;
        size_t from = sooner(later(before, perhaps), end);
        size_t to = later(sooner(end, pairing->perhaps[i]), from);
        take(pairing, x, before, from);
        if (from < to)
            add_unordered(pairing, models, x, from, to);
        take(pairing, x, to, end);
    }
}

void fth_rows_apart_judge(const struct fth_rows_finder *finder,
                          const struct fth_conflict_rows *rows)
{
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    const struct fth_situation *a = &situations[rows->a.units->situation],
                               *b = &situations[rows->b.units->situation];
    struct pairing forth = pairing_of(finder, &rows->a, &rows->b, rows);
    struct pairing back = pairing_of(finder, &rows->b, &rows->a, rows);
    if (fth_append_positions_is_pair(a, b, FTH_FIRST_IS_FIRST))
        judge_ordered(&forth);
    if (fth_append_positions_is_pair(a, b, FTH_SECOND_IS_FIRST))
        judge_ordered(&back);
    if (fth_append_positions_is_pair(a, b, FTH_UNORDERED_PAIR))
        judge_unordered(&forth, &back);
    free_pairing(&forth);
    free_pairing(&back);
}
