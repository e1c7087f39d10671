/* Who takes something waits until enough has been added. Calls take effect one after the other,
 * each at some moment between its begin and its end; what is there is never less than nothing. Of
 * the orders in which that can have been only what holds in all of them is an edge:
 *
 * - Before a call that takes came all that had returned when it began, and those that must have:
 *   had it been the first, there would have been less than nothing.
 * - So at least so much was taken, and at least that, less what was there at first, had been added.
 *   What may have been added before the call returned is known, too. If an addition and
 *   all that comes behind it in its thread are taken away from that, and it is not enough, then
 *   that addition came before. */
#include "order/match/tally_spans.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A stretch of time and what would be there at its end, if each addition had taken effect at once
 * and nothing been taken before it had to be. */
struct stretch {
    int64_t last, level;
};

struct levels {
    struct stretch *all; /* each higher than those before it */
    size_t count, room;
};

/* Additions of one thread, by their number among all of the span. */
struct timeline {
    uint32_t timeline;
    size_t *ups;
    size_t count;
    int64_t *before;
};

struct timelines {
    struct timeline *all;
    size_t count;
};

/* ---- amounts ---- */

/* Those of one time by thread. */
static int by_time(const struct fth_move *a, const struct fth_move *b, int64_t one, int64_t other)
{
    if (one != other)
        return one < other ? -1 : 1;
    if (a->begin.timeline != b->begin.timeline)
        return a->begin.timeline < b->begin.timeline ? -1 : 1;
    return (a->begin.step > b->begin.step) - (a->begin.step < b->begin.step);
}

static int by_start(const void *one, const void *other)
{
    const struct fth_move *a = one, *b = other;
    return by_time(a, b, a->start_time, b->start_time);
}

static int by_end(const void *one, const void *other)
{
    const struct fth_move *a = one, *b = other;
    return by_time(a, b, a->end_time, b->end_time);
}

static void sum_up(struct fth_moves *moves)
{
    moves->before = fth_new(moves->count + 1, sizeof *moves->before);
    for (size_t i = 0; i < moves->count; i++)
        moves->before[i + 1] = moves->before[i] + moves->all[i].amount;
}

static int64_t before(int64_t time)
{
    return time > INT64_MIN ? time - 1 : time;
}

static int64_t start_of(const struct fth_move *move)
{
    return move->start_time;
}

static int64_t end_of(const struct fth_move *move)
{
    return move->end_time;
}

