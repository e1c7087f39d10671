/* What a judge knows of a situation is where it begins and ends among all that it is held
 * against: the clocks of what others begin, the marks of its thread, and the collective calls that
 * carried bytes of others. Places between which none of these lies are the same place. */
#include "verify/judge/alike.h"

#include "base/intern.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Where its timeline is at a place: in the order of the trace, of marks, of calls (reach.c). */
struct place {
    uint32_t step, tick;
    uint64_t call;
};

struct finding {
    const struct fth_runs *runs;
    const struct fth_run_accesses *accesses;
    /* by timeline, timeline_count + 1 of them: where its places begin, and where its situations do,
     * by where they end */
    size_t *first_place;
    struct place *places; /* of a timeline in order */
    size_t *first_situation;
    uint32_t *situations;
    uint32_t *ends; /* by situation: see below */
};

/* All that the answers depend on. */
struct likeness {
    uint64_t known;                      /* where it begins: a clock */
    uint64_t begins_behind, ends_behind; /* so many places of its timelines */
    uint64_t contents, cut_at;
    uint32_t ends; /* so many clocks know less of its timeline than its end; or FTH_NEVER */
    uint32_t begin_timeline, end_timeline, began, ended;
    uint32_t proc, thread, opening, handle, chain, opener, by_shared_pointer, description;
    uint32_t carrier; /* its own number + 1, if it carries bytes of others; else 0 */
    uint8_t layer, region, writes, atomic, removes, cuts, moves, unsure;
};

/* ---- places ---- */

static int by_place(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    if (one->step != other->step)
        return one->step < other->step ? -1 : 1;
    if (one->tick != other->tick)
        return one->tick < other->tick ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

static struct place begin_of(const struct fth_situation *situation)
{
    return (struct place){situation->begin.step, situation->began, situation->first_call + 1};
}

static struct place end_of(const struct fth_situation *situation)
{
    return (struct place){situation->end.step, situation->ended, situation->first_call + 1};
}

/* Counts the place, or, once it is known where those of a timeline begin, puts it there. */
static void put_place(struct finding *finding, uint32_t timeline, struct place place)
{
    size_t *next = &finding->first_place[timeline + 2];
    if (!finding->places)
        ++*next;
    else
        finding->places[finding->first_place[timeline + 1]++] = place;
}

static void put_situation(struct finding *finding, const struct fth_situation *situation)
{
    put_place(finding, situation->begin.timeline, begin_of(situation));
    if (situation->end.step != FTH_NEVER)
        put_place(finding, situation->end.timeline, end_of(situation));
}

static void put_places(struct finding *finding, const struct fth_carriers *carriers)
{
    const struct fth_run_accesses *accesses = finding->accesses;
    for (size_t i = 0; i < accesses->mark_count; i++) {
        const struct fth_sync_mark *mark = &accesses->marks[i];
        put_place(finding, mark->in.timeline, (struct place){mark->in.step, mark->began, 0});
        if (mark->out.step != FTH_NEVER)
            put_place(finding, mark->out.timeline, (struct place){mark->out.step, mark->ended, 0});
    }
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const uint32_t *members;
        size_t count = fth_carriers_with(carriers, &accesses->situations[i], &members);
        for (size_t k = 0; k < count; k++)
            put_situation(finding, &accesses->situations[members[k]]);
    }
}

static void find_places(struct finding *finding, const struct fth_carriers *carriers)
{
    size_t timelines = finding->runs->timeline_count;
    finding->first_place = fth_new(timelines + 2, sizeof *finding->first_place);
    put_places(finding, carriers);
    for (size_t i = 2; i < timelines + 2; i++)
        finding->first_place[i] += finding->first_place[i - 1];
    finding->places = fth_new(finding->first_place[timelines + 1] + 1, sizeof(struct place));
    put_places(finding, carriers);
    for (size_t i = 0; i < timelines; i++) {
        size_t first = finding->first_place[i], count = finding->first_place[i + 1] - first;
        if (count)
            qsort(finding->places + first, count, sizeof(struct place), by_place);
    }
}

