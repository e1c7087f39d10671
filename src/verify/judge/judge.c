/* For each construct of a model: what its steps reach from one access (reach.c), held against the
 * begin of the other. */
#include "verify/judge/judge.h"

#include "base/memory.h"
#include "verify/judge/reach.h"

/* ---- constructs ---- */

/* MPI's atomic mode says something of accesses by what one collective call opened only. */
static bool are_atomic(const struct fth_judge *judge, const struct fth_situation *x,
                       const struct fth_situation *y)
{
    return x->atomic && y->atomic && fth_carriers_opened_together(judge->carriers, x, y);
}

/* What the two are, of the conditions of constructs. */
static unsigned conditions_of(const struct fth_judge *judge, const struct fth_situation *x,
                              const struct fth_situation *y)
{
    return (x->writes ? FTH_X_WRITES : FTH_X_READS) | (y->writes ? FTH_Y_WRITES : FTH_Y_READS) |
           (x->removes ? FTH_X_TRUNCATES : 0) | (y->removes ? FTH_Y_TRUNCATES : 0) |
           (are_atomic(judge, x, y) ? FTH_BOTH_ATOMIC : 0);
}

static bool applies(const struct fth_judge *judge, const struct fth_construct *construct,
                    const struct fth_situation *x, const struct fth_situation *y)
{
    return (construct->conditions & ~conditions_of(judge, x, y)) == 0;
}

