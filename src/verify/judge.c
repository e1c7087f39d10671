#include "verify/judge.h"

#include "base/memory.h"

#include <string.h>

/* ---- marks of each set, where they can be found ---- */

static bool set_has(const struct fth_consistency_set *set, const struct fth_function *function)
{
    for (size_t i = 0; i < set->function_count; i++)
        if (strcmp(set->functions[i], function->name) == 0)
            return true;
    return false;
}

static int in_order(const void *a, const void *b)
{
    const struct fth_mark *one = *(struct fth_mark *const *)a;
    const struct fth_mark *other = *(struct fth_mark *const *)b;
    if (one->opening != other->opening)
        return one->opening < other->opening ? -1 : 1;
    if (one->in.strand != other->in.strand)
        return one->in.strand < other->in.strand ? -1 : 1;
    return one->ended < other->ended ? -1 : one->ended > other->ended;
}

/* Those of sorted marks that have none of them inside: of one file and thread each ends before the next one begins. */
static struct fth_set_marks *inner_marks(const struct fth_set_marks *set)
{
    struct fth_set_marks *inner = fth_new(1, sizeof *inner);
    inner->marks = fth_new(set->count + 1, sizeof *inner->marks);
    for (size_t i = 0; i < set->count; i++) {
        const struct fth_mark *mark = set->marks[i];
        const struct fth_mark *last = inner->count ? inner->marks[inner->count - 1] : NULL;
        if (last && last->opening == mark->opening && last->in.strand == mark->in.strand &&
            last->began > mark->began)
            continue;
        inner->marks[inner->count++] = mark;
    }
    return inner;
}

static struct fth_set_marks marks_of_set(const struct fth_deeds *deeds,
                                         const struct fth_consistency_set *set)
{
    struct fth_set_marks found = {0};
    const struct fth_function *last = NULL;
    bool last_is_in = false;
    for (size_t i = 0; i < deeds->mark_count; i++) {
        const struct fth_mark *mark = &deeds->marks[i];
        if (mark->function != last) {
            last = mark->function;
            last_is_in = set_has(set, last);
        }
        if (!last_is_in)
            continue;
        FTH_GROW(found.marks, found.count);
        found.marks[found.count++] = mark;
    }
    if (found.count)
        qsort(found.marks, found.count, sizeof *found.marks, in_order);
    found.inner = inner_marks(&found);
    return found;
}

/* The first mark that is of (file, strand) at `tick` or later, or behind all of these. */
static size_t lower_bound(const struct fth_set_marks *set, uint32_t file, uint32_t strand,
                          uint32_t tick)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fth_mark *mark = set->marks[middle];
        bool before = mark->opening != file       ? mark->opening < file
                      : mark->in.strand != strand ? mark->in.strand < strand
                                                  : mark->ended < tick;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_of(const struct fth_set_marks *set, size_t at, uint32_t file, uint32_t strand)
{
    return at < set->count && set->marks[at]->opening == file &&
           set->marks[at]->in.strand == strand;
}

/* ---- where steps lead to ---- */

/* A place that steps have led to, of one strand: behind a mark, or before one; or an access, that begins or ends there. */
struct point {
    struct fth_moment moment;
    uint32_t tick;
    uint64_t call; /* of an access its number + 1; 0: of a mark, told by ticks */
};
struct fth_reach {
    size_t count;
    struct point points[];
};

enum { MOST_POINTS = 4096 }; /* threads of a process, or processes, that steps are followed over */

struct points {
    size_t count;
    struct point *points; /* room for MOST_POINTS, one per strand */
};

static bool before(const struct fth_judge *judge, struct fth_moment a, struct fth_moment b)
{
    return a.step != FTH_NEVER && fth_runs_before(judge->runs, a, b);
}