/* How many places of the timeline come before this one; or, `with` it, are the same. */
static size_t places_before(const struct finding *finding, uint32_t timeline, struct place place,
                            bool with)
{
    size_t low = finding->first_place[timeline], high = finding->first_place[timeline + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = by_place(&finding->places[middle], &place);
        if (order < 0 || (with && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- what clocks know of the ends ---- */

enum { MOST_VALUES = 1 << 22 }; /* clocks x timelines: beyond that each end is a place of its own */

static int by_address(const void *a, const void *b)
{
    uintptr_t one = (uintptr_t) * (void *const *)a, other = (uintptr_t) * (void *const *)b;
    return one < other ? -1 : one > other;
}

static int by_value(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

struct clocks {
    const struct fth_vector_clock **all;
    size_t count;
};

static void add_clock(struct clocks *clocks, const struct finding *finding,
                      struct fth_moment moment)
{
    const struct fth_vector_clock *known = fth_runs_known(finding->runs, moment);
    if (!known || (clocks->count && clocks->all[clocks->count - 1] == known))
        return;
    FTH_GROW(clocks->all, clocks->count);
    clocks->all[clocks->count++] = known;
}

/* Those of a run at all that an end may be held against. */
static struct clocks clocks_of(const struct finding *finding, size_t run)
{
    const struct fth_run_accesses *accesses = finding->accesses;
    const uint32_t *run_of = finding->runs->run_of_proc;
    struct clocks clocks = {0};
    size_t kept = 0;
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (run_of[accesses->situations[i].proc] == run)
            add_clock(&clocks, finding, accesses->situations[i].begin);
    for (size_t i = 0; i < accesses->mark_count; i++)
        if (run_of[accesses->marks[i].proc] == run)
            add_clock(&clocks, finding, accesses->marks[i].in);
    if (clocks.count)
        qsort(clocks.all, clocks.count, sizeof *clocks.all, by_address);
    for (size_t i = 0; i < clocks.count; i++)
        if (i == 0 || clocks.all[i] != clocks.all[i - 1])
            clocks.all[kept++] = clocks.all[i];
    clocks.count = kept;
    return clocks;
}

/* Of the situations that end in a timeline: how many of the values that clocks have for it are not
 * above their end. */
static void find_ends(struct finding *finding, uint32_t timeline, const struct clocks *clocks,
                      uint32_t *values)
{
    const struct fth_run *run = &finding->runs->runs[finding->runs->run_of_timeline[timeline]];
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < clocks->count; i++) {
        uint32_t value = fth_order_known_events(clocks->all[i], timeline - run->first_timeline);
        if (!count || values[count - 1] != value)
            values[count++] = value;
    }
    if (count)
        qsort(values, count, sizeof *values, by_value);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[kept++] = values[i];
    for (size_t i = finding->first_situation[timeline]; i < finding->first_situation[timeline + 1];
         i++) {
        uint32_t situation = finding->situations[i];
        uint32_t step = finding->accesses->situations[situation].end.step;
        size_t low = 0, high = kept;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (values[middle] <= step)
                low = middle + 1;
            else
                high = middle;
        }
        finding->ends[situation] = (uint32_t)low;
    }
}

static void sort_by_timeline(struct finding *finding)
{
    const struct fth_run_accesses *accesses = finding->accesses;
    size_t timelines = finding->runs->timeline_count, *first;
    first = finding->first_situation = fth_new(timelines + 2, sizeof *first);
    finding->situations = fth_new(accesses->situation_count + 1, sizeof *finding->situations);
    finding->ends = fth_new(accesses->situation_count + 1, sizeof *finding->ends);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        finding->ends[i] = situation->end.step;
        first[situation->end.timeline + 2] += situation->end.step != FTH_NEVER;
    }
    for (size_t i = 2; i < timelines + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].end.step != FTH_NEVER)
            finding->situations[first[accesses->situations[i].end.timeline + 1]++] = (uint32_t)i;
}

static void find_all_ends(struct finding *finding)
{
    const struct fth_runs *runs = finding->runs;
    sort_by_timeline(finding);
    for (size_t run = 0; run < runs->count; run++) {
        struct clocks clocks = clocks_of(finding, run);
        size_t timelines = fth_order_timelines(runs->runs[run].order);
        uint32_t *values = fth_new(clocks.count + 1, sizeof *values);
        for (size_t i = 0; i < timelines && clocks.count <= MOST_VALUES / timelines; i++) {
            uint32_t timeline = runs->runs[run].first_timeline + (uint32_t)i;
            if (finding->first_situation[timeline] < finding->first_situation[timeline + 1])
                find_ends(finding, timeline, &clocks, values);
        }
        free(values);
        free(clocks.all);
    }
}

/* ---- all of it ---- */

static struct likeness likeness_of(const struct finding *finding, size_t number)
{
    const struct fth_situation *situation = &finding->accesses->situations[number];
    struct likeness likeness;
    memset(&likeness, 0, sizeof likeness); /* it is compared byte by byte */
    likeness.known = (uintptr_t)fth_runs_known(finding->runs, situation->begin);
    likeness.begins_behind =
        places_before(finding, situation->begin.timeline, begin_of(situation), true);
    if (situation->end.step != FTH_NEVER)
        likeness.ends_behind =
            places_before(finding, situation->end.timeline, end_of(situation), false);
    likeness.contents = situation->contents;
    likeness.cut_at = situation->cut_at;
    likeness.ends = finding->ends[number];
    likeness.begin_timeline = situation->begin.timeline;
    likeness.end_timeline = situation->end.timeline;
    likeness.began = situation->began;
    likeness.ended = situation->ended;
    likeness.proc = situation->proc;
    likeness.thread = situation->thread;
    likeness.opening = situation->opening;
    likeness.handle = situation->handle;
    likeness.chain = situation->chain;
    likeness.opener = situation->opener;
    likeness.by_shared_pointer = situation->by_shared_pointer;
    likeness.description = situation->description;
    likeness.carrier = situation->carrier != FTH_NO_CALL ? (uint32_t)number + 1 : 0;
    likeness.layer = situation->layer;
    likeness.region = situation->region;
    likeness.writes = situation->writes;
    likeness.atomic = situation->atomic;
    likeness.removes = situation->removes;
    likeness.cuts = situation->cuts;
    likeness.moves = situation->moves;
    likeness.unsure = situation->unsure;
    return likeness;
}

struct fth_alike fth_alike_find(const struct fth_runs *runs,
                                const struct fth_run_accesses *accesses,
                                const struct fth_carriers *carriers)
{
    struct finding finding = {.runs = runs, .accesses = accesses};
    struct fth_alike alike = {.of = fth_new(accesses->situation_count + 1, sizeof *alike.of)};
    struct fth_intern likenesses = {0};
    find_places(&finding, carriers);
    find_all_ends(&finding);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        struct likeness likeness = likeness_of(&finding, i);
        alike.of[i] = fth_intern(&likenesses, &likeness, sizeof likeness);
    }
    alike.count = likenesses.count;
    fth_intern_free(&likenesses);
    free(finding.first_place);
    free(finding.places);
    free(finding.first_situation);
    free(finding.situations);
    free(finding.ends);
    return alike;
}

struct fth_alike fth_alike_of_both(const struct fth_alike *one, const struct fth_alike *other,
                                   size_t situation_count)
{
    struct fth_alike both = {.of = fth_new(situation_count + 1, sizeof *both.of)};
    struct fth_intern pairs = {0};
    for (size_t i = 0; i < situation_count; i++) {
        uint32_t pair[2] = {one->of[i], other->of[i]};
        both.of[i] = fth_intern(&pairs, pair, sizeof pair);
    }
    both.count = pairs.count;
    fth_intern_free(&pairs);
    return both;
}

void fth_alike_free(struct fth_alike *alike)
{
    free(alike->of);
}
