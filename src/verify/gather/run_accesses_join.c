/* Operations of several processes become those of the run. */
#include "verify/gather/run_accesses.h"

#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

static void settle_moment(struct fth_moment *moment, uint32_t proc, const struct fth_run *run)
{
    if (moment->step == FTH_BY_TICKET)
        *moment = fth_order_moment(run->order, (struct fth_order_ticket){proc, moment->timeline});
    moment->timeline += run->first_timeline;
}

static void settle_opening(struct fth_opening *opening, const struct fth_run *run)
{
    opening->proc += run->first_proc;
    FTH_ADD_SATURATING(opening->time, run->offset);
    if (opening->closed < INT64_MAX)
        FTH_ADD_SATURATING(opening->closed, run->offset);
}

static void settle_interval(struct fth_ownership_interval *interval, const struct fth_run *run)
{
    settle_moment(&interval->begin, interval->proc, run);
    settle_moment(&interval->end, interval->proc, run);
    interval->proc += run->first_proc;
    FTH_ADD_SATURATING(interval->start, run->offset);
}

static void settle_position_use(struct fth_position_use *use, const struct fth_run *run)
{
    settle_moment(&use->moment, use->proc, run);
    use->proc += run->first_proc;
    FTH_ADD_SATURATING(use->seeks.start, run->offset);
    FTH_ADD_SATURATING(use->seeks.end, run->offset);
    FTH_ADD_SATURATING(use->accesses.start, run->offset);
    FTH_ADD_SATURATING(use->accesses.end, run->offset);
}

void fth_run_accesses_settle(struct fth_run_accesses *accesses, const struct fth_run *run)
{
    for (size_t i = 0; i < accesses->situation_count; i++) {
        struct fth_situation *situation = &accesses->situations[i];
        settle_moment(&situation->begin, situation->proc, run);
        settle_moment(&situation->end, situation->proc, run);
        situation->proc += run->first_proc;
        FTH_ADD_SATURATING(situation->start, run->offset);
        FTH_ADD_SATURATING(situation->end_time, run->offset);
    }
    for (size_t i = 0; i < accesses->mark_count; i++) {
        struct fth_sync_mark *mark = &accesses->marks[i];
        settle_moment(&mark->in, mark->proc, run);
        settle_moment(&mark->out, mark->proc, run);
        mark->proc += run->first_proc;
        FTH_ADD_SATURATING(mark->time, run->offset);
    }
    for (size_t i = 0; i < accesses->last_call_count; i++) {
        struct fth_last_call *last = &accesses->last_calls[i];
        settle_moment(&last->first, last->proc, run);
        settle_moment(&last->behind, last->proc, run);
        last->proc += run->first_proc;
        FTH_ADD_SATURATING(last->time, run->offset);
    }
    for (size_t i = 0; i < accesses->left_open_count; i++)
        accesses->left_open[i].proc += run->first_proc;
    for (size_t i = 0; i < accesses->touch_count; i++) {
        struct fth_touch *touch = &accesses->touches[i];
        settle_moment(&touch->moment, touch->proc, run);
        touch->proc += run->first_proc;
        FTH_ADD_SATURATING(touch->start, run->offset);
        FTH_ADD_SATURATING(touch->end, run->offset);
    }
    for (size_t i = 0; i < accesses->opening_count; i++)
        settle_opening(&accesses->openings[i], run);
    for (size_t i = 0; i < accesses->interval_count; i++)
        settle_interval(&accesses->intervals[i], run);
    for (size_t i = 0; i < accesses->position_use_count; i++)
        settle_position_use(&accesses->position_uses[i], run);
    for (size_t i = 0; i < accesses->birth_count; i++) {
        accesses->births[i].proc += run->first_proc;
        FTH_ADD_SATURATING(accesses->births[i].time, run->offset);
    }
    for (size_t i = 0; i < accesses->holding_count; i++) {
        struct fth_holding *holding = &accesses->holdings[i];
        holding->proc += run->first_proc;
        if (holding->from > INT64_MIN)
            FTH_ADD_SATURATING(holding->from, run->offset);
        if (holding->to < INT64_MAX)
            FTH_ADD_SATURATING(holding->to, run->offset);
    }
    for (size_t i = 0; i < accesses->sharing_count; i++) {
        accesses->sharings[i].proc += run->first_proc;
        FTH_ADD_SATURATING(accesses->sharings[i].time, run->offset);
    }
    for (size_t i = 0; i < accesses->name_event_count; i++) {
        accesses->name_events[i].proc += run->first_proc;
        FTH_ADD_SATURATING(accesses->name_events[i].time, run->offset);
    }
}