/* The first mark of a strand that comes after `from`, in the order that `relation` asks for; NULL: none does. */
static const struct fth_mark *first_after(const struct fth_judge *judge,
                                          const struct fth_set_marks *set, uint32_t file,
                                          uint32_t strand, const struct point *from,
                                          enum fth_relation relation)
{
    bool same_strand = strand == from->moment.strand;
    /* By the same thread: what ends after it, as fclose does that writes the last bytes. What happens after has to begin after it, as a mark inside another one
     * does that began before. */
    const struct fth_set_marks *marks =
        same_strand && relation == FTH_PROGRAM_ORDER ? set : set->inner;
    size_t low = lower_bound(marks, file, strand, same_strand ? from->tick + 1 : 0);
    if (same_strand) {
        while (relation == FTH_HAPPENS_BEFORE && is_of(marks, low, file, strand) &&
               marks->marks[low]->began <= from->tick)
            low++;
        return is_of(marks, low, file, strand) ? marks->marks[low] : NULL;
    }
    size_t high = lower_bound(marks, file, strand, UINT32_MAX);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (before(judge, from->moment, marks->marks[middle]->in))
            high = middle;
        else
            low = middle + 1;
    }
    return is_of(marks, low, file, strand) ? marks->marks[low] : NULL;
}

/* The earliest point of a strand behind a mark that follows any of `from`; in program order, any of its process. */
static void step_into(const struct fth_judge *judge, const struct fth_set_marks *set, uint32_t file,
                      uint32_t strand, const struct points *from, enum fth_relation relation,
                      struct points *to)
{
    struct point best = {.tick = UINT32_MAX};
    bool found = false;
    uint32_t files[] = {file, FTH_NO_OPENING};
    for (size_t i = 0; i < from->count; i++) {
        const struct point *point = &from->points[i];
        if (relation == FTH_PROGRAM_ORDER &&
            judge->process_of[strand] != judge->process_of[point->moment.strand])
            continue;
        for (size_t j = 0; j < 2; j++) {
            const struct fth_mark *mark =
                first_after(judge, set, files[j], strand, point, relation);
            if (!mark || mark->ended >= best.tick)
                continue;
            best = (struct point){mark->out, mark->ended, 0};
            found = true;
        }
    }
    if (found && to->count < MOST_POINTS)
        to->points[to->count++] = best;
}

/* A step: from `from` to marks of the set, in strands [first, end) of judge->strands. */
static void step(const struct fth_judge *judge, const struct fth_set_marks *set, uint32_t file,
                 size_t first, size_t end, enum fth_relation relation, const struct points *from,
                 struct points *to)
{
    to->count = 0;
    for (size_t i = first; i < end; i++)
        step_into(judge, set, file, judge->strands[i], from, relation, to);
}

/* How many steps at the beginning, and at the end, stay in one process. */
static size_t leading(const struct fth_construct *construct)
{
    size_t count = 0;
    while (count < construct->step_count && construct->steps[count].relation == FTH_PROGRAM_ORDER)
        count++;
    return count;
}

static size_t trailing(const struct fth_construct *construct)
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

static struct fth_reach *keep(struct fth_judge *judge, const struct points *points)
{
    struct fth_reach *reach =
        fth_arena_take(&judge->arena, sizeof *reach + points->count * sizeof(struct point));
    reach->count = points->count;
    if (points->count)
        memcpy(reach->points, points->points, points->count * sizeof(struct point));
    return reach;
}

/* Where an access ends: its own end, and the ends of the calls whose bytes it carried. */
static void put_ends(const struct fth_judge *judge, const struct fth_situation *x,
                     struct points *points)
{
    uint32_t *carried;
    size_t count = fth_carriers_of(judge->carriers, x, &carried);
    points->count = 0;
    if (x->end.step != FTH_NEVER)
        points->points[points->count++] = (struct point){x->end, x->ended, x->first_call + 1};
    for (size_t i = 0; i < count && points->count < MOST_POINTS; i++) {
        const struct fth_situation *other = &judge->deeds->situations[carried[i]];
        if (other->end.step != FTH_NEVER)
            points->points[points->count++] =
                (struct point){other->end, other->ended, other->first_call + 1};
    }
    free(carried);
}

static void put_begins(const struct fth_judge *judge, const struct fth_situation *y,
                       struct points *points)
{
    uint32_t *carried;
    size_t count = fth_carriers_of(judge->carriers, y, &carried);
    points->points[0] = (struct point){y->begin, y->began, y->first_call + 1};
    points->count = 1;
    for (size_t i = 0; i < count && points->count < MOST_POINTS; i++) {
        const struct fth_situation *other = &judge->deeds->situations[carried[i]];
        points->points[points->count++] =
            (struct point){other->begin, other->began, other->first_call + 1};
    }
    free(carried);
}