/* Several threads may find out the same at the same time. */
static struct fth_reach *known_at(struct fth_reach **place)
{
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

static struct fth_reach *keep_at(struct fth_reach **place, struct fth_reach *found)
{
    __atomic_store_n(place, found, __ATOMIC_RELEASE);
    return found;
}

static struct fth_judged *judged(const struct fth_judge *judge,
                                 const struct fth_situation *situation)
{
    size_t number = judge->alike.of[situation - judge->accesses->situations];
    return (struct fth_judged *)(void *)(judge->judged + number * judge->judged_size);
}

static const struct fth_reach *end_of(struct fth_judge *judge, const struct fth_situation *x)
{
    struct fth_reach **place = &judged(judge, x)->end, *known = known_at(place);
    return known ? known : keep_at(place, fth_reach_forward(judge, 0, NULL, x));
}

static const struct fth_reach *begin_of(struct fth_judge *judge, const struct fth_situation *y)
{
    struct fth_reach **place = &judged(judge, y)->begin, *known = known_at(place);
    return known ? known : keep_at(place, fth_reach_backward(judge, 0, NULL, y));
}

static size_t number_of(const struct fth_judge *judge, size_t model,
                        const struct fth_construct *construct)
{
    const struct fth_construct *first = judge->models->models[model].constructs;
    return judge->construct_numbers[model][construct - first];
}

static const struct fth_reach *forward_of(struct fth_judge *judge, size_t model,
                                          const struct fth_construct *construct,
                                          const struct fth_situation *x)
{
    size_t number = number_of(judge, model, construct);
    struct fth_reach **place = &judged(judge, x)->reached[number].forward;
    struct fth_reach *known = known_at(place);
    return known ? known : keep_at(place, fth_reach_forward(judge, model, construct, x));
}

static const struct fth_reach *backward_of(struct fth_judge *judge, size_t model,
                                           const struct fth_construct *construct,
                                           const struct fth_situation *y)
{
    size_t number = number_of(judge, model, construct);
    struct fth_reach **place = &judged(judge, y)->reached[number].backward;
    struct fth_reach *known = known_at(place);
    return known ? known : keep_at(place, fth_reach_backward(judge, model, construct, y));
}

void fth_judge_fetch(const struct fth_judge *judge, const struct fth_situation *situation)
{
    const char *known = (const char *)judged(judge, situation);
    for (size_t i = 0; i < judge->judged_size; i += FTH_CACHE_LINE)
        __builtin_prefetch(known + i);
}

void fth_judge_fetch_reached(const struct fth_judge *judge, const struct fth_situation *situation)
{
    const struct fth_judged *known = judged(judge, situation);
    __builtin_prefetch(known->known);
    if (situation->carrier != FTH_NO_CALL) {
        __builtin_prefetch(known->begin);
        __builtin_prefetch(known->end);
    }
    for (size_t i = 0; i < judge->construct_count; i++) {
        __builtin_prefetch(known->reached[i].forward);
        __builtin_prefetch(known->reached[i].backward);
    }
}

/* x happened before y, as far as their own processes show, or those whose bytes they carried. */
static bool happened_before(struct fth_judge *judge, const struct fth_situation *x,
                            const struct fth_situation *y)
{
    if (x->carrier == FTH_NO_CALL && y->carrier == FTH_NO_CALL)
        return x->end.step != FTH_NEVER &&
               fth_runs_know(judge->runs, judged(judge, y)->known, x->end, y->begin);
    return fth_reach_before(judge, end_of(judge, x), begin_of(judge, y));
}

/* x did happen before y. */
static bool asks_for_nothing_more(const struct fth_construct *construct)
{
    return construct->step_count == 0 && construct->last == FTH_HAPPENS_BEFORE;
}

static bool holds(struct fth_judge *judge, size_t model, const struct fth_construct *construct,
                  const struct fth_situation *x, const struct fth_situation *y)
{
    size_t ahead = fth_reach_leading(construct), behind = fth_reach_trailing(construct);
    if (ahead == construct->step_count && construct->last == FTH_PROGRAM_ORDER)
        return false; /* all in one process: x and y are of two */
    const struct fth_reach *forward = forward_of(judge, model, construct, x);
    const struct fth_reach *backward = backward_of(judge, model, construct, y);
    if (ahead + behind < construct->step_count)
        forward = fth_reach_middle(judge, model, construct, x, forward);
    return fth_reach_before(judge, forward, backward);
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
    unsigned conditions = conditions_of(judge, x, y);
    for (size_t i = 0; i < rules->construct_count; i++)
        if (asks_for_nothing_more(&rules->constructs[i]) &&
            (rules->constructs[i].conditions & ~conditions) == 0)
            return true;
    for (size_t i = 0; i < rules->construct_count; i++)
        if (rules->constructs[i].step_count &&
            (rules->constructs[i].conditions & ~conditions) == 0 &&
            holds(judge, model, &rules->constructs[i], x, y))
            return true;
    return false;
}

static const struct fth_sync_mark *next_behind(const struct fth_set_marks *set,
                                               const struct fth_situation *x, struct fth_marked of)
{
    size_t at = fth_set_marks_from(set, of.file, x->end.timeline, x->ended + 1);
    return fth_set_marks_next(set, at, of, x->end.timeline,
                              (struct fth_mark_span){x->began, x->ended});
}

/* The first of these marks of x's thread that is behind x, of its file or else of all files; NULL:
 * none. */
static const struct fth_sync_mark *first_behind(const struct fth_set_marks *set,
                                                const struct fth_situation *x)
{
    struct fth_marked of[] = {{x->opening, x->handle}, {FTH_NO_OPENING, FTH_NO_OPENING}};
    const struct fth_sync_mark *mark = NULL;
    for (size_t i = 0; i < 2 && !mark; i++)
        mark = next_behind(set, x, of[i]);
    return mark;
}

/* Is one of these marks behind x, and over before y, which is of another thread? Of another thread
 * than x's none is looked at. */
static bool is_between(const struct fth_judge *judge, const struct fth_set_marks *set,
                       const struct fth_situation *x, const struct fth_situation *y)
{
    /* The first one ends before all others do. */
    struct fth_marked of[] = {{x->opening, x->handle}, {FTH_NO_OPENING, FTH_NO_OPENING}};
    for (size_t i = 0; i < 2; i++) {
        const struct fth_sync_mark *mark = next_behind(set, x, of[i]);
        if (mark && fth_runs_before(judge->runs, mark->out, y->begin))
            return true;
    }
    return false;
}

uint32_t fth_judge_alone_from(const struct fth_judge *judge, size_t model,
                              const struct fth_alone *alone, const struct fth_situation *x,
                              const struct fth_situation *y)
{
    if (!applies(judge, &alone->construct, x, y))
        return 0;
    if (alone->never)
        return UINT32_MAX;
    if (alone->construct.step_count == 0)
        return 0;
    const struct fth_sync_mark *mark =
        first_behind(&judge->marks[model][alone->construct.steps[0].set], x);
    return mark ? mark->ended : UINT32_MAX;
}

bool fth_judge_alone(const struct fth_judge *judge, size_t model, const struct fth_alone *alone,
                     const struct fth_situation *x, const struct fth_situation *y)
{
    if (y->begin.timeline == x->end.timeline)
        return fth_judge_alone_from(judge, model, alone, x, y) <= y->began;
    if (!applies(judge, &alone->construct, x, y))
        return true;
    if (alone->never)
        return false;
    return alone->construct.step_count == 0 ||
           is_between(judge, &judge->marks[model][alone->construct.steps[0].set], x, y);
}

/* The first step of the construct that nothing in the run is; step_count: all are there, in another
 * order. */
static size_t first_missing(struct fth_judge *judge, size_t model,
                            const struct fth_construct *construct, const struct fth_situation *x,
                            const struct fth_situation *y)
{
    /* its first steps only, as if nothing more were asked for */
    struct fth_construct part = *construct;
    const struct fth_reach *begin = fth_reach_backward(judge, model, NULL, y);
    part.last = FTH_HAPPENS_BEFORE;
    for (part.step_count = 1; part.step_count <= construct->step_count; part.step_count++) {
        struct fth_reach *reached = fth_reach_forward(judge, model, &part, x);
        if (fth_reach_leading(&part) < part.step_count)
            reached = fth_reach_middle(judge, model, &part, x, reached);
        /* What comes too late to be seen by y is as good as not there. */
        if (!fth_reach_before(judge, reached, begin))
            return part.step_count - 1;
    }
    return construct->step_count;
}

const struct fth_construct *fth_judge_missing(struct fth_judge *judge, size_t model,
                                              const struct fth_situation *x,
                                              const struct fth_situation *y, size_t *missing)
{
    const struct fth_consistency *rules = &judge->models->models[model];
    const struct fth_construct *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < rules->construct_count; i++) {
        const struct fth_construct *construct = &rules->constructs[i];
        size_t count = construct->step_count;
        if (!applies(judge, construct, x, y))
            continue;
        size_t first = first_missing(judge, model, construct, x, y);
        size_t left = first < count ? count - first : count;
        if (left >= least)
            continue;
        least = left;
        nearest = construct;
        *missing = first;
    }
    return nearest;
}

