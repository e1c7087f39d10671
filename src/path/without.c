/* How long the run would be if something were gone: all events once more, each thread as far as it
 * can go, as soon as it could. Whatever is left takes as long as it did; a call ends when all has
 * begun that it waits for, and what it took beyond that in the run is behind it. */
#include "base/memory.h"
#include "base/saturating.h"
#include "path/run_flow.h"

#include <string.h>

struct replay {
    const struct fth_path *path;
    const struct fth_path_change *change;
    /* by timeline: of each event that has its new time that one */
    struct fth_rows *times;
    struct fth_rows_place *places; /* where its times are looked at */
    uint32_t *at;                  /* by timeline: events before it have their new time */
    int64_t *last;                 /* by timeline: that of the last one of them */
    size_t *edge;                  /* by timeline: edges before it have been followed */
    struct fth_rows_place inputs;  /* where inputs of hubs are looked at */
    int64_t *hubs;           /* by hub: the latest of what goes into it; or one of those below */
    struct look *looks;      /* by timeline: the hub that it looks at for all */
    bool ended_look;         /* the timeline at hand does so no longer */
    struct waiting *waiting; /* by timeline */
    uint32_t needed;         /* event that the timeline at hand waits for */
    uint32_t *queue, queued;
    const bool *gone; /* by work; NULL: all of it stays */
    const bool *stop; /* another thread says that nobody asks any more; or NULL */
};

/* What goes into a hub is looked at by one timeline, once. The others wait for that one. */
struct look {
    int64_t latest; /* of the events before `taken` */
    size_t taken;
};

struct waiting {
    uint32_t on, needs; /* timeline; the event there that has no new time; FTH_NO_TIMELINE: none */
    uint32_t next;      /* that waits on the same */
    uint32_t first_waiter, least_needed; /* those that wait on this one; the least that they need */
};

/* Of hubs, less than any time: timeline n looks at it: LOOKED_AT + n; nothing goes into it. */
static const int64_t NOT_KNOWN = INT64_MIN, LOOKED_AT = INT64_MIN + 1,
                     NOTHING = INT64_MIN + ((int64_t)1 << 33);

struct fth_path_work fth_path_work_at(const struct fth_path *path, uint32_t number)
{
    const struct fth_flow_work *about = &path->work.all[number];
    struct fth_path_work work = {
        .io = about->io, .chosen = about->chosen, .starts_mpi = about->starts_mpi};
    if (about->function != FTH_NO_FUNCTION)
        work.function = fth_trace_function(path->trace, about->function);
    if (about->asked != FTH_NO_FUNCTION)
        work.asked = fth_trace_function(path->trace, about->asked);
    if (about->file != FTH_FLOW_NO_FILE)
        work.file = fth_path_file(path, about->file);
    return work;
}

/* What the thread would have less behind event `step`, if those that meet next had done equally
 * much; NULL: they do not meet. */