/* Steps that x's process makes start where its own access ends; what others do starts where they know of it, too. */
static struct fth_reach *find_forward(struct fth_judge *judge, size_t model,
                                      const struct fth_construct *construct,
                                      const struct fth_situation *x)
{
    static _Thread_local struct point spaces[2][MOST_POINTS];
    struct points from = {0, spaces[0]}, to = {0, spaces[1]};
    size_t count = construct ? leading(construct) : 0;
    put_ends(judge, x, &from);
    if (count && from.count > 1)
        from.count = x->end.step != FTH_NEVER;
    for (size_t i = 0; i < count; i++) {
        step(judge, &judge->marks[model][construct->steps[i].set], x->opening,
             judge->first_strand[x->proc], judge->first_strand[x->proc + 1], FTH_PROGRAM_ORDER,
             &from, &to);
        struct points swap = from;
        from = to;
        to = swap;
    }
    return keep(judge, &from);
}

/* Of the marks of a strand that are over before `to` the one that began last; NULL: none is. */
static const struct fth_mark *last_before(const struct fth_judge *judge,
                                          const struct fth_set_marks *set, uint32_t file,
                                          uint32_t strand, const struct point *to)
{
    const struct fth_set_marks *marks = set->inner;
    size_t first = lower_bound(marks, file, strand, 0), low = first;
    if (strand == to->moment.strand) {
        low = lower_bound(marks, file, strand, to->tick + 1);
        return low > first ? marks->marks[low - 1] : NULL;
    }
    size_t high = lower_bound(marks, file, strand, UINT32_MAX);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (before(judge, marks->marks[middle]->out, to->moment))
            low = middle + 1;
        else
            high = middle;
    }
    return low > first ? marks->marks[low - 1] : NULL;
}

/* The same as a step, backwards: to the latest points before marks from which `to` follows. */
static void step_back(const struct fth_judge *judge, const struct fth_set_marks *set, uint32_t file,
                      uint32_t proc, const struct points *to, struct points *from)
{
    uint32_t files[] = {file, FTH_NO_OPENING};
    from->count = 0;
    for (uint32_t s = judge->first_strand[proc]; s < judge->first_strand[proc + 1]; s++) {
        const struct fth_mark *best = NULL;
        for (size_t i = 0; i < to->count; i++)
            for (size_t j = 0; j < 2; j++) {
                const struct fth_mark *mark =
                    last_before(judge, set, files[j], judge->strands[s], &to->points[i]);
                if (mark && (!best || mark->began > best->began))
                    best = mark;
            }
        if (best && from->count < MOST_POINTS)
            from->points[from->count++] = (struct point){best->in, best->began, 0};
    }
}

static struct fth_reach *find_backward(struct fth_judge *judge, size_t model,
                                       const struct fth_construct *construct,
                                       const struct fth_situation *y)
{
    static _Thread_local struct point spaces[2][MOST_POINTS];
    struct points to = {0, spaces[0]}, from = {0, spaces[1]};
    size_t count = construct ? trailing(construct) : 0;
    put_begins(judge, y, &to);
    if (count)
        to.count = 1;
    for (size_t i = 0; i < count; i++) {
        size_t set = construct->steps[construct->step_count - 1 - i].set;
        step_back(judge, &judge->marks[model][set], y->opening, y->proc, &to, &from);
        struct points swap = from;
        from = to;
        to = swap;
    }
    return keep(judge, &to);
}

/* ---- constructs ---- */

static bool applies(const struct fth_construct *construct, const struct fth_situation *x,
                    const struct fth_situation *y)
{
    unsigned is = (x->writes ? FTH_X_WRITES : FTH_X_READS) |
                  (y->writes ? FTH_Y_WRITES : FTH_Y_READS) |
                  (x->atomic && y->atomic ? FTH_BOTH_ATOMIC : 0);
    return (construct->conditions & ~is) == 0;
}

/* Of two points of one strand: the order of what the trace shows, then that of marks, then that of calls. */
static bool is_earlier(const struct point *a, const struct point *b)
{
    if (a->moment.step != b->moment.step)
        return a->moment.step < b->moment.step;
    return a->tick != b->tick ? a->tick < b->tick : a->call <= b->call;
}

