/* Semaphores and eventfd counters: which calls use the same one, and what is known of it.
 * tally_spans.c derives the order from this. If one of several additions may have ended a wait,
 * it is unknown which one did. A call that reads the value takes nothing, so the others stay
 * ordered, but it may depend on any of them. A counter of which something may not have been
 * recorded orders nothing. */
#include "base/memory.h"
#include "order/match/match.h"
#include "order/match/tally_spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint32_t host, proc;
    const struct fth_order_tally *tally;
    const struct fth_order_tick *tick;
};

/* ---- what is not followed ---- */

static void leave_unfollowed(struct fth_matching *matching, const struct entry *entry,
                             bool releases, bool acquires)
{
    if (entry->tally->sender)
        return; /* whoever sends a signal may release by it, seen or not (shared.c) */
    fth_match_unfollowed(matching, entry->tally->called,
                         (struct fth_unfollowed){.proc = entry->proc,
                                                 .operation = entry->tick->operation,
                                                 .start = entry->tick->start,
                                                 .end = entry->tick->end,
                                                 .releases = releases,
                                                 .acquires = acquires});
}

static bool takes(const struct entry *entry)
{
    return entry->tick->kind == FTH_TICK_DOWN;
}

/* Who looks may acquire from who adds, and from who takes; where messages are selected, who takes
 * one may acquire from any who has sent one. */
static void leave_looks(struct fth_matching *matching, const struct entry *entries, size_t count,
                        bool selects)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].tick->kind != FTH_TICK_MADE)
            leave_unfollowed(matching, &entries[i], entries[i].tick->kind != FTH_TICK_LOOK,
                             entries[i].tick->kind == FTH_TICK_LOOK ||
                                 (selects && takes(&entries[i])));
}

/* Did somebody take one while this call that adds one was under way? In a queue that was full it
 * has waited for that. Entries come in order of start. */
static bool was_given_room(const struct entry *entries, size_t count, size_t at)
{
    for (size_t i = at + 1; i < count && entries[i].tick->start <= entries[at].tick->end; i++)
        if (takes(&entries[i]) && entries[i].proc != entries[at].proc)
            return true;
    return false;
}

/* Who adds to what has little room may have waited until somebody took something: how much room
 * there is nobody knows. */
static void leave_waited(struct fth_matching *matching, const struct entry *entries, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        bool waited = entries[i].tally->is_bounded && entries[i].tick->kind == FTH_TICK_UP &&
                      (entries[i].tick->after_refusal || was_given_room(entries, count, i));
        if (waited)
            leave_unfollowed(matching, &entries[i], true, true);
        any |= waited;
    }
    for (size_t i = 0; any && i < count; i++)
        if (takes(&entries[i]))
            leave_unfollowed(matching, &entries[i], true, false);
}

static void leave_all(struct fth_matching *matching, const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].tick->kind != FTH_TICK_MADE)
            leave_unfollowed(matching, &entries[i], entries[i].tick->kind != FTH_TICK_LOOK,
                             takes(&entries[i]) || entries[i].tick->kind == FTH_TICK_LOOK);
}

/* ---- which of them, and what is known of it ---- */

/* Whoever may have it: those that used it, and their children; any process, if it has a name. */
static bool is_seen(const struct fth_matching *matching, const struct fth_trace *trace,
                    const struct entry *entries, size_t count)
{
    bool *has = fth_new(matching->process_count + 1, 1), seen = true, named = false;
    int64_t sender = entries[0].tally->sender;
    for (size_t i = 0; i < count; i++) {
        has[entries[i].proc] = true;
        named |= entries[i].tally->has_name;
    }
    for (size_t i = 0; i < matching->process_count; i++) {
        const struct fth_process *process = trace ? fth_trace_process(trace, i) : NULL;
        int64_t parent = process ? process->parent_proc : -1;
        has[i] |= named || (parent >= 0 && (size_t)parent < i && has[parent]);
        if (process && sender && process->pid == sender)
            seen &= !matching->processes[i].tallies.signals_many;
        if (has[i] && matching->processes[i].host == entries[0].host)
            seen &= !matching->processes[i].has_unseen;
    }
    free(has);
    return seen;
}

static struct fth_move move_of(const struct fth_matching *matching, const struct entry *entry)
{
    const struct fth_order_tick *tick = entry->tick;
    struct fth_order_operation operation =
        fth_order_operation(&matching->processes[entry->proc], tick->operation);
    return (struct fth_move){entry,       operation.begin, operation.end,
                             tick->start, tick->end,       tick->amount};
}

/* What it was made with, as all say who made it; -1: not known. */
static int64_t made_with(const struct entry *entries, size_t count)
{
    int64_t made = -1;
    for (size_t i = 0; i < count; i++) {
        const struct fth_order_tick *tick = entries[i].tick;
        if (tick->kind != FTH_TICK_MADE || tick->amount < 0)
            continue;
        if (made >= 0 && made != tick->amount)
            return -1;
        made = tick->amount;
    }
    return made;
}

/* Where it is not known who added what somebody waited for, all that did may have. */
static void leave_unsure(struct fth_matching *matching, const struct fth_tally_span *span,
                         const bool *unsure)
{
    bool any = false;
    for (size_t i = 0; i < span->downs.count; i++) {
        any |= unsure[i];
        if (unsure[i])
            leave_unfollowed(matching, span->downs.all[i].of, false, true);
    }
    for (size_t i = 0; any && i < span->ups.count; i++)
        leave_unfollowed(matching, span->ups.all[i].of, true, false);
}

