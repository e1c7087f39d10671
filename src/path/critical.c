/* The critical path: backwards from the end of the last process. A call that waited leads to the
 * thread that it waited for, at the moment when that did what was waited for; what is between that
 * moment and the end of the call is the call's own (the message, the collective call itself). */
#include "base/memory.h"
#include "base/saturating.h"
#include "path/run_flow.h"

struct walk {
    struct fth_path *path;
    uint32_t timeline, step; /* where one is: at this event, or in the segment behind it */
    int64_t time;
    /* events that may still be passed: times that contradict each other do not lead round and
     * round */
    uint64_t left;
};

static void add(struct fth_path *path, const struct fth_thread_timeline *timeline, uint32_t work,
                int64_t time)
{
    FTH_ADD_SATURATING(path->results.critical_work[work], time);
    FTH_ADD_SATURATING(path->results.critical_proc[timeline->proc], time);
}

/* How much of a segment's time is taken, of its waits for descriptors and of all else: no wait is
 * behind the end of the last one. */
struct taken {
    double polls, others;
};

static bool is_poll(const struct fth_path *path, uint32_t work)
{
    uint16_t function = path->work.all[work].function;
    return function != FTH_NO_FUNCTION && path->facts[function].polls;
}

static struct taken taken_of(const struct fth_path *path,
                             const struct fth_thread_timeline *timeline, uint32_t step,
                             int64_t from, int64_t to)
{
    int64_t begin = fth_flow_time(timeline, step), end = fth_flow_time(timeline, step + 1), until;
    double all = (double)(to - from) / (double)(end - begin), polled = 0;
    if (!fth_flow_polled(timeline, step + 1, &until) || until <= begin || until >= end)
        return (struct taken){all, all};
    struct fth_flow_shares shares = fth_flow_shares(timeline, step, step + 1);
    uint32_t work;
    int64_t time;
    while (fth_flow_next_share(&shares, &work, &time))
        polled += is_poll(path, work) ? (double)time : 0;
    double before = from < until ? (double)((to < until ? to : until) - from) : 0,
           behind = to > until ? (double)(to - (from > until ? from : until)) : 0,
           others = (double)(end - begin) - polled,
           others_before = (double)(until - begin) - polled;
    if (others <= 0 || others_before < 0)
        return (struct taken){all, all};
    double share = before / (double)(until - begin);
    return (struct taken){share, (others_before * share + behind) / others};
}

/* What the thread did from `from` to `to`, within the segment behind event `step`. */
static void take_part(struct fth_path *path, const struct fth_thread_timeline *timeline,
                      uint32_t step, int64_t from, int64_t to)
{
    int64_t length = fth_flow_time(timeline, step + 1) - fth_flow_time(timeline, step),
            taken = to - from, left = taken;
    if (taken <= 0 || length <= 0)
        return;
    struct taken of = {1, 1};
    if (taken < length)
        of = taken_of(path, timeline, step, from, to);
    struct fth_flow_shares shares = fth_flow_shares(timeline, step, step + 1);
    uint32_t work;
    int64_t time;
    while (fth_flow_next_share(&shares, &work, &time)) {
        int64_t part = taken == length
                           ? time
                           : fth_saturating_integer((double)time *
                                                    (is_poll(path, work) ? of.polls : of.others));
        part = shares.place == shares.count || part > left ? left : part;
        add(path, timeline, work, part);
        left -= part;
    }
}

/* Goes back to `until` in the thread, whatever it did. */
static void go_back(struct walk *walk, int64_t until)
{
    const struct fth_thread_timeline *timeline = &walk->path->timelines[walk->timeline];
    int64_t end = walk->time;
    for (;;) {
        int64_t begin = fth_flow_time(timeline, walk->step);
        bool inside = walk->time > begin;
        if (inside) {
            int64_t from = begin > until ? begin : until;
            take_part(walk->path, timeline, walk->step, from, walk->time);
            walk->time = from;
        }
        if (walk->time <= until || walk->step == 0)
            break;
        walk->step--;
    }
    fth_path_note_part(walk->path, walk->timeline, walk->time, end);
}

