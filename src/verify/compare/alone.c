/* Of accesses of one process to the same bytes it is known which comes first; some file systems
 * want more of them. Pairs come one by one, or as two rows of accesses of one thread: of those it
 * is asked for each access from when on later ones are in order with it, and the others are
 * counted. */
#include "verify/compare/alone.h"

#include "base/memory.h"

enum fth_hazard fth_hazard_of(const struct fth_situation *x, const struct fth_situation *y,
                              bool ordered)
{
    if (x->writes && y->writes)
        return ordered ? FTH_WRITE_AFTER_WRITE : FTH_WRITE_AND_WRITE;
    if (!ordered)
        return FTH_READ_AND_WRITE;
    return x->writes ? FTH_READ_AFTER_WRITE : FTH_WRITE_AFTER_READ;
}

/* ---- pairs ---- */

/* The calls of two situations of one thread may take turns: which of the two came first differs
 * from pair to pair. */
static bool take_turns(const struct fth_situation *a, const struct fth_situation *b)
{
    return a != b && a->first_call < b->last_call && b->first_call < a->last_call;
}

/* Which example is kept does not depend on which thread has found it. */
static bool is_better_alone(const struct fth_verdict_alone *one,
                            const struct fth_verdict_alone *other)
{
    if (one->is_unsure != other->is_unsure)
        return other->is_unsure;
    if (one->x != other->x)
        return one->x < other->x;
    if (one->y != other->y)
        return one->y < other->y;
    if (one->range_start != other->range_start)
        return one->range_start < other->range_start;
    return one->x_call != other->x_call ? one->x_call < other->x_call : one->y_call < other->y_call;
}

void fth_alone_join(struct fth_verdict_alone *to, const struct fth_verdict_alone *from)
{
    bool any = to->violations || to->unsure, more = from->violations || from->unsure;
    struct fth_verdict_alone sum = *to;
    if (more && (!any || is_better_alone(from, to)))
        *to = *from;
    to->violations = sum.violations + from->violations;
    to->unsure = sum.unsure + from->unsure;
    for (int i = 0; i < FTH_HAZARDS; i++)
        to->hazards[i] = sum.hazards[i] + from->hazards[i];
}

static void add_alone(struct fth_verdict_alone *sum, const struct fth_violation *violation,
                      bool unsure, uint64_t pairs)
{
    struct fth_verdict_alone one = {.violations = unsure ? 0 : pairs,
                                    .unsure = unsure ? pairs : 0,
                                    .range_start = violation->start,
                                    .range_end = violation->end,
                                    .is_unsure = unsure,
                                    .x = violation->x,
                                    .y = violation->y,
                                    .x_call = violation->x_call,
                                    .y_call = violation->y_call};
    one.hazards[violation->hazard] = pairs;
    fth_alone_join(sum, &one);
}

void fth_alone_judge(const struct fth_alone_finder *finder, const struct fth_conflict *conflict,
                     struct fth_violation violation)
{
    const struct fth_comparing *comparing = finder->comparing;
    const struct fth_situation *situations = comparing->accesses->situations;
    const struct fth_situation *a = &situations[conflict->a], *b = &situations[conflict->b];
    bool same_thread = a->thread == b->thread;
    if (a->removes || b->removes)
        return;
    uint64_t call_a = fth_call_since(a, conflict->call_a);
    uint64_t call_b = fth_call_since(b, conflict->call_b);
    if (same_thread && (violation.x == conflict->a) != (call_a <= call_b)) {
        violation.x = call_a <= call_b ? conflict->a : conflict->b;
        violation.y = violation.x == conflict->a ? conflict->b : conflict->a;
        violation.x_call = violation.x == conflict->a ? call_a : call_b;
        violation.y_call = violation.x == conflict->a ? call_b : call_a;
    }
    const struct fth_situation *x = &situations[violation.x], *y = &situations[violation.y];
    bool assumed = fth_means_are_assumed(comparing->means, x);
    bool turns = same_thread && x->writes != y->writes && take_turns(a, b);
    violation.hazard = turns ? FTH_READ_AND_WRITE : fth_hazard_of(x, y, violation.ordered);
    if (turns && !x->writes) { /* another pair of them may be the other way round */
        const struct fth_situation *swap = x;
        x = y;
        y = swap;
    }
    for (size_t i = 0; i < comparing->models->count; i++) {
        const struct fth_consistency *model = &comparing->models->models[i];
        struct fth_verdict_model *counts = &finder->counts[i];
        if (comparing->model_layers[i] != finder->layers)
            continue;
        if (violation.ordered)
            counts->same_process[violation.hazard] += conflict->pairs;
        for (size_t k = 0; k < model->alone_count; k++) {
            bool forth = fth_judge_alone(finder->judge, i, &model->alone[k], x, y);
            bool back = violation.ordered
                            ? forth
                            : fth_judge_alone(finder->judge, i, &model->alone[k], y, x);
            /* Where nothing orders two threads, a commit of a third one may be in between. */
            bool any_order = violation.ordered || (model->alone[k].never && !forth && !back);
            if (!forth || !back)
                add_alone(&counts->alone[k], &violation,
                          violation.unsure || assumed || turns || !any_order, conflict->pairs);
        }
    }
}

/* ---- rows ---- */

/* Pairs of which the one, x, is of a row and the other one, y, is behind it, of the same row or
 * another one. */
struct meeting {
    const struct fth_alone_finder *finder;
    const struct fth_situation *situations;
    struct fth_conflict_row x, y;
    size_t *behind;                 /* by x: the first y behind it */
    uint64_t *times;                /* by y: accesses before it; and one behind the last */
    struct fth_violation violation; /* all but who it is of */
};

