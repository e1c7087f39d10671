/* Waits, added up by what was waited for, in which function and process; and by whom they were
 * caused. */
#include "analysis/select/select.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "path/run_flow.h"

/* ---- sums ---- */

static size_t place_of(const struct fth_path *path, uint32_t proc, uint16_t function,
                       enum fth_wait kind)
{
    uint64_t hash = ((uint64_t)proc << 24 ^ (uint64_t)function << 5 ^ kind) * 0x9E3779B97F4A7C15u;
    size_t at = (hash >> 20) & (path->results.wait_room - 1);
    for (; path->results.wait_places[at]; at = (at + 1) & (path->results.wait_room - 1)) {
        const struct fth_wait_sum *sum = &path->results.waits[path->results.wait_places[at] - 1];
        if (sum->proc == proc && sum->function == function && sum->kind == kind)
            break;
    }
    return at;
}

static struct fth_wait_sum *sum_of(struct fth_path *path, uint32_t proc, uint16_t function,
                                   enum fth_wait kind)
{
    if (2 * path->results.wait_count >= path->results.wait_room) {
        free(path->results.wait_places);
        path->results.wait_room = path->results.wait_room ? 2 * path->results.wait_room : 64;
        path->results.wait_places =
            fth_new(path->results.wait_room, sizeof *path->results.wait_places);
        for (size_t i = 0; i < path->results.wait_count; i++) {
            const struct fth_wait_sum *sum = &path->results.waits[i];
            path->results.wait_places[place_of(path, sum->proc, sum->function, sum->kind)] =
                (uint32_t)i + 1;
        }
    }
    size_t at = place_of(path, proc, function, kind);
    if (!path->results.wait_places[at]) {
        FTH_GROW(path->results.waits, path->results.wait_count);
        path->results.waits[path->results.wait_count++] =
            (struct fth_wait_sum){.proc = proc, .function = function, .kind = (uint8_t)kind};
        path->results.wait_places[at] = (uint32_t)path->results.wait_count;
    }
    return &path->results.waits[path->results.wait_places[at] - 1];
}

static void add(struct fth_wait_sum *sum, struct fth_event at, uint32_t cause, int64_t time)
{
    sum->count++;
    FTH_ADD_SATURATING(sum->time, time);
    if (time > sum->longest) {
        sum->longest = time;
        sum->at = at;
        sum->cause = cause;
    }
}

/* ---- over the run ---- */

static unsigned interval_at(const struct fth_path *path, int64_t time)
{
    int64_t length = path->end - path->begin;
    if (length <= 0 || time <= path->begin)
        return 0;
    double place = (double)(time - path->begin) / (double)length * FTH_INTERVALS;
    return place < FTH_INTERVALS ? (unsigned)place : FTH_INTERVALS - 1;
}

/* Time that was spent from one moment to another: to each interval what lies in it. */
static void spread(struct fth_path *path, enum fth_interval_part of, int64_t from, int64_t to,
                   int64_t time)
{
    double length = (double)(path->end - path->begin) / FTH_INTERVALS;
    unsigned last = interval_at(path, to);
    int64_t left = time;
    for (unsigned i = interval_at(path, from); i <= last; i++) {
        double begin = (double)path->begin + length * i, end = begin + length;
        begin = begin > (double)from ? begin : (double)from;
        int64_t part =
            i == last ? left
                      : fth_saturating_integer((double)time * (end - begin) / (double)(to - from));
        part = part < left ? part : left;
        FTH_ADD_SATURATING(path->results.intervals[i][of], part);
        left -= part;
    }
}

size_t fth_path_add_wait(struct fth_path *path, enum fth_wait kind, struct fth_event at,
                         uint32_t cause, int64_t time)
{
    const struct fth_thread_timeline *timeline = &path->timelines[at.timeline];
    if (!path->selected[timeline->proc])
        return SIZE_MAX;
    uint16_t function = fth_flow_kind(timeline, fth_path_entry(path, at))->function;
    struct fth_wait_sum *sum = sum_of(path, timeline->proc, function, kind);
    add(sum, at, cause, time);
    struct fth_wait_sum *caused = &path->results.causes[(size_t)cause * FTH_WAITS + kind];
    caused->proc = cause;
    caused->kind = (uint8_t)kind;
    add(caused, at, cause, time);
    int64_t end = fth_flow_time(timeline, at.step);
    spread(path, FTH_INTERVAL_WAITS, end - time, end, time);
    if (kind < FTH_WAIT_PIPE)
        FTH_ADD_SATURATING(path->sums.waiting, time);
    return (size_t)(sum - path->results.waits);
}

/* ---- what time went to, over the run ---- */

