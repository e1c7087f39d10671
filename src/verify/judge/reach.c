/* Goes step by step: from the points that the steps so far have led to, to the marks that follow
 * them. */
#include "verify/judge/reach.h"

#include <stdlib.h>
#include <string.h>

/* A place that steps have led to, of one timeline: behind a mark, or before one; or an access, that
 * begins or ends there. */
struct point {
    struct fth_moment moment;
    uint32_t tick, began; /* began: of an access, its beginning; else as tick */
    uint64_t call;        /* of an access its number + 1; 0: of a mark, ordered by ticks */
    /* at the moment, of those that something may come before */
    const struct fth_vector_clock *known;
};
struct fth_reach {
    size_t count;
    struct point points[];
};

enum { MOST_POINTS = 4096 }; /* threads of a process, or processes, that steps are followed over */

struct points {
    size_t count;
    struct point *points; /* room for MOST_POINTS, one per timeline */
};

static bool is_of(const struct fth_set_marks *set, size_t at, uint32_t file, uint32_t timeline)
{
    return at < set->count && set->marks[at]->opening == file &&
           set->marks[at]->in.timeline == timeline;
}

static bool before(const struct fth_judge *judge, struct fth_moment a, struct fth_moment b)
{
    return a.step != FTH_NEVER && fth_runs_before(judge->runs, a, b);
}

/* The first mark of a timeline that comes after `from`, in the order that `relation` asks for;
 * NULL: none does. */
static const struct fth_sync_mark *first_after(const struct fth_judge *judge,
                                               const struct fth_set_marks *set,
                                               struct fth_marked of, uint32_t timeline,
                                               const struct point *from, enum fth_relation relation)
{
    bool same_timeline = timeline == from->moment.timeline;
    /* By the same thread: what ends after it, as fclose does that writes the last bytes. What
     * happens after has to begin after it, as a mark inside another one does that began before. */
    const struct fth_set_marks *marks =
        same_timeline && relation == FTH_PROGRAM_ORDER ? set : set->inner;
    size_t low = fth_set_marks_from(marks, of.file, timeline, same_timeline ? from->tick + 1 : 0);
    if (same_timeline) {
        while (relation == FTH_HAPPENS_BEFORE && is_of(marks, low, of.file, timeline) &&
               marks->marks[low]->began <= from->tick)
            low++;
        return fth_set_marks_next(marks, low, of, timeline,
                                  (struct fth_mark_span){from->began, from->tick});
    }
    size_t high = fth_set_marks_from(marks, of.file, timeline, UINT32_MAX);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        /* The end of a process comes behind all that its threads did. */
        if ((relation == FTH_PROGRAM_ORDER && marks->marks[middle]->kind == FTH_MARK_PROCESS_END) ||
            before(judge, from->moment, marks->marks[middle]->in))
            high = middle;
        else
            low = middle + 1;
    }
    /* of an operation it is known only in its own thread what came before its beginning */
    return fth_set_marks_next(marks, low, of, timeline,
                              (struct fth_mark_span){UINT32_MAX, UINT32_MAX});
}

/* The earliest point of a timeline behind a mark that follows any of `from`; in program order, any
 * of its process. */
static void step_into(const struct fth_judge *judge, const struct fth_set_marks *set,
                      struct fth_marked of, uint32_t timeline, const struct points *from,
                      enum fth_relation relation, struct points *to)
{
    struct point best = {.tick = UINT32_MAX};
    bool found = false;
    struct fth_marked each[] = {of, {FTH_NO_OPENING, FTH_NO_OPENING}};
    for (size_t i = 0; i < from->count; i++) {
        const struct point *point = &from->points[i];
        if (relation == FTH_PROGRAM_ORDER &&
            judge->process_of[timeline] != judge->process_of[point->moment.timeline])
            continue;
        for (size_t j = 0; j < 2; j++) {
            const struct fth_sync_mark *mark =
                first_after(judge, set, each[j], timeline, point, relation);
            if (!mark || mark->ended >= best.tick)
                continue;
            best = (struct point){.moment = mark->out, .tick = mark->ended, .began = mark->ended};
            found = true;
        }
    }
    if (found && to->count < MOST_POINTS)
        to->points[to->count++] = best;
}

/* A step: from `from` to marks of the set, in timelines [first, end) of judge->timelines. Adds to
 * `to`. */
static void step(const struct fth_judge *judge, const struct fth_set_marks *set,
                 struct fth_marked of, size_t first, size_t end, enum fth_relation relation,
                 const struct points *from, struct points *to)
{
    for (size_t i = first; i < end; i++)
        step_into(judge, set, of, judge->timelines[i], from, relation, to);
}