/* The step behind which the thread was at that time. */
static uint32_t step_at(const struct fth_thread_timeline *timeline, int64_t time)
{
    uint32_t low = 0, high = timeline->event_count - 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (fth_flow_time(timeline, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void jump(struct walk *walk, struct fth_event to)
{
    const struct fth_thread_timeline *there = &walk->path->timelines[to.timeline];
    int64_t time = fth_flow_time(there, to.step);
    walk->timeline = to.timeline;
    walk->step = to.step;
    walk->time = time < walk->time ? time : walk->time;
}

/* A thread begins: whoever made it goes on, or else the process's first thread, at that time. */
static bool leave_thread(struct walk *walk, bool has_cause, struct fth_event cause)
{
    struct fth_path *path = walk->path;
    uint32_t proc = path->timelines[walk->timeline].proc, first = path->first_timeline[proc];
    if (has_cause && path->timelines[cause.timeline].proc != proc) {
        if (!path->selected[path->timelines[cause.timeline].proc])
            return false;
        int64_t since = fth_path_time(path, cause); /* until it runs a child takes its time */
        if (walk->time > since) {
            add(path, &path->timelines[walk->timeline], 0, walk->time - since);
            fth_path_note_part(path, walk->timeline, since, walk->time);
        }
        jump(walk, cause);
        return true;
    }
    if (walk->timeline == first)
        return false;
    uint32_t maker = has_cause && cause.step > 0 ? cause.timeline : first;
    if (has_cause && cause.step > 0 && walk->time > fth_path_time(path, cause))
        FTH_ADD_SATURATING(path->sums.unstarted, walk->time - fth_path_time(path, cause));
    walk->timeline = maker;
    walk->step = step_at(&path->timelines[maker], walk->time);
    int64_t next = fth_flow_time(&path->timelines[maker], walk->step + 1);
    if (next < walk->time) { /* it was over before */
        walk->time = next;
        walk->step++;
    }
    return true;
}

/* At an event: on to the one before it, or to another thread. false: the path begins here. */
static bool go_on(struct walk *walk)
{
    struct fth_path *path = walk->path;
    const struct fth_thread_timeline *timeline = &path->timelines[walk->timeline];
    struct fth_event cause;
    bool has_cause = fth_path_cause(path, walk->timeline, walk->step,
                                    fth_path_edge_at(timeline, walk->step), &cause);
    if (walk->step == 0)
        return leave_thread(walk, has_cause, cause);
    if (has_cause && fth_path_waited(path, walk->timeline, walk->step, cause) > 0) {
        int64_t since = fth_path_time(path, cause);
        walk->step--;
        go_back(walk, since);
        jump(walk, cause);
        return true;
    }
    walk->step--;
    go_back(walk, fth_flow_time(timeline, walk->step));
    return true;
}

static bool find_end(struct walk *walk)
{
    const struct fth_path *path = walk->path;
    bool found = false;
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[i];
        walk->left += timeline->event_count;
        if (!fth_path_ends_run(path, i))
            continue;
        if (found && fth_flow_time(timeline, timeline->event_count - 1) <= walk->time)
            continue;
        found = true;
        walk->timeline = i;
        walk->step = timeline->event_count - 1;
        walk->time = fth_flow_time(timeline, walk->step);
    }
    return found;
}

/* The process that the path leads to may not be the first: what comes before is its own, so that
 * the path is as long as the run, also of processes that never meet. */
static void begin_with_run(struct walk *walk)
{
    struct fth_path *path = walk->path;
    if (walk->time <= path->begin)
        return;
    add(path, &path->timelines[walk->timeline], 0, walk->time - path->begin);
    fth_path_note_part(path, walk->timeline, path->begin, walk->time);
    walk->time = path->begin;
}

/* ns on the path that MPI took to start and to end, whatever it called for that. */
static int64_t time_of_mpi(const struct fth_path *path)
{
    int64_t time = 0;
    for (uint32_t i = 0; i < path->work.count; i++)
        if (path->work.all[i].starts_mpi)
            FTH_ADD_SATURATING(time, path->results.critical_work[i]);
    return time;
}

void fth_path_follow(struct fth_path *path)
{
    struct walk walk = {.path = path};
    path->results.critical_work =
        fth_new((size_t)path->work.count + 1, sizeof *path->results.critical_work);
    path->results.critical_proc =
        fth_new(fth_trace_process_count(path->trace) + 1, sizeof *path->results.critical_proc);
    if (!find_end(&walk))
        return;
    int64_t end = walk.time;
    do {
        int64_t begin = fth_flow_time(&path->timelines[walk.timeline], walk.step);
        if (walk.time > begin)
            go_back(&walk, begin);
    } while (walk.left-- && go_on(&walk));
    begin_with_run(&walk);
    path->origin = walk.time;
    path->sums.length = end - walk.time;
    path->sums.program = path->sums.length - time_of_mpi(path);
}