/* How many of them, in order of that time, have it by then. */
static size_t count_by(const struct fth_moves *moves, int64_t (*time_of)(const struct fth_move *),
                       int64_t time)
{
    size_t low = 0, high = moves->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (time_of(&moves->all[middle]) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct fth_moves sorted_copy(const struct fth_moves *moves,
                                    int (*order)(const void *, const void *))
{
    struct fth_moves copy = {fth_new(moves->count + 1, sizeof *copy.all), moves->count, NULL};
    if (moves->count)
        memcpy(copy.all, moves->all, moves->count * sizeof *copy.all);
    qsort(copy.all, copy.count, sizeof *copy.all, order);
    sum_up(&copy);
    return copy;
}

/* ---- what must have been taken before ---- */

static void add_level(struct levels *levels, int64_t last, int64_t level)
{
    while (levels->count && levels->all[levels->count - 1].level >= level)
        levels->count--;
    if (levels->count == levels->room) {
        levels->room += levels->room / 2 + 64;
        levels->all = fth_resize(levels->all, levels->room, sizeof *levels->all);
    }
    levels->all[levels->count++] = (struct stretch){last, level};
}

/* The last moment at which so much could not have been taken; INT64_MIN: there is none. */
static int64_t last_below(const struct levels *levels, int64_t amount)
{
    size_t low = 0, high = levels->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (levels->all[middle].level < amount)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? levels->all[low - 1].last : INT64_MIN;
}

/* For each call that takes: since when it can have done so. False: more was taken than was
 * added. */
static bool find_earliest(const struct fth_tally_span *span, int64_t *earliest)
{
    const struct fth_moves *ups = &span->ups, *downs = &span->downs;
    struct levels levels = {NULL, 0, 0};
    int64_t level = span->first;
    size_t up = 0, down = 0;
    while (level >= 0 && down < downs->count) {
        int64_t now = downs->all[down].end_time;
        if (up < ups->count && ups->all[up].start_time < now)
            now = ups->all[up].start_time;
        add_level(&levels, before(now), level);
        for (; up < ups->count && ups->all[up].start_time == now; up++)
            level += ups->all[up].amount;
        for (; down < downs->count && downs->all[down].end_time == now; down++) {
            const struct fth_move *move = &downs->all[down];
            int64_t below = last_below(&levels, move->amount);
            earliest[down] = below >= move->start_time ? below + 1 : move->start_time;
            level -= move->amount;
        }
    }
    free(levels.all);
    return level >= 0;
}

/* ---- additions by thread ---- */

static int by_timeline(const void *one, const void *other)
{
    const struct timeline *a = one, *b = other;
    return (a->timeline > b->timeline) - (a->timeline < b->timeline);
}

static struct timeline *timeline_of(const struct timelines *timelines, uint32_t number)
{
    struct timeline wanted = {.timeline = number};
    return timelines->count
               ? bsearch(&wanted, timelines->all, timelines->count, sizeof wanted, by_timeline)
               : NULL;
}

static struct timelines timelines_of(const struct fth_moves *ups)
{
    struct timelines timelines = {fth_new(ups->count + 1, sizeof *timelines.all), 0};
    for (size_t i = 0; i < ups->count; i++)
        timelines.all[i].timeline = ups->all[i].begin.timeline;
    qsort(timelines.all, ups->count, sizeof *timelines.all, by_timeline);
    for (size_t i = 0; i < ups->count; i++)
        if (!i || timelines.all[i].timeline != timelines.all[i - 1].timeline)
            timelines.all[timelines.count++].timeline = timelines.all[i].timeline;
    for (size_t i = 0; i < ups->count; i++) {
        struct timeline *timeline = timeline_of(&timelines, ups->all[i].begin.timeline);
        FTH_GROW(timeline->ups, timeline->count);
        timeline->ups[timeline->count++] = i;
    }
    for (size_t i = 0; i < timelines.count; i++) {
        struct timeline *timeline = &timelines.all[i];
        timeline->before = fth_new(timeline->count + 1, sizeof *timeline->before);
        for (size_t k = 0; k < timeline->count; k++)
            timeline->before[k + 1] = timeline->before[k] + ups->all[timeline->ups[k]].amount;
    }
    return timelines;
}

static void free_timelines(struct timelines *timelines)
{
    for (size_t i = 0; i < timelines->count; i++)
        free(timelines->all[i].ups), free(timelines->all[i].before);
    free(timelines->all);
}

/* How many of them are among the first `count` of all. */
static size_t among_first(const struct timeline *timeline, size_t count)
{
    size_t low = 0, high = timeline->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (timeline->ups[middle] < count)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- edges ---- */

/* A call that takes: what it needs, and what there may have been. */
struct need {
    const struct fth_move *move;
    int64_t least, most; /* that must have been added before it; that may have had to be */
    size_t begun;        /* additions, of all, that may have come before it */
    int64_t added;       /* the amount of these */
    size_t own_later;    /* some of them: its own thread's, of the same instant */
    int64_t own_amount;
};

static struct need need_of(const struct fth_tally_span *span, const struct timelines *timelines,
                           size_t number, int64_t earliest, const struct fth_moves *by_begin)
{
    const struct fth_move *move = &span->downs.all[number];
    struct need need = {.move = move, .begun = count_by(&span->ups, start_of, move->end_time)};
    size_t ended = count_by(&span->downs, end_of, before(earliest));
    int64_t taken = span->downs.before[ended];
    for (; ended < number && span->downs.all[ended].end_time <= move->start_time; ended++)
        if (span->downs.all[ended].begin.timeline == move->begin.timeline)
            taken += span->downs.all[ended].amount; /* of the same instant */
    need.least = taken + move->amount - span->first;
    size_t begun = count_by(by_begin, start_of, move->end_time);
    need.most = by_begin->before[begun] - span->first;
    for (const struct fth_move *at = by_begin->all + begun;
         at > by_begin->all && at[-1].start_time == move->end_time; at--)
        if (at[-1].begin.timeline == move->begin.timeline && at[-1].begin.step > move->begin.step)
            need.most -= at[-1].amount;
    need.added = span->ups.before[need.begun];
    const struct timeline *own = timeline_of(timelines, move->begin.timeline);
    for (size_t k = own ? among_first(own, need.begun) : 0; k-- > 0;) {
        const struct fth_move *up = &span->ups.all[own->ups[k]];
        if (up->begin.step < move->begin.step)
            break;
        need.own_later++;
        need.own_amount += up->amount;
    }
    need.added -= need.own_amount;
    return need;
}

/* Additions of this thread that must have come before it. */
static size_t needed_of(const struct timeline *timeline, const struct need *need)
{
    size_t count = among_first(timeline, need->begun), low = 0;
    if (timeline->timeline == need->move->begin.timeline)
        count -= need->own_later;
    size_t high = count;
    while (low < high) { /* the first one that can be done without, with all behind it */
        size_t middle = low + (high - low) / 2;
        if (timeline->before[count] - timeline->before[middle] > need->added - need->least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For each addition the least that can have been added before it and those behind it. */
static int64_t *find_lower(const struct fth_moves *ups, const struct timelines *timelines)
{
    struct fth_moves ended = sorted_copy(ups, by_end);
    int64_t *lower = fth_new(ups->count + 1, sizeof *lower);
    for (size_t i = 0; i < ups->count; i++)
        lower[i] = ended.before[count_by(&ended, end_of, before(ups->all[i].start_time))];
    for (size_t i = 0; i < timelines->count; i++)
        for (size_t k = 0; k < timelines->all[i].count; k++) {
            int64_t *of_it = &lower[timelines->all[i].ups[k]];
            *of_it = timelines->all[i].before[k] > *of_it ? timelines->all[i].before[k] : *of_it;
        }
    for (size_t i = ups->count; i-- > 1;)
        lower[i - 1] = lower[i] < lower[i - 1] ? lower[i] : lower[i - 1];
    free(ended.all), free(ended.before);
    return lower;
}

/* So many additions may be ones that it waited for: each is behind less than that. */
static size_t possible(const int64_t *lower, const struct need *need)
{
    size_t low = 0, high = need->begun;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lower[middle] < need->most)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether more may have been needed. */
static bool add_edges(struct fth_clocks *clocks, const struct fth_tally_span *span,
                      const struct timelines *timelines, const int64_t *lower,
                      const struct need *need)
{
    size_t certain = 0;
    for (size_t i = 0; i < timelines->count && need->least > 0; i++) {
        const struct timeline *timeline = &timelines->all[i];
        size_t count = needed_of(timeline, need);
        certain += count;
        if (count && timeline->timeline != need->move->begin.timeline)
            fth_clocks_edge(clocks, span->ups.all[timeline->ups[count - 1]].begin, need->move->end);
    }
    size_t may = need->most > 0 ? possible(lower, need) : 0;
    return may > certain + need->own_later;
}

static bool *order(struct fth_clocks *clocks, const struct fth_tally_span *span)
{
    const struct fth_moves *ups = &span->ups, *downs = &span->downs;
    int64_t *earliest = fth_new(downs->count + 1, sizeof *earliest);
    if (!find_earliest(span, earliest)) {
        free(earliest);
        return NULL;
    }
    bool *unsure = fth_new(downs->count + 1, 1);
    struct fth_moves begun = sorted_copy(downs, by_start);
    struct timelines timelines = timelines_of(ups);
    int64_t *lower = find_lower(ups, &timelines);
    uint32_t hub = UINT32_MAX;
    size_t in_hub = 0;
    for (size_t i = 0; i < downs->count; i++) {
        struct need need = need_of(span, &timelines, i, earliest[i], &begun);
        if (need.least <= 0 || need.added > need.least || need.own_later) {
            unsure[i] = add_edges(clocks, span, &timelines, lower, &need);
            continue;
        }
        /* all that may have been added was needed */
        if (need.begun > in_hub) {
            hub = fth_clocks_hub(clocks, hub != UINT32_MAX);
            for (; in_hub < need.begun; in_hub++)
                fth_clocks_into(clocks, ups->all[in_hub].begin);
        }
        fth_clocks_out_of(clocks, hub, need.move->end);
    }
    free_timelines(&timelines);
    free(lower);
    free(begun.all), free(begun.before);
    free(earliest);
    return unsure;
}

/* ---- the door ---- */

void fth_moves_add(struct fth_moves *moves, struct fth_move move)
{
    FTH_GROW(moves->all, moves->count);
    moves->all[moves->count++] = move;
}

bool *fth_span_order(struct fth_clocks *clocks, struct fth_tally_span *span)
{
    if (span->ups.count)
        qsort(span->ups.all, span->ups.count, sizeof *span->ups.all, by_start);
    if (span->downs.count)
        qsort(span->downs.all, span->downs.count, sizeof *span->downs.all, by_end);
    sum_up(&span->ups);
    sum_up(&span->downs);
    return order(clocks, span);
}

void fth_span_free(struct fth_tally_span *span)
{
    free(span->ups.all), free(span->ups.before);
    free(span->downs.all), free(span->downs.before);
    *span = (struct fth_tally_span){.first = 0};
}