/* Numbers of `more` in `all`. */
static uint32_t *join_names(struct fth_run_accesses *all, const struct fth_run_accesses *more)
{
    uint32_t *now = fth_new(more->names.count + 1, sizeof *now);
    for (uint32_t i = 0; i < more->names.count; i++) {
        size_t length;
        const uint8_t *name = fth_interned(&more->names, i, &length);
        now[i] = fth_intern(&all->names, name, length);
    }
    return now;
}

static uint32_t *join_chains(struct fth_run_accesses *all, const struct fth_run_accesses *more,
                             const uint32_t *names)
{
    uint32_t *now = fth_new(more->chains.count + 1, sizeof *now);
    for (uint32_t i = 0; i < more->chains.count; i++) { /* parents come before their children */
        struct fth_chain chain;
        size_t length;
        memcpy(&chain, fth_interned(&more->chains, i, &length), sizeof chain);
        if (chain.parent != FTH_NO_CHAIN)
            chain.parent = now[chain.parent];
        if (chain.source != FTH_NO_CHAIN)
            chain.source = names[chain.source];
        now[i] = fth_intern(&all->chains, &chain, sizeof chain);
    }
    return now;
}

/* Room for `more` items behind the first `count`. */
#define EXTEND(array, count, more)                                                                 \
    ((array) = fth_resize((array), (count) + (more) + 1, sizeof *(array)))

static void join_accesses(struct fth_run_accesses *all, const struct fth_run_accesses *more,
                          const uint32_t *chains)
{
    uint32_t first = (uint32_t)all->situation_count;
    uint32_t opening = (uint32_t)all->opening_count, interval = (uint32_t)all->interval_count;
    EXTEND(all->situations, all->situation_count, more->situation_count);
    EXTEND(all->ranges, all->range_count, more->range_count);
    EXTEND(all->series, all->series_count, more->series_count);
    for (size_t i = 0; i < more->situation_count; i++) {
        struct fth_situation situation = more->situations[i];
        situation.chain = chains[situation.chain];
        situation.opening += opening;
        if (situation.interval != FTH_NO_INTERVAL)
            situation.interval += interval;
        all->situations[all->situation_count++] = situation;
    }
    for (size_t i = 0; i < more->range_count; i++) {
        all->ranges[all->range_count] = more->ranges[i];
        all->ranges[all->range_count++].situation += first;
    }
    for (size_t i = 0; i < more->series_count; i++) {
        all->series[all->series_count] = more->series[i];
        all->series[all->series_count++].situation += first;
    }
}

static void join_intervals(struct fth_run_accesses *all, const struct fth_run_accesses *more)
{
    uint32_t opening = (uint32_t)all->opening_count;
    EXTEND(all->intervals, all->interval_count, more->interval_count);
    EXTEND(all->births, all->birth_count, more->birth_count);
    for (size_t i = 0; i < more->interval_count; i++) {
        all->intervals[all->interval_count] = more->intervals[i];
        all->intervals[all->interval_count++].opening += opening;
    }
    for (size_t i = 0; i < more->birth_count; i++)
        all->births[all->birth_count++] = more->births[i];
    EXTEND(all->holdings, all->holding_count, more->holding_count);
    for (size_t i = 0; i < more->holding_count; i++) {
        all->holdings[all->holding_count] = more->holdings[i];
        all->holdings[all->holding_count++].opening += opening;
    }
    EXTEND(all->sharings, all->sharing_count, more->sharing_count);
    for (size_t i = 0; i < more->sharing_count; i++)
        all->sharings[all->sharing_count++] = more->sharings[i];
}

static void join_position_uses(struct fth_run_accesses *all, const struct fth_run_accesses *more,
                               const uint32_t *chains)
{
    uint32_t opening = (uint32_t)all->opening_count;
    EXTEND(all->position_uses, all->position_use_count, more->position_use_count);
    for (size_t i = 0; i < more->position_use_count; i++) {
        struct fth_position_use use = more->position_uses[i];
        use.opening += opening;
        use.seeks.chain = use.seeks.times ? chains[use.seeks.chain] : FTH_NO_CHAIN;
        use.accesses.chain = use.accesses.times ? chains[use.accesses.chain] : FTH_NO_CHAIN;
        all->position_uses[all->position_use_count++] = use;
    }
}