static const struct fth_situation *at(const struct meeting *meeting,
                                      const struct fth_sweep_unit *unit)
{
    return &meeting->situations[unit->situation];
}

static uint64_t call_of(const struct meeting *meeting, const struct fth_sweep_unit *unit)
{
    return fth_call_since(at(meeting, unit), unit->call);
}

/* The first y from `from` on that begins at this tick, or later. */
static size_t first_from(const struct meeting *meeting, size_t from, uint32_t tick)
{
    size_t low = from, high = meeting->y.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (at(meeting, &meeting->y.units[middle])->began < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the file systems of the model want of these pairs, and do not get. */
static void judge_behind(const struct meeting *meeting, size_t model, size_t number)
{
    const struct fth_alone *alone =
        &meeting->finder->comparing->models->models[model].alone[number];
    const struct fth_situation *some = at(meeting, meeting->y.units);
    struct fth_violation violation = meeting->violation;
    uint64_t pairs = 0;
    for (size_t i = 0; i < meeting->x.count && meeting->behind[i] < meeting->y.count; i++) {
        const struct fth_sweep_unit *x = &meeting->x.units[i],
                                    *next = &meeting->y.units[meeting->behind[i]];
        uint32_t tick =
            fth_judge_alone_from(meeting->finder->judge, model, alone, at(meeting, x), some);
        size_t end =
            tick == UINT32_MAX ? meeting->y.count : first_from(meeting, meeting->behind[i], tick);
        if (end == meeting->behind[i])
            continue;
        if (!pairs) {
            violation.x = x->situation;
            violation.y = next->situation;
            violation.x_call = call_of(meeting, x);
            violation.y_call = call_of(meeting, next);
        }
        pairs += x->times * (meeting->times[end] - meeting->times[meeting->behind[i]]);
    }
    if (pairs)
        add_alone(&meeting->finder->counts[model].alone[number], &violation,
                  fth_means_are_assumed(meeting->finder->comparing->means, some), pairs);
}

static void judge_meeting(struct meeting *meeting)
{
    const struct fth_alone_finder *finder = meeting->finder;
    const struct fth_consistencies *models = finder->comparing->models;
    uint64_t pairs = 0;
    meeting->violation.hazard =
        fth_hazard_of(at(meeting, meeting->x.units), at(meeting, meeting->y.units), true);
    meeting->times = fth_new(meeting->y.count + 1, sizeof *meeting->times);
    for (size_t i = 0; i < meeting->y.count; i++)
        meeting->times[i + 1] = meeting->times[i] + meeting->y.units[i].times;
    for (size_t i = 0; i < meeting->x.count; i++)
        pairs += meeting->x.units[i].times *
                 (meeting->times[meeting->y.count] - meeting->times[meeting->behind[i]]);
    for (size_t i = 0; i < models->count; i++) {
        if (finder->comparing->model_layers[i] != finder->layers)
            continue;
        finder->counts[i].same_process_pairs += pairs;
        finder->counts[i].same_process[meeting->violation.hazard] += pairs;
        for (size_t k = 0; k < models->models[i].alone_count; k++)
            judge_behind(meeting, i, k);
    }
    free(meeting->times);
    free(meeting->behind);
}

/* Of each x the first y all of whose calls come behind all of its own. */
static size_t *first_behind(const struct meeting *meeting)
{
    size_t *behind = fth_new(meeting->x.count + 1, sizeof *behind), next = 0;
    for (size_t i = 0; i < meeting->x.count; i++) {
        uint64_t last = at(meeting, &meeting->x.units[i])->last_call;
        while (next < meeting->y.count && at(meeting, &meeting->y.units[next])->first_call <= last)
            next++;
        behind[i] = next;
    }
    return behind;
}

/* Pairs of two rows that take turns: what is neither behind nor before. */
static void take_turning(const struct meeting *meeting, fth_conflict_take *take, void *context)
{
    size_t first = 0;
    for (size_t i = 0; i < meeting->x.count; i++) {
        const struct fth_sweep_unit *x = &meeting->x.units[i];
        while (first < meeting->y.count &&
               at(meeting, &meeting->y.units[first])->last_call < at(meeting, x)->first_call)
            first++;
        for (size_t k = first; k < meeting->behind[i]; k++) {
            const struct fth_sweep_unit *y = &meeting->y.units[k];
            bool is_first = x->situation < y->situation;
            const struct fth_sweep_unit *a = is_first ? x : y, *b = is_first ? y : x;
            take(context, &(struct fth_conflict){a->situation, b->situation, x->times * y->times,
                                                 meeting->violation.start, meeting->violation.end,
                                                 a->call, b->call});
        }
    }
}

void fth_alone_judge_rows(const struct fth_alone_finder *finder,
                          const struct fth_conflict_rows *rows, fth_conflict_take *take,
                          void *context)
{
    struct meeting meeting = {
        .finder = finder,
        .situations = finder->comparing->accesses->situations,
        .x = rows->a,
        .y = rows->b,
        .violation = {.start = rows->start, .end = rows->end, .ordered = true}};
    meeting.behind = first_behind(&meeting);
    if (rows->a.units != rows->b.units)
        take_turning(&meeting, take, context);
    judge_meeting(&meeting);
    if (rows->a.units == rows->b.units)
        return;
    meeting.x = rows->b;
    meeting.y = rows->a;
    meeting.behind = first_behind(&meeting);
    judge_meeting(&meeting);
}
