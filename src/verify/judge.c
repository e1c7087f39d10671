#include "verify/judge.h"

#include "base/memory.h"
#include "verify/reach.h"

/* ---- constructs ---- */

static bool applies(const struct fth_construct *construct, const struct fth_situation *x,
                    const struct fth_situation *y)
{
    unsigned is = (x->writes ? FTH_X_WRITES : FTH_X_READS) |
                  (y->writes ? FTH_Y_WRITES : FTH_Y_READS) | (x->removes ? FTH_X_TRUNCATES : 0) |
                  (y->removes ? FTH_Y_TRUNCATES : 0) |
                  (x->atomic && y->atomic ? FTH_BOTH_ATOMIC : 0);
    return (construct->conditions & ~is) == 0;
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
    struct fth_reach *known = known_at(&kept[at]);
    return known ? known : keep_at(&kept[at], find(judge, model, construct, situation));
}

/* x happened before y, as far as their own processes tell, or those whose bytes they carried. */
static bool happened_before(struct fth_judge *judge, const struct fth_situation *x,
                            const struct fth_situation *y)
{
    if (x->carrier == FTH_NO_CALL && y->carrier == FTH_NO_CALL)
        return x->end.step != FTH_NEVER &&
               fth_runs_know(judge->runs, judge->known[y - judge->deeds->situations], x->end,
                             y->begin);
    struct fth_reach **place_of_end = &judge->ends[x - judge->deeds->situations];
    struct fth_reach **place_of_begin = &judge->begins[y - judge->deeds->situations];
    struct fth_reach *end = known_at(place_of_end), *begin = known_at(place_of_begin);
    if (!end)
        end = keep_at(place_of_end, fth_reach_forward(judge, 0, NULL, x));
    if (!begin)
        begin = keep_at(place_of_begin, fth_reach_backward(judge, 0, NULL, y));
    return fth_reach_before(judge, end, begin);
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
    const struct fth_reach *forward =
        reach_of(judge, judge->forward, model, construct, x, fth_reach_forward);
    const struct fth_reach *backward =
        reach_of(judge, judge->backward, model, construct, y, fth_reach_backward);
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
    for (size_t i = 0; i < rules->construct_count; i++)
        if (asks_for_nothing_more(&rules->constructs[i]) && applies(&rules->constructs[i], x, y))
            return true;
    for (size_t i = 0; i < rules->construct_count; i++)
        if (rules->constructs[i].step_count && applies(&rules->constructs[i], x, y) &&
            holds(judge, model, &rules->constructs[i], x, y))
            return true;
    return false;
}

/* The first step of the construct that nothing in the run is; step_count: all are there, in another order. */
static size_t first_missing(struct fth_judge *judge, size_t model,
                            const struct fth_construct *construct, const struct fth_situation *x,
                            const struct fth_situation *y)
{
    struct fth_construct part =
        *construct; /* its first steps only, as if nothing more were asked for */
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
        if (!applies(construct, x, y))
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
                    const struct fth_consistencies *models, unsigned threads)
{
    *judge =
        (struct fth_judge){.runs = runs, .deeds = deeds, .carriers = carriers, .models = models};
    judge->thread_count = threads;
    judge->arenas = judge->arena = fth_new(threads, sizeof *judge->arenas);
    find_strands(judge);
    judge->marks = fth_new(models->count + 1, sizeof *judge->marks);
    judge->first_construct = fth_new(models->count + 1, sizeof *judge->first_construct);
    for (size_t i = 0; i < models->count; i++) {
        const struct fth_consistency *model = &models->models[i];
        judge->first_construct[i] = judge->construct_count;
        judge->construct_count += model->construct_count;
        judge->marks[i] = fth_new(model->set_count + 1, sizeof **judge->marks);
        for (size_t j = 0; j < model->set_count; j++)
            judge->marks[i][j] = fth_set_marks_of(deeds, &model->sets[j]);
    }
    size_t places = deeds->situation_count * judge->construct_count + 1;
    judge->forward = fth_new(places, sizeof *judge->forward);
    judge->backward = fth_new(places, sizeof *judge->backward);
    judge->ends = fth_new(deeds->situation_count + 1, sizeof *judge->ends);
    judge->begins = fth_new(deeds->situation_count + 1, sizeof *judge->begins);
    judge->known = fth_new(deeds->situation_count + 1, sizeof(struct fth_clock *));
    for (size_t i = 0; i < deeds->situation_count; i++)
        judge->known[i] = fth_runs_known(runs, deeds->situations[i].begin);
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
    free(judge->known);
    for (unsigned i = 0; i < judge->thread_count; i++)
        fth_arena_free(&judge->arenas[i]);
    free(judge->arenas);
}