/* ---- what is there, though in no order ---- */

const struct fth_sync_mark *fth_judge_done_by_first(const struct fth_judge *judge, size_t model,
                                                    const struct fth_construct *construct,
                                                    const struct fth_situation *x)
{
    const struct fth_sync_mark *first = NULL;
    struct fth_marked of[] = {{x->opening, x->handle}, {FTH_NO_OPENING, FTH_NO_OPENING}};
    if (x->end.step == FTH_NEVER || fth_reach_leading(construct) != 1)
        return NULL;
    const struct fth_set_marks *set = &judge->marks[model][construct->steps[0].set];
    for (size_t i = 0; i < 2; i++) {
        const struct fth_sync_mark *mark = next_behind(set, x, of[i]);
        if (mark && (!first || mark->ended < first->ended))
            first = mark;
    }
    return first;
}

const struct fth_sync_mark *fth_judge_done_by_second(const struct fth_judge *judge, size_t model,
                                                     const struct fth_construct *construct,
                                                     const struct fth_situation *y)
{
    const struct fth_sync_mark *last = NULL;
    struct fth_marked of[] = {{y->opening, y->handle}, {FTH_NO_OPENING, FTH_NO_OPENING}};
    uint32_t timeline = y->begin.timeline;
    if (fth_reach_trailing(construct) != 1)
        return NULL;
    const struct fth_set_marks *set =
        &judge->marks[model][construct->steps[construct->step_count - 1].set];
    for (size_t i = 0; i < 2; i++) {
        size_t first = fth_set_marks_from(set, of[i].file, timeline, 0);
        size_t end = fth_set_marks_from(set, of[i].file, timeline, y->began + 1);
        const struct fth_sync_mark *mark = fth_set_marks_last(set, first, end, of[i]);
        if (mark && (!last || mark->ended > last->ended))
            last = mark;
    }
    return last;
}

/* ---- opening ---- */

/* Processes come in order of start: what exec made of one comes behind it. */
static void find_images(struct fth_judge *judge)
{
    judge->exec_to = fth_new(judge->runs->process_count + 1, sizeof *judge->exec_to);
    for (uint32_t proc = 0; proc < judge->runs->process_count; proc++)
        if (fth_runs_is_exec(judge->runs, proc))
            judge->exec_to[fth_runs_predecessor(judge->runs, proc)] = proc + 1;
}