/* It is whole. False: it cannot have been so. */
static bool end_span(struct fth_matching *matching, struct fth_tally_span *span)
{
    bool *unsure = fth_span_order(matching->clocks, span);
    if (unsure)
        leave_unsure(matching, span, unsure);
    free(unsure);
    fth_span_free(span);
    return unsure != NULL;
}

/* When it was used last, and set; whether somebody has looked, has selected what to take, or has
 * done what the end of its process takes back. */
struct times {
    int64_t latest, set;
    bool looked, selected, undone;
};

/* Who sets it begins anew, if nobody uses it meanwhile. It adds what it sets, so that who takes
 * that comes behind it. */
static bool add_call(struct fth_matching *matching, struct fth_tally_span *span,
                     struct times *times, const struct entry *entry)
{
    const struct fth_order_tick *tick = entry->tick;
    struct fth_move move = move_of(matching, entry);
    bool sets = tick->kind == FTH_TICK_SET;
    times->selected |= tick->selects;
    times->undone |= tick->undone;
    if (tick->amount < 0)
        return false;
    if (tick->kind == FTH_TICK_LOOK || tick->kind == FTH_TICK_GONE) {
        times->looked |= tick->kind == FTH_TICK_LOOK;
        return true;
    }
    if (move.end.timeline == FTH_NO_TIMELINE || tick->start <= times->set ||
        (sets && (tick->start <= times->latest || times->undone)))
        return false;
    if (sets) {
        if (span->first >= 0 && !end_span(matching, span))
            return false;
        span->first = 0;
        times->set = tick->end;
    }
    if (span->first < 0)
        return false;
    fth_moves_add(takes(entry) ? &span->downs : &span->ups, move);
    times->latest = tick->end > times->latest ? tick->end : times->latest;
    return true;
}

static bool one_tally(struct fth_matching *matching, const struct entry *entries, size_t count)
{
    struct fth_tally_span span = {.first =
                                      entries[0].tally->sender ? 0 : made_with(entries, count)};
    struct times times = {.latest = INT64_MIN, .set = INT64_MIN};
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        if (entries[i].tick->kind != FTH_TICK_MADE)
            fits = add_call(matching, &span, &times, &entries[i]);
    if (fits && span.first >= 0)
        fits = end_span(matching, &span);
    if (fits && (times.looked || times.selected))
        leave_looks(matching, entries, count, times.selected);
    if (fits)
        leave_waited(matching, entries, count);
    fth_span_free(&span);
    return fits;
}

/* ---- what the end of a process takes back (SEM_UNDO) ---- */

/* The process as the program that it became last. */
static uint32_t last_image(const struct fth_matching *matching, const struct fth_trace *trace,
                           uint32_t proc)
{
    for (uint32_t i = proc + 1; trace && i < matching->process_count; i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->parent_proc == proc && process->pid == fth_trace_process(trace, proc)->pid)
            proc = i;
    }
    return proc;
}

/* What a process has not taken back itself its end does: that notifies who waits for it. Entries
 * are those of one tally. Returns whether there is any. */
static bool leave_undone(struct fth_matching *matching, const struct fth_trace *trace,
                         const struct entry *entries, size_t count)
{
    int64_t *left = fth_new(matching->process_count + 1, sizeof *left);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const struct fth_order_tick *tick = entries[i].tick;
        bool known = tick->amount >= 0 && left[entries[i].proc] != INT64_MAX;
        if (tick->undone && tick->kind != FTH_TICK_LOOK)
            left[entries[i].proc] = !known               ? INT64_MAX
                                    : takes(&entries[i]) ? left[entries[i].proc] - tick->amount
                                                         : left[entries[i].proc] + tick->amount;
    }
    for (uint32_t i = 0; i < matching->process_count; i++) {
        if (!left[i])
            continue;
        uint32_t last = last_image(matching, trace, i);
        int64_t end = trace ? fth_trace_process(trace, last)->end : INT64_MAX;
        fth_match_unfollowed(matching, entries[0].tally->called,
                             (struct fth_unfollowed){.proc = last,
                                                     .operation = FTH_NO_OPERATION,
                                                     .start = end,
                                                     .end = end,
                                                     .releases = true});
        any = true;
    }
    free(left);
    return any;
}

/* ---- all of them ---- */

static int by_tally(const struct entry *a, const struct entry *b)
{
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    return strcmp(a->tally->key, b->tally->key);
}

static int by_tally_and_start(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    int order = by_tally(a, b);
    if (order)
        return order;
    return (a->tick->start > b->tick->start) - (a->tick->start < b->tick->start);
}

void fth_match_tallies(struct fth_matching *matching, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = trace ? fth_trace_info(trace) : NULL;
    bool exact = !info || (!info->times_are_means && !info->time_percent);
    struct entry *entries = NULL;
    size_t count = 0;
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (size_t k = 0; k < process->tallies.tick_count; k++) {
            const struct fth_order_tick *tick = &process->tallies.ticks[k];
            FTH_GROW(entries, count);
            entries[count++] =
                (struct entry){process->host, i, &process->tallies.all[tick->tally], tick};
        }
    }
    if (count)
        qsort(entries, count, sizeof *entries, by_tally_and_start);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && by_tally(&entries[from], &entries[to]) == 0)
            to++;
        const struct entry *first = entries + from;
        bool undone = leave_undone(matching, trace, first, to - from);
        if (!exact || undone || first->tally->is_unknown ||
            !is_seen(matching, trace, first, to - from) || !one_tally(matching, first, to - from))
            leave_all(matching, first, to - from);
    }
    free(entries);
}