static const struct fth_balance *balance_at(const struct fth_path *path, uint32_t timeline,
                                            uint32_t step)
{
    const struct fth_balances *balances = &path->results.balances[timeline];
    size_t low = 0, high = balances->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (balances->all[middle].to <= step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < balances->count && balances->all[low].from <= step ? &balances->all[low] : NULL;
}

/* The share of work of this number that would be gone. */
static double less_of(const struct replay *replay, uint32_t timeline, uint32_t step, uint32_t work)
{
    const struct fth_path *path = replay->path;
    uint8_t activity = path->work.all[work].activity;
    bool computes = activity == FTH_FLOW_COMPUTES;
    if (computes ? !replay->change->balanced
                 : !replay->change->balanced_io || activity >= FTH_ACTIVITY_IO_KINDS)
        return 0;
    const struct fth_balance *balance = balance_at(path, timeline, step);
    return !balance ? 0 : computes ? balance->less : balance->less_io;
}

/* What stays of `time`, which was spent between two events. */
static int64_t left_between(struct replay *replay, uint32_t number, uint32_t from, uint32_t to,
                            int64_t time)
{
    const struct fth_thread_timeline *timeline = &replay->path->timelines[number];
    int64_t gone = 0;
    bool balances = replay->change->balanced || replay->change->balanced_io;
    if (time <= 0 || (!replay->gone && !balances))
        return time > 0 ? time : 0;
    int64_t less = 0, part;
    uint32_t work;
    struct fth_flow_shares shares = fth_flow_shares(timeline, from, to);
    while (fth_flow_next_share(&shares, &work, &part)) {
        if (replay->gone && replay->gone[work])
            gone += part;
        if (balances)
            less += fth_saturating_integer((double)part *
                                           less_of(replay, number, shares.step - 1, work));
    }
    if (replay->change->kept > 0) { /* what was waited before is no part of the time */
        gone = gone < time ? gone : time;
        gone -= fth_saturating_integer((double)gone * replay->change->kept);
    }
    return time > gone + less ? time - gone - less : 0;
}

/* ---- what events wait for ---- */

static int64_t new_time(const struct replay *replay, uint32_t timeline, uint32_t step)
{
    return step + 1 == replay->at[timeline]
               ? replay->last[timeline]
               : *fth_rows_at(&replay->times[timeline], &replay->places[timeline], step);
}

/* The timeline that has to go on first, or FTH_NO_TIMELINE: *time is the new one of the event. */
static uint32_t time_of(struct replay *replay, struct fth_event event, int64_t *time)
{
    replay->needed = event.step;
    if (event.step >= replay->at[event.timeline])
        return event.timeline;
    *time = new_time(replay, event.timeline, event.step);
    return FTH_NO_TIMELINE;
}

static bool is_known(const struct replay *replay, uint32_t hub)
{
    return replay->hubs[hub] >= NOTHING;
}

/* The timeline goes on to look at a hub; what is chained before it is known. */
static uint32_t look_at_hub(struct replay *replay, uint32_t number, uint32_t hub)
{
    struct look *look = &replay->looks[number];
    bool chained;
    size_t count = fth_order_hub_size(replay->path->order, hub, &chained);
    if (replay->hubs[hub] == NOT_KNOWN) {
        *look = (struct look){chained ? replay->hubs[hub - 1] : NOTHING, 0};
        replay->hubs[hub] = LOOKED_AT + number;
    }
    for (; look->taken < count; look->taken++) {
        int64_t time;
        struct fth_event input =
            fth_order_hub_input(replay->path->order, &replay->inputs, hub, look->taken);
        if (!fth_path_has(replay->path, input))
            continue;
        uint32_t blocker = time_of(replay, input, &time);
        if (blocker == number) { /* it does not wait for itself: another one looks */
            replay->hubs[hub] = NOT_KNOWN;
            replay->ended_look = true;
        }
        if (blocker != FTH_NO_TIMELINE)
            return blocker;
        look->latest = time > look->latest ? time : look->latest;
    }
    replay->hubs[hub] = look->latest;
    replay->ended_look = true;
    return FTH_NO_TIMELINE;
}

/* Another timeline looks at the hub: that one has to go on first, unless it waits for this one. */
static uint32_t wait_for_look(struct replay *replay, uint32_t number, uint32_t hub)
{
    uint32_t other = (uint32_t)(replay->hubs[hub] - LOOKED_AT);
    struct fth_event next =
        fth_order_hub_input(replay->path->order, &replay->inputs, hub, replay->looks[other].taken);
    replay->needed = replay->at[other];
    return next.timeline == number && next.step >= replay->at[number] ? number : other;
}

/* The same as time_of, for all that goes into a hub. */
static uint32_t time_of_hub(struct replay *replay, uint32_t number, uint32_t hub, int64_t *time)
{
    uint32_t first = hub;
    bool chained;
    while (replay->hubs[first] == NOT_KNOWN &&
           (fth_order_hub_size(replay->path->order, first, &chained), chained) &&
           !is_known(replay, first - 1))
        first--;
    for (; first <= hub; first++) {
        if (is_known(replay, first))
            continue;
        bool mine = replay->hubs[first] == NOT_KNOWN || replay->hubs[first] == LOOKED_AT + number;
        uint32_t blocker =
            mine ? look_at_hub(replay, number, first) : wait_for_look(replay, number, first);
        if (blocker != FTH_NO_TIMELINE)
            return blocker;
    }
    *time = replay->hubs[hub];
    return FTH_NO_TIMELINE;
}

/* Is it so in the run that the one was before the other? */
static bool was_before(const struct fth_path *path, struct fth_event from, uint32_t timeline,
                       int64_t time)
{
    return from.timeline != timeline && fth_path_has(path, from) &&
           fth_path_time(path, from) <= time;
}

/* The new time of the last that has to come before an event. The cause is among the edges, or it is
 * a receive that a send waited for, or nothing did: the thread came last itself. */
static uint32_t look_at_edges(struct replay *replay, uint32_t number, uint32_t step, size_t at,
                              const struct fth_event *cause, int64_t *until)
{
    const struct fth_path *path = replay->path;
    const struct fth_thread_timeline *timeline = &path->timelines[number];
    uint16_t function = fth_flow_kind(timeline, step)->function;
    int64_t now = fth_flow_time(timeline, step), time = INT64_MIN;
    bool first = function != FTH_NO_FUNCTION && path->facts[function].takes_first;
    uint32_t before = cause ? time_of(replay, *cause, until) : FTH_NO_TIMELINE;
    if (before != FTH_NO_TIMELINE)
        return before;
    for (; !first && at < timeline->edge_count; at++) {
        struct fth_order_edge edge = fth_flow_edge(timeline, at);
        uint32_t blocker = FTH_NO_TIMELINE;
        if (edge.to != step)
            break;
        time = INT64_MIN;
        if (edge.from != FTH_NO_TIMELINE) {
            struct fth_event from = {edge.from, edge.step};
            if (was_before(path, from, number, now))
                blocker = time_of(replay, from, &time);
        } else if (edge.step != UINT32_MAX) {
            struct fth_event latest = path->matches.hub_latest[edge.step];
            if (fth_path_has(path, latest) && fth_path_time(path, latest) <= now)
                blocker = time_of_hub(replay, number, edge.step, &time);
        }
        if (blocker != FTH_NO_TIMELINE && blocker != number)
            return blocker;
        *until = time > *until ? time : *until;
    }
    return FTH_NO_TIMELINE;
}

/* ---- going on ---- */

static bool waits_are_gone(const struct replay *replay, struct fth_event at, struct fth_event cause)
{
    return replay->change->waits &&
           replay->change->waits & 1u << fth_path_kind(replay->path, at, cause);
}

static int64_t waited_for(const struct replay *replay, uint32_t number, uint32_t step,
                          struct fth_event cause)
{
    int64_t waited = fth_path_waited(replay->path, number, step, cause);
    return waited || !replay->change->waits_unseen
               ? waited
               : fth_path_waited_before(replay->path, number, step, cause, true);
}

/* The next event of the timeline gets its new time, or the timeline that it waits for is
 * returned. */
static uint32_t take_event(struct replay *replay, uint32_t number)
{
    const struct fth_path *path = replay->path;
    const struct fth_thread_timeline *timeline = &path->timelines[number];
    uint32_t step = replay->at[number];
    size_t *at = &replay->edge[number];
    struct fth_event cause;
    int64_t until = INT64_MIN;
    uint32_t call = fth_path_entry(path, (struct fth_event){number, step}), entry = call;
    bool has_edges = *at < timeline->edge_count && fth_flow_edge(timeline, *at).to == step;
    bool has_cause = (path->matches.blocked_count || has_edges) &&
                     fth_path_cause(path, number, step, *at, &cause);
    int64_t waited = has_cause && step ? waited_for(replay, number, step, cause) : 0;
    if (waited) /* what was asked in vain before is part of the wait */
        entry = fth_path_waited_since(path, number, step, cause);
    int64_t begin = fth_flow_time(timeline, entry);
    if ((has_edges || has_cause) &&
        !waits_are_gone(replay, (struct fth_event){number, step},
                        has_cause ? cause : (struct fth_event){number, entry})) {
        uint32_t blocker =
            look_at_edges(replay, number, step, *at, has_cause ? &cause : NULL, &until);
        if (blocker != FTH_NO_TIMELINE)
            return blocker;
        /* a thread begins as long behind its cause as it did: a process that another program became
         * has been loaded in between */
        int64_t since = has_cause ? fth_path_time(path, cause) : begin;
        if (until != INT64_MIN)
            until += left_between(replay, number, entry, step,
                                  fth_flow_time(timeline, step) -
                                      (since > begin || !step ? since : begin));
    }
    int64_t alone = fth_flow_time(timeline, 0);
    if (step) {
        uint32_t from = entry < call ? entry : step - 1;
        alone =
            new_time(replay, number, from) +
            left_between(replay, number, from, step,
                         fth_flow_time(timeline, step) - fth_flow_time(timeline, from) - waited);
    } else if (until != INT64_MIN) {
        alone = until;
    }
    replay->last[number] = until > alone ? until : alone;
    fth_rows_add(&replay->times[number], &replay->last[number]);
    while (*at < timeline->edge_count && fth_flow_edge(timeline, *at).to == step)
        ++*at;
    replay->at[number]++;
    return FTH_NO_TIMELINE;
}

static void add_waiter(struct replay *replay, uint32_t number, uint32_t waiter)
{
    struct waiting *here = &replay->waiting[number], *its = &replay->waiting[waiter];
    its->next = here->first_waiter;
    here->first_waiter = waiter;
    here->least_needed = its->needs < here->least_needed ? its->needs : here->least_needed;
}

/* Those that need no event from `from` on. */
static void wake_waiters(struct replay *replay, uint32_t number, uint32_t from)
{
    struct waiting *all = replay->waiting, *here = &all[number];
    uint32_t waiter = here->first_waiter, next;
    if (here->least_needed >= from)
        return;
    here->first_waiter = FTH_NO_TIMELINE;
    here->least_needed = UINT32_MAX;
    for (; waiter != FTH_NO_TIMELINE; waiter = next) {
        next = all[waiter].next;
        if (all[waiter].needs >= from) {
            add_waiter(replay, number, waiter);
            continue;
        }
        all[waiter].on = FTH_NO_TIMELINE;
        replay->queue[replay->queued++] = waiter;
    }
}

static bool is_stopped(const struct replay *replay)
{
    return replay->stop && __atomic_load_n(replay->stop, __ATOMIC_RELAXED);
}

static void run(struct replay *replay, uint32_t number)
{
    const struct fth_path *path = replay->path;
    struct waiting *waiting = &replay->waiting[number];
    uint32_t blocker = FTH_NO_TIMELINE;
    replay->ended_look = false;
    while (replay->at[number] < path->timelines[number].event_count && blocker == FTH_NO_TIMELINE &&
           !is_stopped(replay))
        blocker = take_event(replay, number);
    /* who waits for the look of this one needs its next event */
    bool circle = blocker != FTH_NO_TIMELINE && replay->waiting[blocker].on == number;
    wake_waiters(replay, number, replay->at[number] + (replay->ended_look || circle));
    if (blocker != FTH_NO_TIMELINE) {
        waiting->on = blocker;
        waiting->needs = replay->needed;
        add_waiter(replay, blocker, number);
    }
}

static void begin(struct replay *replay)
{
    const struct fth_path *path = replay->path;
    size_t timelines = (size_t)path->timeline_count + 1, hubs = fth_order_hubs(path->order);
    replay->times = fth_new(timelines, sizeof *replay->times);
    replay->places = fth_new(timelines, sizeof *replay->places);
    replay->at = fth_new(timelines, sizeof *replay->at);
    replay->last = fth_new(timelines, sizeof *replay->last);
    replay->edge = fth_new(timelines, sizeof *replay->edge);
    replay->looks = fth_new(timelines, sizeof *replay->looks);
    replay->waiting = fth_new(timelines, sizeof *replay->waiting);
    replay->queue = fth_new(timelines, sizeof *replay->queue);
    replay->hubs = fth_resize(NULL, hubs + 1, sizeof *replay->hubs);
    for (size_t i = 0; i < hubs; i++)
        replay->hubs[i] = NOT_KNOWN;
    for (uint32_t i = path->timeline_count; i-- > 0;) {
        replay->times[i].columns = 1;
        replay->waiting[i].on = replay->waiting[i].first_waiter = FTH_NO_TIMELINE;
        replay->waiting[i].least_needed = UINT32_MAX;
        replay->queue[replay->queued++] = i;
    }
}

static int64_t end(struct replay *replay)
{
    const struct fth_path *path = replay->path;
    int64_t last = path->origin;
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        uint32_t done = replay->at[i];
        if (fth_path_ends_run(path, i) && done) {
            /* what waits in a circle has the time that it had */
            int64_t time =
                done == path->timelines[i].event_count
                    ? new_time(replay, i, done - 1)
                    : fth_flow_time(&path->timelines[i], path->timelines[i].event_count - 1);
            last = time > last ? time : last;
        }
        fth_rows_leave(&replay->places[i]);
        fth_rows_free(&replay->times[i]);
    }
    free(replay->times);
    free(replay->places);
    free(replay->at);
    free(replay->last);
    free(replay->edge);
    free(replay->looks);
    free(replay->waiting);
    free(replay->queue);
    free(replay->hubs);
    fth_rows_leave(&replay->inputs);
    return last;
}

/* ---- asking ---- */

bool *fth_path_gone_by(const struct fth_path *path, const struct fth_path_change *change)
{
    bool *gone = NULL;
    for (uint32_t i = 0; change->gone && i < path->work.count; i++) {
        struct fth_path_work work = fth_path_work_at(path, i);
        if (!change->gone(change->context, &work))
            continue;
        gone = gone ? gone : fth_new(path->work.count, sizeof *gone);
        gone[i] = true;
    }
    return gone;
}

int64_t fth_path_replay(const struct fth_path *path, const struct fth_path_change *change,
                        const bool *gone, const bool *stop)
{
    struct replay replay = {.path = path, .change = change, .gone = gone, .stop = stop};
    begin(&replay);
    while (replay.queued && !is_stopped(&replay))
        run(&replay, replay.queue[--replay.queued]);
    return end(&replay) - path->origin;
}