/* How many steps at the beginning, and at the end, stay in one process. */
size_t fth_reach_leading(const struct fth_construct *construct)
{
    size_t count = 0;
    while (count < construct->step_count && construct->steps[count].relation == FTH_PROGRAM_ORDER)
        count++;
    return count;
}

size_t fth_reach_trailing(const struct fth_construct *construct)
{
    size_t count = 0;
    if (construct->last != FTH_PROGRAM_ORDER)
        return 0;
    while (count < construct->step_count) {
        count++;
        if (construct->steps[construct->step_count - count].relation != FTH_PROGRAM_ORDER)
            break;
    }
    return count;
}

/* For who asks whether something comes before these points. */
static void know(const struct fth_judge *judge, struct points *points)
{
    for (size_t i = 0; i < points->count; i++)
        points->points[i].known = fth_runs_known(judge->runs, points->points[i].moment);
}

static struct fth_reach *keep(struct fth_judge *judge, const struct points *points)
{
    struct fth_reach *reach =
        fth_arena_take(judge->arena, sizeof *reach + points->count * sizeof(struct point));
    reach->count = points->count;
    if (points->count)
        memcpy(reach->points, points->points, points->count * sizeof(struct point));
    return reach;
}

static struct point point_of(struct fth_moment moment, uint32_t tick,
                             const struct fth_situation *situation)
{
    return (struct point){.moment = moment,
                          .tick = tick,
                          .began = situation->began,
                          .call = situation->first_call + 1};
}

/* Where an access ends: its own end, and the ends of the calls whose bytes it carried. */
static void put_ends(const struct fth_judge *judge, const struct fth_situation *x,
                     struct points *points)
{
    uint32_t *carried;
    size_t count = fth_carriers_of(judge->carriers, x, &carried);
    points->count = 0;
    if (x->end.step != FTH_NEVER)
        points->points[points->count++] = point_of(x->end, x->ended, x);
    for (size_t i = 0; i < count && points->count < MOST_POINTS; i++) {
        const struct fth_situation *other = &judge->accesses->situations[carried[i]];
        if (other->end.step != FTH_NEVER)
            points->points[points->count++] = point_of(other->end, other->ended, other);
    }
    free(carried);
}

static void put_begins(const struct fth_judge *judge, const struct fth_situation *y,
                       struct points *points)
{
    uint32_t *carried;
    size_t count = fth_carriers_of(judge->carriers, y, &carried);
    points->points[0] = point_of(y->begin, y->began, y);
    points->count = 1;
    for (size_t i = 0; i < count && points->count < MOST_POINTS; i++) {
        const struct fth_situation *other = &judge->accesses->situations[carried[i]];
        points->points[points->count++] = point_of(other->begin, other->began, other);
    }
    free(carried);
}

/* Steps that x's process makes start where its own access ends; what others do starts where they
 * know of it, too. */
struct fth_reach *fth_reach_forward(struct fth_judge *judge, size_t model,
                                    const struct fth_construct *construct,
                                    const struct fth_situation *x)
{
    static _Thread_local struct point spaces[2][MOST_POINTS];
    struct points from = {0, spaces[0]}, to = {0, spaces[1]};
    size_t count = construct ? fth_reach_leading(construct) : 0;
    put_ends(judge, x, &from);
    if (count && from.count > 1)
        from.count = x->end.step != FTH_NEVER;
    for (size_t i = 0; i < count; i++) {
        to.count = 0;
        for (uint32_t image = x->proc + 1; image; image = judge->exec_to[image - 1])
            step(judge, &judge->marks[model][construct->steps[i].set],
                 (struct fth_marked){x->opening, x->handle}, judge->first_timeline[image - 1],
                 judge->first_timeline[image], FTH_PROGRAM_ORDER, &from, &to);
        struct points swap = from;
        from = to;
        to = swap;
    }
    return keep(judge, &from);
}

/* Of the marks of a timeline that are over before `to`, and began before time `latest`, the one
 * that began last; NULL: none is. */
static const struct fth_sync_mark *last_before(const struct fth_judge *judge,
                                               const struct fth_set_marks *set,
                                               struct fth_marked of, uint32_t timeline,
                                               const struct point *to, int64_t latest)
{
    const struct fth_set_marks *marks = set->inner;
    size_t first = fth_set_marks_from(marks, of.file, timeline, 0), low = first;
    if (timeline == to->moment.timeline) {
        low = fth_set_marks_from(marks, of.file, timeline, to->tick + 1);
        return fth_set_marks_last(marks, first, low, of);
    }
    size_t high = fth_set_marks_from(marks, of.file, timeline, UINT32_MAX);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (marks->marks[middle]->time < latest &&
            before(judge, marks->marks[middle]->out, to->moment))
            low = middle + 1;
        else
            high = middle;
    }
    return fth_set_marks_last(marks, first, low, of);
}