/* Does any of `from` come before any of `to`? */
static bool any_before(const struct fth_judge *judge, const struct fth_reach *from,
                       const struct fth_reach *to)
{
    for (size_t i = 0; i < from->count; i++)
        for (size_t j = 0; j < to->count; j++) {
            const struct point *a = &from->points[i], *b = &to->points[j];
            if (a->moment.strand == b->moment.strand ? is_earlier(a, b)
                                                     : before(judge, a->moment, b->moment))
                return true;
        }
    return false;
}

/* What lies between the steps that stay in x's process and those that stay in y's: more steps, followed one after the other. */
static struct fth_reach *follow_middle(struct fth_judge *judge, size_t model,
                                       const struct fth_construct *construct,
                                       const struct fth_situation *x,
                                       const struct fth_reach *forward)
{
    static _Thread_local struct point spaces[2][MOST_POINTS];
    struct points from = {forward->count, spaces[0]}, to = {0, spaces[1]};
    size_t end = construct->step_count - trailing(construct);
    memcpy(from.points, forward->points, forward->count * sizeof(struct point));
    for (size_t i = leading(construct); i < end; i++) {
        step(judge, &judge->marks[model][construct->steps[i].set], x->opening, 0,
             judge->first_strand[judge->process_count], construct->steps[i].relation, &from, &to);
        struct points swap = from;
        from = to;
        to = swap;
    }
    return keep(judge, &from);
}

/* Remembered, as the same situation is asked about again and again. */
static const struct fth_reach *
reach_of(struct fth_judge *judge, struct fth_reach **kept, size_t model,
         const struct fth_construct *construct, const struct fth_situation *situation,
         struct fth_reach *(*find)(struct fth_judge *, size_t, const struct fth_construct *,
                                   const struct fth_situation *))
{
    size_t number = judge->first_construct[model] +
                    (size_t)(construct - judge->models->models[model].constructs);
    size_t at = (size_t)(situation - judge->deeds->situations) * judge->construct_count + number;
    if (!kept[at])
        kept[at] = find(judge, model, construct, situation);
    return kept[at];
}

/* x happened before y, as far as their own processes tell, or those whose bytes they carried. */
static bool happened_before(struct fth_judge *judge, const struct fth_situation *x,
                            const struct fth_situation *y)
{
    struct fth_reach **end = &judge->ends[x - judge->deeds->situations];
    struct fth_reach **begin = &judge->begins[y - judge->deeds->situations];
    if (x->carrier == FTH_NO_CALL && y->carrier == FTH_NO_CALL)
        return before(judge, x->end, y->begin);
    if (!*end)
        *end = find_forward(judge, 0, NULL, x);
    if (!*begin)
        *begin = find_backward(judge, 0, NULL, y);
    return any_before(judge, *end, *begin);
}

static bool holds(struct fth_judge *judge, size_t model, const struct fth_construct *construct,
                  const struct fth_situation *x, const struct fth_situation *y)
{
    if (construct->step_count == 0)
        return construct->last == FTH_HAPPENS_BEFORE && happened_before(judge, x, y);
    size_t ahead = leading(construct), behind = trailing(construct);
    if (ahead == construct->step_count && construct->last == FTH_PROGRAM_ORDER)
        return false; /* all in one process: x and y are of two */
    const struct fth_reach *forward =
        reach_of(judge, judge->forward, model, construct, x, find_forward);
    const struct fth_reach *backward =
        reach_of(judge, judge->backward, model, construct, y, find_backward);
    if (ahead + behind < construct->step_count)
        forward = follow_middle(judge, model, construct, x, forward);
    return any_before(judge, forward, backward);
}

enum fth_precedence fth_judge_precedence(struct fth_judge *judge, const struct fth_situation *a,
                                         const struct fth_situation *b)
{
    if (a->proc == b->proc && a->thread == b->thread)
        return a->first_call <= b->first_call ? FTH_FIRST_IS_FIRST : FTH_SECOND_IS_FIRST;
    if (happened_before(judge, a, b))
        return FTH_FIRST_IS_FIRST;
    return happened_before(judge, b, a) ? FTH_SECOND_IS_FIRST : FTH_UNORDERED_PAIR;
}

bool fth_judge_synchronized(struct fth_judge *judge, size_t model, const struct fth_situation *x,
                            const struct fth_situation *y)
{
    const struct fth_consistency *rules = &judge->models->models[model];
    for (size_t i = 0; i < rules->construct_count; i++)
        if (applies(&rules->constructs[i], x, y) &&
            holds(judge, model, &rules->constructs[i], x, y))
            return true;
    return false;
}