static uint32_t first_image(const struct fth_judge *judge, uint32_t proc)
{
    while (fth_runs_is_exec(judge->runs, proc))
        proc = fth_runs_predecessor(judge->runs, proc);
    return proc;
}

static void find_timelines(struct fth_judge *judge)
{
    const struct fth_runs *runs = judge->runs;
    size_t count = 0;
    judge->process_count = runs->process_count;
    judge->first_timeline = fth_new(judge->process_count + 1, sizeof *judge->first_timeline);
    judge->timelines = fth_new(runs->timeline_count + 1, sizeof *judge->timelines);
    judge->process_of = fth_new(runs->timeline_count + 1, sizeof *judge->process_of);
    for (uint32_t proc = 0; proc < judge->process_count; proc++) {
        const struct fth_run *run = fth_runs_of(runs, proc);
        size_t threads = fth_runs_process(runs, proc)->thread_count;
        for (uint32_t thread = 0; thread < threads; thread++) {
            uint32_t timeline = fth_order_timeline(run->order, proc - run->first_proc, thread);
            if (timeline == UINT32_MAX)
                continue;
            judge->timelines[count++] = run->first_timeline + timeline;
            judge->process_of[run->first_timeline + timeline] = first_image(judge, proc);
        }
        judge->first_timeline[proc + 1] = (uint32_t)count;
    }
}

void fth_judge_open(struct fth_judge *judge, const struct fth_runs *runs,
                    const struct fth_run_accesses *accesses, const struct fth_carriers *carriers,
                    const struct fth_consistencies *models, unsigned threads)
{
    *judge = (struct fth_judge){
        .runs = runs, .accesses = accesses, .carriers = carriers, .models = models};
    judge->thread_count = threads;
    judge->arenas = judge->arena = fth_new(threads, sizeof *judge->arenas);
    find_images(judge);
    find_timelines(judge);
    judge->marks = fth_new(models->count + 1, sizeof *judge->marks);
    judge->construct_numbers = fth_new(models->count + 1, sizeof(size_t *));
    for (size_t i = 0; i < models->count; i++) {
        const struct fth_consistency *model = &models->models[i];
        judge->construct_numbers[i] =
            fth_new(model->construct_count + 1, sizeof **judge->construct_numbers);
        for (size_t j = 0; j < model->construct_count; j++)
            if (model->constructs[j].step_count)
                judge->construct_numbers[i][j] = judge->construct_count++;
        judge->marks[i] = fth_new(model->set_count + 1, sizeof **judge->marks);
        for (size_t j = 0; j < model->set_count; j++)
            judge->marks[i][j] = fth_set_marks_of(accesses, &model->sets[j]);
    }
    judge->judged_size =
        sizeof(struct fth_judged) + judge->construct_count * sizeof(struct fth_judged_steps);
    judge->alike = fth_alike_find(runs, accesses, carriers);
    judge->judged = fth_new_rows(judge->alike.count + 1, judge->judged_size);
    for (size_t i = 0; i < accesses->situation_count; i++)
        judged(judge, &accesses->situations[i])->known =
            fth_runs_known(runs, accesses->situations[i].begin);
}

struct fth_judge fth_judge_of_thread(const struct fth_judge *judge, unsigned thread)
{
    struct fth_judge same = *judge;
    same.arena = &judge->arenas[thread];
    return same;
}

void fth_judge_close(struct fth_judge *judge)
{
    for (size_t i = 0; i < judge->models->count; i++) {
        for (size_t j = 0; j < judge->models->models[i].set_count; j++)
            fth_set_marks_free(&judge->marks[i][j]);
        free(judge->marks[i]);
        free(judge->construct_numbers[i]);
    }
    free(judge->marks);
    free(judge->construct_numbers);
    free(judge->first_timeline);
    free(judge->timelines);
    free(judge->process_of);
    free(judge->judged);
    fth_alike_free(&judge->alike);
    free(judge->exec_to);
    for (unsigned i = 0; i < judge->thread_count; i++)
        fth_arena_free(&judge->arenas[i]);
    free(judge->arenas);
}