/* The same as a step, backwards: to the latest points before marks from which `to` follows. Those
 * of one process. */
static void step_back(const struct fth_judge *judge, const struct fth_set_marks *set,
                      struct fth_marked of, uint32_t proc, int64_t latest, const struct points *to,
                      struct points *from)
{
    struct fth_marked each[] = {of, {FTH_NO_OPENING, FTH_NO_OPENING}};
    for (uint32_t s = judge->first_timeline[proc]; s < judge->first_timeline[proc + 1]; s++) {
        const struct fth_sync_mark *best = NULL;
        for (size_t i = 0; i < to->count; i++)
            for (size_t j = 0; j < 2; j++) {
                const struct fth_sync_mark *mark =
                    last_before(judge, set, each[j], judge->timelines[s], &to->points[i], latest);
                if (mark && (!best || mark->began > best->began))
                    best = mark;
            }
        if (best && from->count < MOST_POINTS)
            from->points[from->count++] =
                (struct point){.moment = best->in, .tick = best->began, .began = best->began};
    }
}

/* Steps back to what y's process did, also before exec; and of an open file that it has from
 * another process, to what those did that it has it from, until they had made it. */
static void step_back_all(const struct fth_judge *judge, const struct fth_set_marks *set,
                          const struct fth_situation *y, const struct points *to,
                          struct points *from)
{
    int64_t latest = INT64_MAX;
    from->count = 0;
    for (uint32_t proc = y->proc; proc != FTH_NO_PREDECESSOR;) {
        bool is_handed_down = y->opener && proc + 1 != y->opener;
        bool is_exec = fth_runs_is_exec(judge->runs, proc);
        step_back(judge, set, (struct fth_marked){y->opening, y->handle}, proc, latest, to, from);
        if (!is_exec && latest == INT64_MAX)
            latest =
                fth_runs_process(judge->runs, proc)->start + fth_runs_of(judge->runs, proc)->offset;
        proc = is_handed_down || is_exec ? fth_runs_predecessor(judge->runs, proc)
                                         : FTH_NO_PREDECESSOR;
    }
}

struct fth_reach *fth_reach_backward(struct fth_judge *judge, size_t model,
                                     const struct fth_construct *construct,
                                     const struct fth_situation *y)
{
    static _Thread_local struct point spaces[2][MOST_POINTS];
    struct points to = {0, spaces[0]}, from = {0, spaces[1]};
    size_t count = construct ? fth_reach_trailing(construct) : 0;
    put_begins(judge, y, &to);
    if (count)
        to.count = 1;
    for (size_t i = 0; i < count; i++) {
        size_t set = construct->steps[construct->step_count - 1 - i].set;
        step_back_all(judge, &judge->marks[model][set], y, &to, &from);
        struct points swap = from;
        from = to;
        to = swap;
    }
    know(judge, &to);
    return keep(judge, &to);
}

/* Of two points of one timeline: the order of what the trace shows, then that of marks, then that
 * of calls. */
static bool is_earlier(const struct point *a, const struct point *b)
{
    if (a->moment.step != b->moment.step)
        return a->moment.step < b->moment.step;
    return a->tick != b->tick ? a->tick < b->tick : a->call <= b->call;
}

/* Does any of `from` come before any of `to`? */
bool fth_reach_before(const struct fth_judge *judge, const struct fth_reach *from,
                      const struct fth_reach *to)
{
    for (size_t i = 0; i < from->count; i++)
        for (size_t j = 0; j < to->count; j++) {
            const struct point *a = &from->points[i], *b = &to->points[j];
            if (a->moment.timeline == b->moment.timeline
                    ? is_earlier(a, b)
                    : fth_runs_know(judge->runs, b->known, a->moment, b->moment))
                return true;
        }
    return false;
}

/* What lies between the steps that stay in x's process and those that stay in y's: more steps,
 * followed one after the other. */
struct fth_reach *fth_reach_middle(struct fth_judge *judge, size_t model,
                                   const struct fth_construct *construct,
                                   const struct fth_situation *x, const struct fth_reach *forward)
{
    static _Thread_local struct point spaces[2][MOST_POINTS];
    struct points from = {forward->count, spaces[0]}, to = {0, spaces[1]};
    size_t end = construct->step_count - fth_reach_trailing(construct);
    memcpy(from.points, forward->points, forward->count * sizeof(struct point));
    for (size_t i = fth_reach_leading(construct); i < end; i++) {
        to.count = 0;
        step(judge, &judge->marks[model][construct->steps[i].set],
             (struct fth_marked){x->opening, FTH_NO_OPENING}, 0,
             judge->first_timeline[judge->process_count], construct->steps[i].relation, &from, &to);
        struct points swap = from;
        from = to;
        to = swap;
    }
    return keep(judge, &from);
}
