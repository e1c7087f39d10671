/* Pieces by situation, cuts by file and thread; an access searches those of each thread from
 * itself backwards and forwards. Those in no order with it are counted (cut_runs.h). */
#include "verify/compare/cuts.h"

#include "base/memory.h"
#include "verify/compare/cut_runs.h"

enum { SITUATIONS_OF_SLICE = 1 << 12 };

struct fth_cuts {
    const struct fth_run_accesses *accesses;
    size_t cut_count;
    struct fth_cut_call *cuts; /* by file, thread and call */
    uint32_t *first_cut;       /* by file; one more than there are files */
    struct fth_cut_runs *runs;
    size_t met_count;
    uint32_t *met; /* other situations of files that are cut off */
    /* Pieces of situations: places in ranges and series, one more of each than there are
     * situations. */
    uint32_t *first_range, *ranges, *first_series, *series;
    uint64_t *start, *end; /* by situation, of all its bytes */
};

/* ---- pieces ---- */

static void add_up(uint32_t *first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

static void note_bytes(struct fth_cuts *cuts, uint32_t situation, uint64_t start, uint64_t end)
{
    if (cuts->end[situation] == 0 || start < cuts->start[situation])
        cuts->start[situation] = start;
    if (end > cuts->end[situation])
        cuts->end[situation] = end;
}

/* Those of a situation stand in the order in which they were gathered. */
static void index_pieces(struct fth_cuts *cuts)
{
    const struct fth_run_accesses *accesses = cuts->accesses;
    size_t count = accesses->situation_count;
    cuts->first_range = fth_new(count + 2, sizeof *cuts->first_range);
    cuts->first_series = fth_new(count + 2, sizeof *cuts->first_series);
    cuts->ranges = fth_new(accesses->range_count + 1, sizeof *cuts->ranges);
    cuts->series = fth_new(accesses->series_count + 1, sizeof *cuts->series);
    cuts->start = fth_new(count + 1, sizeof *cuts->start);
    cuts->end = fth_new(count + 1, sizeof *cuts->end);
    for (size_t i = 0; i < accesses->range_count; i++)
        cuts->first_range[accesses->ranges[i].situation + 2]++;
    for (size_t i = 0; i < accesses->series_count; i++)
        cuts->first_series[accesses->series[i].situation + 2]++;
    add_up(cuts->first_range + 1, count);
    add_up(cuts->first_series + 1, count);
    for (uint32_t i = 0; i < accesses->range_count; i++) {
        const struct fth_access_range *range = &accesses->ranges[i];
        cuts->ranges[cuts->first_range[range->situation + 1]++] = i;
        note_bytes(cuts, range->situation, range->start, range->start + range->length);
    }
    for (uint32_t i = 0; i < accesses->series_count; i++) {
        const struct fth_access_series *series = &accesses->series[i];
        cuts->series[cuts->first_series[series->situation + 1]++] = i;
        note_bytes(cuts, series->situation, series->series.start, fth_series_end(&series->series));
    }
}

/* Calls of a situation that have bytes in [from, to), and what the first one of them has. */
static uint64_t calls_within(const struct fth_cuts *cuts, uint32_t situation, uint64_t from,
                             uint64_t to, struct fth_conflict *example)
{
    const struct fth_run_accesses *accesses = cuts->accesses;
    const struct fth_series window = {from, to - from, 0, 1, false};
    uint64_t calls = 0;
    uint32_t last = UINT32_MAX; /* pieces of one call stand one behind the other */
    for (uint32_t i = cuts->first_range[situation]; i < cuts->first_range[situation + 1]; i++) {
        const struct fth_access_range *range = &accesses->ranges[cuts->ranges[i]];
        uint64_t end = range->start + range->length;
        if (range->start >= to || end <= from)
            continue;
        if (!calls++) {
            example->start = range->start > from ? range->start : from;
            example->end = end < to ? end : to;
            example->call_a = range->call;
        }
    }
    for (uint32_t i = cuts->first_series[situation]; i < cuts->first_series[situation + 1]; i++) {
        const struct fth_access_series *series = &accesses->series[cuts->series[i]];
        uint64_t met = fth_series_pairs(&series->series, &window);
        if (!met || (series->series.one_call && series->call == last))
            continue;
        last = series->series.one_call ? series->call : UINT32_MAX;
        if (!calls) {
            fth_series_common(&series->series, &window, &example->start, &example->end);
            example->call_a = series->call;
        }
        calls += met;
    }
    return calls;
}

/* ---- which ---- */

static int by_file_and_thread(const void *a, const void *b, void *context)
{
    const struct fth_cut_call *one = a, *other = b;
    const struct fth_situation *situations = context;
    const struct fth_situation *x = &situations[one->situation], *y = &situations[other->situation];
    if (one->file != other->file)
        return one->file < other->file ? -1 : 1;
    if (x->proc != y->proc)
        return x->proc < y->proc ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->first_call < y->first_call ? -1 : x->first_call > y->first_call;
}

static void mark_threads(struct fth_cuts *cuts)
{
    const struct fth_situation *situations = cuts->accesses->situations;
    size_t first = 0;
    for (size_t i = 1; i <= cuts->cut_count; i++) {
        const struct fth_cut_call *one = &cuts->cuts[first], *other = &cuts->cuts[i];
        if (i < cuts->cut_count && one->file == other->file &&
            situations[one->situation].proc == situations[other->situation].proc &&
            situations[one->situation].thread == situations[other->situation].thread)
            continue;
        cuts->cuts[first].behind = (uint32_t)i;
        first = i;
    }
}

static bool have_several_lengths(const struct fth_cuts *cuts, uint32_t file)
{
    const struct fth_cut_call *first = &cuts->cuts[cuts->first_cut[file]];
    for (uint32_t i = cuts->first_cut[file] + 1; i < cuts->first_cut[file + 1]; i++)
        if (cuts->cuts[i].start != first->start)
            return true;
    return false;
}

struct fth_cuts *fth_cuts_new(const struct fth_run_accesses *accesses, uint32_t file_count,
                              unsigned layers)
{
    struct fth_cuts *cuts = fth_new(1, sizeof *cuts);
    cuts->accesses = accesses;
    for (uint32_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        if (!situation->cuts || situation->removes_nothing || !(layers >> situation->layer & 1))
            continue;
        FTH_GROW(cuts->cuts, cuts->cut_count);
        cuts->cuts[cuts->cut_count++] = (struct fth_cut_call){i, situation->opening, 0, 0};
    }
    if (cuts->cut_count == 0) {
        free(cuts);
        return NULL;
    }
    index_pieces(cuts);
    qsort_r(cuts->cuts, cuts->cut_count, sizeof *cuts->cuts, by_file_and_thread,
            accesses->situations);
    cuts->first_cut = fth_new(file_count + 2, sizeof *cuts->first_cut);
    mark_threads(cuts);
    for (size_t i = 0; i < cuts->cut_count; i++) {
        cuts->cuts[i].start = cuts->start[cuts->cuts[i].situation];
        cuts->first_cut[cuts->cuts[i].file + 1]++;
    }
    add_up(cuts->first_cut, file_count);
    cuts->runs = fth_cut_runs_new(accesses->situations, cuts->cuts, cuts->cut_count);
    cuts->met = fth_new(accesses->situation_count + 1, sizeof *cuts->met);
    for (uint32_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        if (!(layers >> situation->layer & 1) || situation->removes_nothing)
            continue;
        if (situation->cuts
                ? have_several_lengths(cuts, situation->opening)
                : cuts->first_cut[situation->opening] < cuts->first_cut[situation->opening + 1])
            cuts->met[cuts->met_count++] = i;
    }
    return cuts;
}

void fth_cuts_free(struct fth_cuts *cuts)
{
    if (!cuts)
        return;
    free(cuts->cuts);
    free(cuts->first_cut);
    fth_cut_runs_free(cuts->runs);
    free(cuts->met);
    free(cuts->first_range);
    free(cuts->ranges);
    free(cuts->first_series);
    free(cuts->series);
    free(cuts->start);
    free(cuts->end);
    free(cuts);
}

size_t fth_cuts_slices(const struct fth_cuts *cuts)
{
    return (cuts->met_count + SITUATIONS_OF_SLICE - 1) / SITUATIONS_OF_SLICE;
}

/* ---- one access, and the cuts of one thread ---- */

struct meeting {
    const struct fth_cuts *cuts;
    const struct fth_cuts_asked *asked;
    uint32_t situation;
};

static const struct fth_situation *accessing(const struct meeting *meeting)
{
    return &meeting->cuts->accesses->situations[meeting->situation];
}

/* Bytes of the access that the cut takes, below `taken`: `pairs`, or as many calls as have some. */
static void take(const struct meeting *meeting, const struct fth_cut_call *cut, uint64_t taken,
                 uint64_t pairs)
{
    struct fth_conflict found = {.a = meeting->situation, .b = cut->situation};
    if (cut->start >= taken)
        return;
    uint64_t calls = calls_within(meeting->cuts, meeting->situation, cut->start, taken, &found);
    if (!calls)
        return;
    found.pairs = pairs ? pairs : calls;
    meeting->asked->take(meeting->asked->context, &found);
}

static void meet(const struct meeting *meeting, const struct fth_cut_call *cut, uint64_t taken)
{
    take(meeting, cut, taken, 0);
}

/* How many of `count` come before the access; or, with `unordered`, before it or in no order with
 * it. */
static size_t count_before(const struct meeting *meeting, struct fth_judge *judge,
                           const struct fth_cut_call *cuts, size_t count, bool unordered)
{
    const struct fth_situation *situations = meeting->cuts->accesses->situations;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        enum fth_precedence order =
            fth_judge_precedence(judge, &situations[cuts[middle].situation], accessing(meeting));
        if (order == FTH_FIRST_IS_FIRST || (unordered && order == FTH_UNORDERED_PAIR))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- cuts in no order with the access ---- */

/* Is it known by its ranges, one for each call, how many cuts it meets? */
static bool is_counted(const struct meeting *meeting)
{
    const struct fth_cuts *cuts = meeting->cuts;
    const struct fth_situation *situation = accessing(meeting);
    uint32_t at = meeting->situation, ranges = cuts->first_range[at + 1] - cuts->first_range[at];
    if (situation->region != FTH_REGION_BYTES ||
        cuts->first_series[at] != cuts->first_series[at + 1])
        return false;
    return situation->cuts ? ranges == 1 && cuts->start[at] == situation->cut_at
                           : !situation->removes;
}

/* How many of the cuts [from, to) the access meets with any of its bytes. */
static uint64_t count_met(const struct meeting *meeting, size_t from, size_t to)
{
    const struct fth_cuts *cuts = meeting->cuts;
    uint64_t start = cuts->start[meeting->situation];
    if (!accessing(meeting)->cuts)
        return fth_cut_runs_below(cuts->runs, from, to, cuts->end[meeting->situation]);
    /* what leaves the file as long is no pair */
    return to - from - fth_cut_runs_below(cuts->runs, from, to, start + 1) +
           fth_cut_runs_below(cuts->runs, from, to, start);
}

/* Of the cuts [first, to), the first of which it meets, that one and the last one. */
static void ask(const struct meeting *meeting, size_t first, size_t to)
{
    const struct fth_cuts_asked *asked = meeting->asked;
    size_t last = first;
    if (!asked->violates)
        return;
    while (to - last > 1) {
        size_t middle = last + (to - last) / 2;
        if (count_met(meeting, middle, to))
            last = middle;
        else
            to = middle;
    }
    asked->violates(asked->context, meeting->situation, meeting->cuts->cuts[first].situation,
                    false);
    asked->violates(asked->context, meeting->situation, meeting->cuts->cuts[last].situation, false);
}

/* Pairs with the cuts [from, to) of a run, all of them with the call that comes first on the same
 * side: as if all were with the first one. */
static void meet_side(const struct meeting *meeting, size_t from, size_t to)
{
    const struct fth_cuts *cuts = meeting->cuts;
    const struct fth_situation *situation = accessing(meeting);
    uint64_t pairs = 0, end = cuts->end[meeting->situation];
    size_t first = fth_cut_runs_first_below(cuts->runs, from, to, end);
    for (uint32_t i = cuts->first_range[meeting->situation];
         !situation->cuts && i < cuts->first_range[meeting->situation + 1]; i++) {
        const struct fth_access_range *range = &cuts->accesses->ranges[cuts->ranges[i]];
        pairs += fth_cut_runs_below(cuts->runs, from, to, range->start + range->length);
    }
    if (situation->cuts) {
        uint64_t start = cuts->start[meeting->situation];
        size_t above = fth_cut_runs_first_above(cuts->runs, from, to, start);
        first = fth_cut_runs_first_below(cuts->runs, from, to, start);
        first = above < first ? above : first;
        pairs = count_met(meeting, from, to);
    }
    if (!pairs)
        return;
    take(meeting, &cuts->cuts[first], FTH_ENDLESS, pairs);
    ask(meeting, first, to);
}

/* The cuts [from, to) of a run: those that began before the access are called the first ones. */
static void meet_run(const struct meeting *meeting, size_t from, size_t to)
{
    const struct fth_situation *situations = meeting->cuts->accesses->situations;
    size_t low = from, high = to;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (situations[meeting->cuts->cuts[middle].situation].start < accessing(meeting)->start)
            low = middle + 1;
        else
            high = middle;
    }
    meet_side(meeting, from, low);
    meet_side(meeting, low, to);
}

static void meet_each(const struct meeting *meeting, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        meet(meeting, &meeting->cuts->cuts[i], FTH_ENDLESS);
}

/* The cuts [from, to), of those [first, end) of a thread. With those that may be in an order with
 * the access it is judged one by one. */
static void meet_unordered(const struct meeting *meeting, size_t first, size_t end, size_t from,
                           size_t to)
{
    const struct fth_cut_call *cuts = meeting->cuts->cuts;
    struct fth_judge *possible = meeting->asked->possible;
    size_t low = from, high = to;
    if (!meeting->asked->in_runs || !is_counted(meeting)) {
        meet_each(meeting, from, to);
        return;
    }
    if (possible && from < to) {
        size_t before = first + count_before(meeting, possible, cuts + first, end - first, false);
        size_t behind = before + count_before(meeting, possible, cuts + before, end - before, true);
        low = before > low ? before : low;
        low = low < to ? low : to;
        high = behind < high ? behind : high;
        high = high > low ? high : low;
    }
    meet_each(meeting, from, low);
    for (size_t at = low, next; at < high; at = next) {
        next = fth_cut_runs_end(meeting->cuts->runs, at);
        next = next < high ? next : high;
        meet_run(meeting, at, next);
    }
    meet_each(meeting, high, to);
}

/* ---- cuts of a thread ---- */

static void meet_thread(const struct meeting *meeting, size_t first, size_t end)
{
    const struct fth_cut_call *cuts = meeting->cuts->cuts;
    struct fth_judge *judge = meeting->asked->judge;
    uint64_t start = meeting->cuts->start[meeting->situation], taken = FTH_ENDLESS;
    size_t before = first + count_before(meeting, judge, cuts + first, end - first, false);
    size_t behind = before + count_before(meeting, judge, cuts + before, end - before, true);
    meet_unordered(meeting, first, end, before, behind);
    if (accessing(meeting)->cuts)
        return;
    for (size_t i = before; i > first && taken > start; i--) {
        meet(meeting, &cuts[i - 1], taken);
        taken = cuts[i - 1].start < taken ? cuts[i - 1].start : taken;
    }
    taken = FTH_ENDLESS;
    for (size_t i = behind; i < end && taken > start; i++) {
        meet(meeting, &cuts[i], taken);
        taken = cuts[i].start < taken ? cuts[i].start : taken;
    }
}

/* Calls of MPI on what one collective call opened: the ranks set one length after the other, all
 * together. */
static bool is_of_one_handle(const struct fth_judge *judge, const struct fth_situation *a,
                             const struct fth_situation *b)
{
    return a->handle != FTH_NO_OPENING && fth_carriers_opened_together(judge->carriers, a, b);
}

void fth_cuts_find(const struct fth_cuts *cuts, const struct fth_cuts_asked *asked, size_t slice)
{
    const struct fth_situation *situations = cuts->accesses->situations;
    size_t end = (slice + 1) * SITUATIONS_OF_SLICE;
    for (size_t i = slice * SITUATIONS_OF_SLICE; i < end && i < cuts->met_count; i++) {
        const struct fth_situation *situation = &situations[cuts->met[i]];
        struct meeting meeting = {cuts, asked, cuts->met[i]};
        size_t last = cuts->first_cut[situation->opening + 1];
        for (size_t at = cuts->first_cut[situation->opening], next; at < last; at = next) {
            const struct fth_situation *first = &situations[cuts->cuts[at].situation];
            next = cuts->cuts[at].behind;
            bool is_other = first->proc != situation->proc || first->thread != situation->thread;
            bool was_met = situation->cuts && (first->proc <= situation->proc ||
                                               is_of_one_handle(asked->judge, first, situation));
            if (is_other && !was_met)
                meet_thread(&meeting, at, next);
        }
    }
}
