/* Changes of a thread stand in lanes, in which each one begins and ends no earlier than the last.
 * So those of a lane that come before another change, or behind it, are its first ones, or its last
 * ones; and as the changes of a lane are taken one behind the other, more and more of each other
 * lane come before them. The file is as long as one change made it, as far as no cut may have come
 * between: the later that was in its lane, the fewer cuts may, and the fewer changes are behind
 * it. Where the two meet goes forward, too. */
#include "verify/gather/file_lengths.h"

#include "base/memory.h"
#include "verify/gather/largest.h"

/* Changes, times lanes, times those of cuts. Where it is more, and there are many changes, nothing
 * is taken to be known of how long the file was. */
enum { MOST_WORK = 1 << 24, FEW_CHANGES = 1024 };

/* Changes [first, first + count), of which cuts [first_cut, first_cut + cut_count). */
struct lane {
    size_t first, count, first_cut, cut_count;
    size_t cut_lane; /* number among the lanes that have cuts */
    /* of the change at hand */
    size_t before;     /* changes that come before it */
    size_t not_behind; /* cuts that come before it, or in no order with it */
    size_t meeting;    /* from this change on, cuts may leave as much as changes made */
};

struct lengths {
    const struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct fth_length_change **changes, **cuts; /* by lane */
    size_t count, cut_count;
    uint64_t first; /* how long it was before all changes */
    struct lane *lanes;
    size_t lane_count, cut_lane_count;
    uint32_t *cuts_before;      /* by change and lane of cuts: how many of these come before it */
    struct fth_largest longest; /* of changes */
    struct fth_largest least;   /* of cuts: complements */
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

/* ---- lanes ---- */

static const struct fth_situation *of(const struct lengths *lengths,
                                      const struct fth_length_change *change)
{
    return &lengths->accesses->situations[change->situation];
}

static int by_thread_and_call(const void *a, const void *b, void *context)
{
    const struct fth_situation *situations = context;
    const struct fth_length_change *one = *(struct fth_length_change *const *)a,
                                   *other = *(struct fth_length_change *const *)b;
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
static size_t lane_for(struct lengths *lengths, uint32_t *last, size_t first, uint32_t change)
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
static size_t *find_lanes(struct lengths *lengths, struct fth_length_change *const *sorted)
{
    const struct fth_situation *situations = lengths->accesses->situations;
    size_t *lanes = fth_new(lengths->count + 1, sizeof *lanes), first = 0;
    uint32_t *last = fth_new(lengths->count + 1, sizeof *last);
    for (size_t i = 0; i < lengths->count; i++) {
        const struct fth_situation *change = &situations[sorted[i]->situation];
        const struct fth_situation *before = i ? &situations[sorted[i - 1]->situation] : change;
        if (before->proc != change->proc || before->thread != change->thread)
            first = lengths->lane_count;
        lanes[i] = lane_for(lengths, last, first, sorted[i]->situation);
        lengths->lanes[lanes[i]].count++;
        lengths->lanes[lanes[i]].cut_count += change->cuts;
    }
    free(last);
    return lanes;
}

static void fill_lanes(struct lengths *lengths, struct fth_length_change *const *sorted)
{
    size_t *lanes = find_lanes(lengths, sorted), next = 0;
    for (size_t i = 0; i < lengths->lane_count; i++) {
        struct lane *lane = &lengths->lanes[i];
        lane->first = next;
        lane->first_cut = lengths->cut_count;
        next += lane->count;
        lengths->cut_count += lane->cut_count;
        lane->cut_lane = lengths->cut_lane_count;
        lengths->cut_lane_count += lane->cut_count > 0;
        lane->count = lane->cut_count = 0;
    }
    lengths->cuts = fth_new(lengths->cut_count + 1, sizeof *lengths->cuts);
    for (size_t i = 0; i < lengths->count; i++) {
        struct lane *lane = &lengths->lanes[lanes[i]];
        lengths->changes[lane->first + lane->count++] = sorted[i];
        if (of(lengths, sorted[i])->cuts)
            lengths->cuts[lane->first_cut + lane->cut_count++] = sorted[i];
    }
    free(lanes);
}

static bool is_too_much(const struct lengths *lengths)
{
    return lengths->count > FEW_CHANGES &&
           lengths->count * lengths->lane_count > MOST_WORK / (lengths->cut_lane_count + 1);
}

/* ---- what stands before a change ---- */

static bool is_before(const struct lengths *lengths, const struct fth_length_change *a,
                      const struct fth_length_change *b)
{
    return fth_situation_is_before(lengths->runs, of(lengths, a), of(lengths, b));
}

/* Of the changes of a lane: which cuts of another one come before them. */
static void count_cuts(struct lengths *lengths, const struct lane *lane, const struct lane *other)
{
    uint32_t before = 0;
    for (size_t i = lane->first; i < lane->first + lane->count; i++) {
        while (before < other->cut_count &&
               is_before(lengths, lengths->cuts[other->first_cut + before], lengths->changes[i]))
            before++;
        lengths->cuts_before[i * lengths->cut_lane_count + other->cut_lane] = before;
    }
}

static void count_all_cuts(struct lengths *lengths)
{
    lengths->cuts_before =
        fth_new(lengths->count * lengths->cut_lane_count + 1, sizeof *lengths->cuts_before);
    for (size_t i = 0; i < lengths->lane_count; i++)
        for (size_t j = 0; j < lengths->lane_count; j++)
            if (lengths->lanes[j].cut_count)
                count_cuts(lengths, &lengths->lanes[i], &lengths->lanes[j]);
}

/* The next change of its lane is at hand. */
static void go_on_to(struct lengths *lengths, const struct fth_length_change *change)
{
    for (size_t i = 0; i < lengths->lane_count; i++) {
        struct lane *lane = &lengths->lanes[i];
        while (lane->before < lane->count &&
               is_before(lengths, lengths->changes[lane->first + lane->before], change))
            lane->before++;
        while (lane->not_behind < lane->cut_count &&
               !is_before(lengths, change, lengths->cuts[lane->first_cut + lane->not_behind]))
            lane->not_behind++;
    }
}

/* ---- how long it was ---- */

/* What cuts may have left of what was there behind change `from`, when the one at hand came. */
static uint64_t left_behind(const struct lengths *lengths, size_t from)
{
    uint64_t least = 0; /* complement */
    for (size_t i = 0; i < lengths->lane_count; i++) {
        const struct lane *lane = &lengths->lanes[i];
        if (!lane->cut_count)
            continue;
        size_t first = lengths->cuts_before[from * lengths->cut_lane_count + lane->cut_lane];
        uint64_t found = fth_largest_in(&lengths->least, lane->first_cut + first,
                                        lane->first_cut + lane->not_behind);
        least = found > least ? found : least;
    }
    return UINT64_MAX ^ least;
}

/* What those changes of the lane left that come before the one at hand, if that is more than
 * `length`. */
static uint64_t left_by(const struct lengths *lengths, struct lane *lane, uint64_t length)
{
    size_t end = lane->first + lane->before;
    if (fth_largest_in(&lengths->longest, lane->first, end) <= length)
        return length;
    while (lane->meeting < end && left_behind(lengths, lane->meeting) <
                                      fth_largest_in(&lengths->longest, lane->meeting, end))
        lane->meeting++;
    uint64_t longest = fth_largest_in(&lengths->longest, lane->meeting, end);
    uint64_t left = lane->meeting > lane->first ? left_behind(lengths, lane->meeting - 1) : 0;
    left = left > longest ? left : longest;
    return left > length ? left : length;
}

/* What cuts may have left of what was there before all changes. */
static uint64_t left_of_first(const struct lengths *lengths)
{
    uint64_t left = lengths->first;
    for (size_t i = 0; i < lengths->lane_count; i++) {
        const struct lane *lane = &lengths->lanes[i];
        uint64_t least = UINT64_MAX ^ fth_largest_in(&lengths->least, lane->first_cut,
                                                     lane->first_cut + lane->not_behind);
        left = least < left ? least : left;
    }
    return left;
}

static void find_before(struct lengths *lengths, struct fth_length_change *change)
{
    go_on_to(lengths, change);
    change->before = left_of_first(lengths);
    for (size_t i = 0; i < lengths->lane_count; i++) {
        struct lane *lane = &lengths->lanes[i];
        change->was_cut |=
            lane->cut_count && is_before(lengths, lengths->cuts[lane->first_cut], change);
        if (lane->before)
            change->before = left_by(lengths, lane, change->before);
    }
}

static void find_of_lane(struct lengths *lengths, const struct lane *of)
{
    for (size_t i = 0; i < lengths->lane_count; i++) {
        struct lane *lane = &lengths->lanes[i];
        lane->before = lane->not_behind = 0;
        lane->meeting = lane->first;
    }
    for (size_t i = of->first; i < of->first + of->count; i++)
        find_before(lengths, lengths->changes[i]);
}

static struct fth_largest largest_of(struct fth_length_change *const *changes, size_t count,
                                     uint64_t flip)
{
    struct fth_largest largest = fth_largest_new(count);
    for (size_t i = 0; i < count; i++)
        fth_largest_put(&largest, i, changes[i]->length ^ flip);
    fth_largest_settle(&largest);
    return largest;
}

static void find_all(struct lengths *lengths)
{
    lengths->longest = largest_of(lengths->changes, lengths->count, 0);
    lengths->least = largest_of(lengths->cuts, lengths->cut_count, UINT64_MAX);
    count_all_cuts(lengths);
    for (size_t i = 0; i < lengths->lane_count; i++)
        find_of_lane(lengths, &lengths->lanes[i]);
    free(lengths->cuts_before);
    fth_largest_free(&lengths->longest);
    fth_largest_free(&lengths->least);
}

void fth_file_lengths_find(const struct fth_run_accesses *accesses, const struct fth_runs *runs,
                           uint64_t first, struct fth_length_change *changes, size_t count)
{
    struct fth_length_change **sorted = fth_new(count + 1, sizeof *sorted);
    struct lengths lengths = {.accesses = accesses, .runs = runs, .count = count, .first = first};
    lengths.changes = fth_new(count + 1, sizeof *lengths.changes);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &changes[i];
    qsort_r(sorted, count, sizeof *sorted, by_thread_and_call, accesses->situations);
    fill_lanes(&lengths, sorted);
    free(sorted);
    bool is_unknown = is_too_much(&lengths);
    for (size_t i = 0; i < count; i++) {
        changes[i].before = lengths.cut_count ? 0 : first;
        changes[i].was_cut = is_unknown && lengths.cut_count > 0;
    }
    if (!is_unknown)
        find_all(&lengths);
    free(lengths.changes);
    free(lengths.cuts);
    free(lengths.lanes);
}