static void join_events(struct fth_run_accesses *all, const struct fth_run_accesses *more,
                        const uint32_t *names, const uint32_t *chains)
{
    uint32_t opening = (uint32_t)all->opening_count;
    EXTEND(all->marks, all->mark_count, more->mark_count);
    EXTEND(all->openings, all->opening_count, more->opening_count);
    EXTEND(all->name_events, all->name_event_count, more->name_event_count);
    for (size_t i = 0; i < more->mark_count; i++) {
        struct fth_sync_mark mark = more->marks[i];
        if (mark.opening != FTH_NO_OPENING)
            mark.opening += opening;
        mark.chain = chains[mark.chain];
        all->marks[all->mark_count++] = mark;
    }
    for (size_t i = 0; i < more->opening_count; i++) {
        struct fth_opening opened = more->openings[i];
        opened.name = names[opened.name];
        opened.asked = names[opened.asked];
        opened.host = names[opened.host];
        all->openings[all->opening_count++] = opened;
    }
    EXTEND(all->touches, all->touch_count, more->touch_count);
    for (size_t i = 0; i < more->touch_count; i++) {
        struct fth_touch touch = more->touches[i];
        touch.name = names[touch.name];
        touch.chain = chains[touch.chain];
        all->touches[all->touch_count++] = touch;
    }
    for (size_t i = 0; i < more->name_event_count; i++) {
        struct fth_name_event event = more->name_events[i];
        event.from = names[event.from];
        event.to = event.change == FTH_NAME_DELETED ? 0 : names[event.to];
        if (event.opening != FTH_NO_OPENING)
            event.opening += opening;
        all->name_events[all->name_event_count++] = event;
    }
}

static void join_ends(struct fth_run_accesses *all, const struct fth_run_accesses *more,
                      uint32_t opening)
{
    EXTEND(all->last_calls, all->last_call_count, more->last_call_count);
    EXTEND(all->left_open, all->left_open_count, more->left_open_count);
    for (size_t i = 0; i < more->last_call_count; i++)
        all->last_calls[all->last_call_count++] = more->last_calls[i];
    for (size_t i = 0; i < more->left_open_count; i++) {
        all->left_open[all->left_open_count] = more->left_open[i];
        all->left_open[all->left_open_count++].opening += opening;
    }
}

void fth_name_count(struct fth_name_counts *counts, uint32_t name, uint64_t times)
{
    counts->counts = fth_reach(counts->counts, &counts->limit, name, sizeof *counts->counts);
    counts->counts[name] += times;
}

static void join_counts(struct fth_name_counts *all, const struct fth_name_counts *more,
                        const uint32_t *names)
{
    for (uint32_t i = 0; i < more->limit; i++)
        if (more->counts[i])
            fth_name_count(all, names[i], more->counts[i]);
}

void fth_run_accesses_join(struct fth_run_accesses *all, struct fth_run_accesses *more)
{
    uint32_t *names = join_names(all, more), *chains = join_chains(all, more, names);
    join_ends(all, more, (uint32_t)all->opening_count);
    join_accesses(all, more, chains);
    join_intervals(all, more);
    join_position_uses(all, more, chains);
    join_events(all, more, names, chains);
    all->accesses += more->accesses;
    all->mapped += more->mapped;
    all->contents += more->contents;
    join_counts(&all->mapped_names, &more->mapped_names, names);
    free(names);
    free(chains);
    fth_run_accesses_free(more);
}

void fth_run_accesses_free(struct fth_run_accesses *accesses)
{
    fth_intern_free(&accesses->names);
    fth_intern_free(&accesses->chains);
    free(accesses->situations);
    free(accesses->ranges);
    free(accesses->series);
    free(accesses->marks);
    free(accesses->openings);
    free(accesses->name_events);
    free(accesses->changed_links);
    free(accesses->touches);
    free(accesses->touches_by_name);
    free(accesses->first_touch);
    free(accesses->intervals);
    free(accesses->position_uses);
    free(accesses->births);
    free(accesses->holdings);
    free(accesses->sharings);
    free(accesses->last_calls);
    free(accesses->left_open);
    free(accesses->mapped_names.counts);
    free(accesses->turn_names.counts);
    free(accesses->vague_turn_names.counts);
    *accesses = (struct fth_run_accesses){0};
}
