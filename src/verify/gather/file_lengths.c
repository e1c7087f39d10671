/* Changes of a thread stand in lanes, in which each one begins and ends no earlier than the last.
 * So those of a lane that come before another change, or behind it, are found by halving. The
 * file is as long as one change made it, as far as no cut may have come between: the later that
 * was in its lane, the fewer cuts may, and the fewer changes are behind it. Where the two meet is
 * found by halving, too. */
#include "verify/gather/file_lengths.h"

#include "base/memory.h"

/* Changes, times lanes, times those of cuts. Where it is more, and there are many changes, nothing
 * is taken to be known of how long the file was. */
enum { MOST_WORK = 1 << 24, FEW_CHANGES = 1024 };

/* The largest of any values that stand in a row: a tree of them. */
struct largest {
    uint64_t *tree;
    size_t count;
};

/* Changes [first, first + count), of which cuts [first_cut, first_cut + cut_count). */
struct lane {
    size_t first, count, first_cut, cut_count;
};

struct fth_file_lengths {
    const struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct fth_length_change *changes, *cuts; /* by lane */
    size_t count, cut_count;
    struct lane *lanes;
    size_t lane_count;
    struct largest longest; /* of changes */
    struct largest least;   /* of cuts: complements */
    size_t *behind;         /* by lane, of the change at hand: its first cut that comes behind */
    bool is_unknown;        /* how long it was */
};

bool fth_situation_is_before(const struct fth_runs *runs, const struct fth_situation *a,
                             const struct fth_situation *b)
{
    if (a->end.step == FTH_NEVER)
        return false;
    if (a->proc == b->proc && a->thread == b->thread)
        return a->first_call < b->first_call;
    return fth_runs_before(runs, a->end, b->begin);
}

/* ---- the largest value in a row ---- */

static struct largest largest_of(const struct fth_length_change *changes, size_t count,
                                 uint64_t flip)
{
    struct largest largest = {fth_new(2 * count + 1, sizeof *largest.tree), count};
    for (size_t i = 0; i < count; i++)
        largest.tree[count + i] = changes[i].length ^ flip;
    for (size_t i = count; i-- > 1;) {
        uint64_t left = largest.tree[2 * i], right = largest.tree[2 * i + 1];
        largest.tree[i] = left > right ? left : right;
    }
    return largest;
}

/* 0: there is none. */
static uint64_t largest_in(const struct largest *largest, size_t from, size_t to)
{
    uint64_t found = 0;
    for (from += largest->count, to += largest->count; from < to; from /= 2, to /= 2) {
        if (from & 1 && largest->tree[from] > found)
            found = largest->tree[from];
        if (to & 1 && largest->tree[to - 1] > found)
            found = largest->tree[to - 1];
        from += from & 1;
    }
    return found;
}

/* ---- lanes ---- */

static const struct fth_situation *of(const struct fth_file_lengths *lengths,
                                      const struct fth_length_change *change)
{
    return &lengths->accesses->situations[change->situation];
}

static int by_thread_and_call(const void *a, const void *b, void *context)
{
    const struct fth_situation *situations = context;
    const struct fth_length_change *one = a, *other = b;
    const struct fth_situation *x = &situations[one->situation], *y = &situations[other->situation];
    if (x->proc != y->proc)
        return x->proc < y->proc ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->first_call != y->first_call)
        return x->first_call < y->first_call ? -1 : 1;
    return one->situation < other->situation ? -1 : one->situation > other->situation;
}

static bool can_follow(const struct fth_situation *last, const struct fth_situation *next)
{
    return last->proc == next->proc && last->thread == next->thread &&
           last->begin.timeline == next->begin.timeline && last->begin.step <= next->begin.step &&
           last->end.timeline == next->end.timeline && last->end.step <= next->end.step;
}

/* The first lane, from `first` on, in which the change can stand behind the last one. */
static size_t lane_for(struct fth_file_lengths *lengths, uint32_t *last, size_t first,
                       uint32_t change)
{
    const struct fth_situation *situations = lengths->accesses->situations;
    size_t lane = first;
    while (lane < lengths->lane_count && !can_follow(&situations[last[lane]], &situations[change]))
        lane++;
    if (lane == lengths->lane_count) {
        FTH_GROW(lengths->lanes, lengths->lane_count);
        lengths->lanes[lengths->lane_count++] = (struct lane){0};
    }
    last[lane] = change;
    return lane;
}

/* The lane of each change, which are in order of threads. */
static size_t *find_lanes(struct fth_file_lengths *lengths, const struct fth_length_change *sorted)
{
    const struct fth_situation *situations = lengths->accesses->situations;
    size_t *lanes = fth_new(lengths->count + 1, sizeof *lanes), first = 0;
    uint32_t *last = fth_new(lengths->count + 1, sizeof *last);
    for (size_t i = 0; i < lengths->count; i++) {
        const struct fth_situation *change = &situations[sorted[i].situation];
        const struct fth_situation *before = i ? &situations[sorted[i - 1].situation] : change;
        if (before->proc != change->proc || before->thread != change->thread)
            first = lengths->lane_count;
        lanes[i] = lane_for(lengths, last, first, sorted[i].situation);
        lengths->lanes[lanes[i]].count++;
        lengths->lanes[lanes[i]].cut_count += change->cuts;
    }
    free(last);
    return lanes;
}