const struct fth_construct *fth_judge_missing(struct fth_judge *judge, size_t model,
                                              const struct fth_situation *x,
                                              const struct fth_situation *y, size_t *missing)
{
    const struct fth_consistency *rules = &judge->models->models[model];
    for (size_t i = 0; i < rules->construct_count; i++) {
        const struct fth_construct *construct = &rules->constructs[i];
        if (!applies(construct, x, y))
            continue;
        struct fth_construct part =
            *construct; /* its first steps only, as if nothing more were asked for */
        const struct fth_reach *begin = find_backward(judge, model, NULL, y);
        *missing = construct->step_count;
        part.last = FTH_HAPPENS_BEFORE;
        for (part.step_count = 1; part.step_count <= construct->step_count; part.step_count++) {
            struct fth_reach *reached = find_forward(judge, model, &part, x);
            if (leading(&part) < part.step_count)
                reached = follow_middle(judge, model, &part, x, reached);
            /* What comes too late to be seen by y is as good as not there. */
            if (!any_before(judge, reached, begin)) {
                *missing = part.step_count - 1;
                break;
            }
        }
        return construct;
    }
    return NULL;
}

/* ---- opening ---- */

static void find_strands(struct fth_judge *judge)
{
    const struct fth_runs *runs = judge->runs;
    size_t count = 0;
    judge->process_count = runs->process_count;
    judge->first_strand = fth_new(judge->process_count + 1, sizeof *judge->first_strand);
    judge->strands = fth_new(runs->strand_count + 1, sizeof *judge->strands);
    judge->process_of = fth_new(runs->strand_count + 1, sizeof *judge->process_of);
    for (uint32_t proc = 0; proc < judge->process_count; proc++) {
        const struct fth_run *run = fth_runs_of(runs, proc);
        size_t threads = fth_runs_process(runs, proc)->thread_count;
        for (uint32_t thread = 0; thread < threads; thread++) {
            uint32_t strand = fth_order_strand(run->order, proc - run->first_proc, thread);
            if (strand == UINT32_MAX)
                continue;
            judge->strands[count++] = run->first_strand + strand;
            judge->process_of[run->first_strand + strand] = proc;
        }
        judge->first_strand[proc + 1] = (uint32_t)count;
    }
}

void fth_judge_open(struct fth_judge *judge, const struct fth_runs *runs,
                    const struct fth_deeds *deeds, const struct fth_carriers *carriers,
                    const struct fth_consistencies *models)
{
    *judge =
        (struct fth_judge){.runs = runs, .deeds = deeds, .carriers = carriers, .models = models};
    find_strands(judge);
    judge->marks = fth_new(models->count + 1, sizeof *judge->marks);
    judge->first_construct = fth_new(models->count + 1, sizeof *judge->first_construct);
    for (size_t i = 0; i < models->count; i++) {
        const struct fth_consistency *model = &models->models[i];
        judge->first_construct[i] = judge->construct_count;
        judge->construct_count += model->construct_count;
        judge->marks[i] = fth_new(model->set_count + 1, sizeof **judge->marks);
        for (size_t j = 0; j < model->set_count; j++)
            judge->marks[i][j] = marks_of_set(deeds, &model->sets[j]);
    }
    size_t places = deeds->situation_count * judge->construct_count + 1;
    judge->forward = fth_new(places, sizeof *judge->forward);
    judge->backward = fth_new(places, sizeof *judge->backward);
    judge->ends = fth_new(deeds->situation_count + 1, sizeof *judge->ends);
    judge->begins = fth_new(deeds->situation_count + 1, sizeof *judge->begins);
}

static void free_marks(struct fth_set_marks *set)
{
    free(set->inner->marks);
    free(set->inner);
    free(set->marks);
}

void fth_judge_close(struct fth_judge *judge)
{
    for (size_t i = 0; i < judge->models->count; i++) {
        for (size_t j = 0; j < judge->models->models[i].set_count; j++)
            free_marks(&judge->marks[i][j]);
        free(judge->marks[i]);
    }
    free(judge->marks);
    free(judge->first_construct);
    free(judge->first_strand);
    free(judge->strands);
    free(judge->process_of);
    free(judge->forward);
    free(judge->backward);
    free(judge->ends);
    free(judge->begins);
    fth_arena_free(&judge->arena);
}