static enum fth_interval_part part_of(unsigned activity)
{
    return activity < FTH_ACTIVITY_IO_KINDS    ? FTH_INTERVAL_IO
           : activity == FTH_ACTIVITY_MESSAGES ? FTH_INTERVAL_MESSAGES
           : activity == FTH_ACTIVITY_WAITING  ? FTH_INTERVAL_WAITING
           : activity == FTH_ACTIVITY_OTHER    ? FTH_INTERVAL_OTHER
           : activity == FTH_FLOW_NOT_KNOWN    ? FTH_INTERVAL_UNKNOWN
                                               : FTH_INTERVAL_OWN;
}

static void add_shares(struct fth_path *path, const struct fth_thread_timeline *timeline)
{
    struct fth_flow_shares shares = fth_flow_shares(timeline, 0, timeline->event_count - 1);
    uint32_t work;
    int64_t time;
    while (fth_flow_next_share(&shares, &work, &time)) {
        if (timeline->of_mpi && path->work.all[work].activity >= FTH_FLOW_COMPUTES)
            continue;
        FTH_ADD_SATURATING(path->results.work_time[work], time);
        spread(path, part_of(path->work.all[work].activity),
               fth_flow_time(timeline, shares.step - 1), fth_flow_time(timeline, shares.step),
               time);
    }
}

int64_t fth_path_in_calls(const struct fth_path *path)
{
    int64_t time = 0;
    for (size_t i = 0; i < FTH_INTERVALS; i++)
        for (int part = FTH_INTERVAL_OWN + 1; part < FTH_INTERVAL_WAITS; part++)
            FTH_ADD_SATURATING(time, path->results.intervals[i][part]);
    return time;
}

int64_t fth_path_silent_time(const struct fth_path *path, uint32_t proc)
{
    const struct fth_process *process = fth_trace_process(path->trace, proc);
    int64_t time = fth_analysis_kept_until(process) - process->start;
    return path->first_timeline[proc] == path->first_timeline[proc + 1] && time > 0 ? time : 0;
}

static void add_silent(struct fth_path *path)
{
    for (uint32_t proc = 0; proc < fth_trace_process_count(path->trace); proc++) {
        int64_t start = fth_trace_process(path->trace, proc)->start,
                time = fth_path_silent_time(path, proc);
        if (path->selected[proc] && time)
            spread(path, FTH_INTERVAL_OWN, start, start + time, time);
    }
}

/* ---- all of them ---- */

/* Calls `take` for each wait; `met`: when the timeline had met others before. */
static void for_each_wait(struct fth_path *path, uint32_t number,
                          void (*take)(struct fth_path *path, struct fth_event at,
                                       struct fth_event cause, int64_t met, int64_t time))
{
    const struct fth_thread_timeline *timeline = &path->timelines[number];
    struct fth_path_walk walk = fth_path_walk_from(path, number, 0);
    int64_t met = path->begin;
    while (fth_path_walk_on(path, &walk, timeline->event_count)) {
        struct fth_event cause, here = {number, walk.step};
        if (fth_path_cause(path, number, walk.step, walk.edge, &cause))
            take(path, here, cause, met, fth_path_waited(path, number, walk.step, cause));
        met = fth_flow_time(timeline, walk.step); /* without a cause it came last */
    }
}

static void note_waiting(struct fth_path *path, struct fth_event at, struct fth_event cause,
                         int64_t met, int64_t time)
{
    (void)met;
    int64_t end = fth_path_time(path, cause);
    fth_path_note_waiting(path, at.timeline, end - time, end);
}

static void take_wait(struct fth_path *path, struct fth_event at, struct fth_event cause,
                      int64_t met, int64_t time)
{
    uint32_t proc = path->timelines[at.timeline].proc, other = path->timelines[cause.timeline].proc;
    path->sums.clocks_unknown |= fth_path_clock_error(path, proc, other) == INT64_MAX;
    if (time <= 0)
        return;
    if (!path->knows_polls && fth_path_time(path, cause) <=
                                  fth_flow_time(&path->timelines[at.timeline],
                                                fth_path_asked_since(path, at.timeline, at.step)))
        FTH_ADD_SATURATING(path->sums.unseen, time);
    size_t sum = fth_path_add_wait(path, fth_path_kind(path, at, cause), at, other, time);
    FTH_ADD_SATURATING(
        path->results.waits[sum].contended,
        fth_path_contended(path, at.timeline, met, fth_path_time(path, cause), time));
}

void fth_path_find_waits(struct fth_path *path)
{
    path->contention.node = fth_path_oversubscription(path);
    path->results.work_time =
        fth_new((size_t)path->work.count + 1, sizeof *path->results.work_time);
    for (uint32_t number = 0; path->contention.node.ranks && number < path->timeline_count;
         number++)
        if (path->selected[path->timelines[number].proc])
            for_each_wait(path, number, note_waiting);
    fth_path_add_up_contention(path);
    for (uint32_t number = 0; number < path->timeline_count; number++) {
        if (!path->selected[path->timelines[number].proc])
            continue;
        for_each_wait(path, number, take_wait);
        add_shares(path, &path->timelines[number]);
    }
    add_silent(path);
}