static void fill_lanes(struct fth_file_lengths *lengths, const struct fth_length_change *sorted)
{
    size_t *lanes = find_lanes(lengths, sorted), next = 0;
    for (size_t i = 0; i < lengths->lane_count; i++) {
        struct lane *lane = &lengths->lanes[i];
        lane->first = next;
        lane->first_cut = lengths->cut_count;
        next += lane->count;
        lengths->cut_count += lane->cut_count;
        lane->count = lane->cut_count = 0;
    }
    lengths->cuts = fth_new(lengths->cut_count + 1, sizeof *lengths->cuts);
    for (size_t i = 0; i < lengths->count; i++) {
        struct lane *lane = &lengths->lanes[lanes[i]];
        lengths->changes[lane->first + lane->count++] = sorted[i];
        if (of(lengths, &sorted[i])->cuts)
            lengths->cuts[lane->first_cut + lane->cut_count++] = sorted[i];
    }
    free(lanes);
}

static bool is_too_much(const struct fth_file_lengths *lengths)
{
    size_t with_cuts = 1;
    for (size_t i = 0; i < lengths->lane_count; i++)
        with_cuts += lengths->lanes[i].cut_count > 0;
    return lengths->count > FEW_CHANGES &&
           lengths->count * lengths->lane_count > MOST_WORK / with_cuts;
}

struct fth_file_lengths *fth_file_lengths_new(const struct fth_run_accesses *accesses,
                                              const struct fth_runs *runs,
                                              const struct fth_length_change *changes, size_t count)
{
    struct fth_file_lengths *lengths = fth_new(1, sizeof *lengths);
    struct fth_length_change *sorted = fth_new(count + 1, sizeof *sorted);
    *lengths = (struct fth_file_lengths){.accesses = accesses, .runs = runs, .count = count};
    lengths->changes = fth_new(count + 1, sizeof *lengths->changes);
    for (size_t i = 0; i < count; i++)
        sorted[i] = changes[i];
    qsort_r(sorted, count, sizeof *sorted, by_thread_and_call, accesses->situations);
    fill_lanes(lengths, sorted);
    free(sorted);
    lengths->longest = largest_of(lengths->changes, lengths->count, 0);
    lengths->least = largest_of(lengths->cuts, lengths->cut_count, UINT64_MAX);
    lengths->behind = fth_new(lengths->lane_count + 1, sizeof *lengths->behind);
    lengths->is_unknown = is_too_much(lengths);
    return lengths;
}

void fth_file_lengths_free(struct fth_file_lengths *lengths)
{
    if (!lengths)
        return;
    free(lengths->changes);
    free(lengths->cuts);
    free(lengths->lanes);
    free(lengths->longest.tree);
    free(lengths->least.tree);
    free(lengths->behind);
    free(lengths);
}

/* ---- how long it was ---- */

/* How many of these, which are of one lane, come before the change; with `not_behind`, before it or
 * in no order with it. */
static size_t count_before(const struct fth_file_lengths *lengths,
                           const struct fth_length_change *lane, size_t count,
                           const struct fth_situation *change, bool not_behind)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fth_situation *one = of(lengths, &lane[middle]);
        if (not_behind ? !fth_situation_is_before(lengths->runs, change, one)
                       : fth_situation_is_before(lengths->runs, one, change))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What cuts may have left of what was there behind `from`, when the change at hand came. */
static uint64_t left_behind(const struct fth_file_lengths *lengths,
                            const struct fth_length_change *from)
{
    uint64_t least = 0; /* complement */
    for (size_t i = 0; i < lengths->lane_count; i++) {
        const struct lane *lane = &lengths->lanes[i];
        if (!lane->cut_count)
            continue;
        size_t first = count_before(lengths, lengths->cuts + lane->first_cut, lane->cut_count,
                                    of(lengths, from), false);
        uint64_t found = largest_in(&lengths->least, lane->first_cut + first,
                                    lane->first_cut + lengths->behind[i]);
        least = found > least ? found : least;
    }
    return UINT64_MAX ^ least;
}

/* What the first `count` changes of the lane left, if that is more than `length`. */
static uint64_t left_by(const struct fth_file_lengths *lengths, const struct lane *lane,
                        size_t count, uint64_t length)
{
    size_t low = lane->first, end = lane->first + count, high = end;
    if (largest_in(&lengths->longest, low, end) <= length)
        return length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (left_behind(lengths, &lengths->changes[middle]) <
            largest_in(&lengths->longest, middle, end))
            low = middle + 1;
        else
            high = middle;
    }
    uint64_t longest = largest_in(&lengths->longest, low, end);
    uint64_t left = low > lane->first ? left_behind(lengths, &lengths->changes[low - 1]) : 0;
    left = left > longest ? left : longest;
    return left > length ? left : length;
}

bool fth_file_lengths_before(const struct fth_file_lengths *lengths, uint32_t change,
                             uint64_t *length)
{
    const struct fth_situation *at = &lengths->accesses->situations[change];
    bool was_cut = false;
    *length = 0;
    if (lengths->is_unknown)
        return lengths->cut_count > 0;
    for (size_t i = 0; i < lengths->lane_count; i++) {
        const struct lane *lane = &lengths->lanes[i];
        const struct fth_length_change *cuts = lengths->cuts + lane->first_cut;
        lengths->behind[i] = count_before(lengths, cuts, lane->cut_count, at, true);
        was_cut |= lane->cut_count && fth_situation_is_before(lengths->runs, of(lengths, cuts), at);
    }
    for (size_t i = 0; i < lengths->lane_count; i++) {
        const struct lane *lane = &lengths->lanes[i];
        size_t before =
            count_before(lengths, lengths->changes + lane->first, lane->count, at, false);
        if (before)
            *length = left_by(lengths, lane, before, *length);
    }
    return was_cut;
}
