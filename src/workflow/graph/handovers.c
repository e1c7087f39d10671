/* A model asks for steps between a write and a read: calls that synchronize, by the writer or
 * behind it, and opens of the reader. What is known to be there is held against each of them. */
#include "workflow/graph/handovers.h"

#include "base/memory.h"
#include "workflow/graph/job_edges.h"
#include "workflow/graph/process_order.h"

#include <fathom/trace.h>
#include <string.h>

struct finding {
    const struct fth_workflow_graph *graph;
    bool **needed; /* by job: which jobs it needs, or NULL: not asked for yet */
};

/* ---- models ---- */

static bool has_layer(const struct fth_consistency *model, const char *layer)
{
    for (size_t i = 0; i < model->layer_count; i++)
        if (!strcmp(model->layers[i], layer))
            return true;
    return false;
}

static bool synchronizes(const struct fth_consistency_set *set, const struct fth_handover *handover)
{
    const struct fth_function close = {.name = "", .layer = "posix", .kind = "", .closes = true};
    return (handover->closed && fth_consistency_set_has(set, &close, FTH_MARK_CALL)) ||
           (handover->ended && fth_consistency_set_has(set, NULL, FTH_MARK_PROCESS_END));
}

static bool looks_again(const struct fth_consistency_set *set, const struct fth_handover *handover)
{
    const struct fth_function open = {.name = "", .layer = "posix", .kind = "", .opens = true};
    return handover->opened && fth_consistency_set_has(set, &open, FTH_MARK_CALL);
}

/* The writer, then the reader: a step in program order is of the one that is at hand. */
static bool stands(const struct fth_consistency *model, const struct fth_construct *construct,
                   const struct fth_handover *handover)
{
    static const unsigned holds[] = {
        [FTH_PASSING_READ] = FTH_X_WRITES | FTH_Y_READS,
        [FTH_PASSING_OVERWRITE] = FTH_X_WRITES | FTH_Y_WRITES,
        [FTH_PASSING_CHANGE] = FTH_X_READS | FTH_Y_WRITES,
    };
    bool at_reader = false;
    if (construct->conditions & ~holds[handover->hazard])
        return false;
    for (size_t i = 0; i < construct->step_count; i++) {
        const struct fth_consistency_set *set = &model->sets[construct->steps[i].set];
        if (!at_reader && synchronizes(set, handover))
            continue;
        if (construct->steps[i].relation == FTH_PROGRAM_ORDER && !at_reader)
            return false;
        if (!looks_again(set, handover))
            return false;
        at_reader = true;
    }
    return at_reader || construct->last == FTH_HAPPENS_BEFORE;
}

static bool is_enough(const struct fth_consistency *model, const struct fth_handover *handover)
{
    for (size_t i = 0; i < model->construct_count; i++)
        if (stands(model, &model->constructs[i], handover))
            return true;
    return false;
}

/* The built-in models stand from the strongest to the weakest. */
static const char *weakest(const struct fth_consistencies *models,
                           const struct fth_handover *handover)
{
    const char *enough = NULL;
    if (handover->order > FTH_ORDERED_BY_CLOCK)
        return NULL;
    for (size_t i = 0; i < models->count; i++)
        if (has_layer(&models->models[i], "posix") && is_enough(&models->models[i], handover))
            enough = models->models[i].name;
    return enough;
}

const char *fth_handovers_stronger(const struct fth_handovers *handovers, const char *one,
                                   const char *other)
{
    for (size_t i = 0; one && other && i < handovers->models->count; i++) {
        const char *name = handovers->models->models[i].name;
        if (!strcmp(name, one) || !strcmp(name, other))
            return name;
    }
    return NULL;
}

/* ---- what is between ---- */

/* Two uses, by what counts of them: when the first one was over, its close behind that, and when
 * the second one began, its open before that. FTH_NEVER: none was seen. */
struct pair {
    const struct fth_workflow_use *first, *second;
    int64_t over, closed, begins, opened;
};

static struct pair pair_of(const struct fth_workflow *workflow,
                           const struct fth_workflow_passing *passing)
{
    const struct fth_workflow_use *first = &workflow->uses[passing->first],
                                  *second = &workflow->uses[passing->second];
    struct pair pair = {first,         second, first->last_write, first->closed, second->first_read,
                        second->opened};
    if (passing->hazard == FTH_PASSING_CHANGE)
        pair.over = first->last_read;
    if (passing->hazard != FTH_PASSING_READ)
        pair.begins = second->first_write;
    if (pair.closed < pair.over)
        pair.closed = FTH_NEVER;
    if (pair.opened > pair.begins)
        pair.opened = FTH_NEVER;
    return pair;
}

/* In the order of one process: `ended`: when the process of the first one had ended; `begun`: when
 * that of the second one was started; FTH_NEVER: that is the process itself, whose own calls
 * count. */
static bool put_in_order(struct fth_handover *handover, const struct pair *pair, int64_t ended,
                         int64_t begun)
{
    bool own_end = ended == FTH_NEVER, own_begin = begun == FTH_NEVER;
    int64_t begins = own_begin ? pair->begins : begun;
    bool closed = pair->closed != FTH_NEVER && pair->closed <= begins;
    int64_t over = !own_end ? ended : closed ? pair->closed : pair->over;
    if (over > begins)
        return false;
    handover->ended = !own_end;
    handover->closed = pair->closed != FTH_NEVER && (closed || !own_end);
    handover->opened = pair->opened != FTH_NEVER && (handover->closed || handover->ended) &&
                       (!own_begin || pair->opened >= over);
    return true;
}

static bool needs_job(struct finding *finding, uint32_t from, uint32_t to)
{
    uint32_t one = finding->graph->job[from], other = finding->graph->job[to];
    if (one == FTH_NO_STEP || other == FTH_NO_STEP || one == other)
        return false;
    if (!finding->needed[other])
        finding->needed[other] = fth_jobs_needed(finding->graph->workflow, other);
    return finding->needed[other][one];
}

/* Nothing is known to order them: did the second one begin before the first one was over? */
static enum fth_handover_order without_order(const struct pair *pair)
{
    return pair->over > pair->begins ? FTH_NOT_ORDERED : FTH_ORDER_UNSEEN;
}

static enum fth_handover_order order_of(struct finding *finding, struct fth_handover *handover,
                                        const struct pair *pair)
{
    const struct fth_workflow *workflow = finding->graph->workflow;
    const struct fth_workflow_step *from = &workflow->steps[handover->from],
                                   *to = &workflow->steps[handover->to];
    struct fth_process_meeting meeting;
    if (pair->first->process == FTH_NO_STEP || pair->second->process == FTH_NO_STEP)
        return FTH_ORDER_OLD;
    if (!strcmp(from->trace, to->trace))
        return fth_process_meet(workflow, pair->first->process, pair->second->process, &meeting) &&
                       put_in_order(handover, pair, meeting.over, meeting.begun)
                   ? FTH_ORDERED_BY_PROCESSES
                   : without_order(pair);
    if (needs_job(finding, handover->from, handover->to)) {
        handover->closed = pair->closed != FTH_NEVER;
        handover->ended = handover->job_ended = true;
        handover->opened = pair->opened != FTH_NEVER;
        return FTH_ORDERED_BY_JOBS;
    }
    if (strcmp(from->host, to->host) != 0)
        return FTH_ORDER_CLOCKS;
    return from->end <= to->start && put_in_order(handover, pair, from->end, to->start)
               ? FTH_ORDERED_BY_CLOCK
               : without_order(pair);
}

/* ---- one for each pair of steps and file ---- */

static int by_steps(const void *one, const void *other)
{
    const struct fth_handover *a = one, *b = other;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->hazard != b->hazard)
        return a->hazard < b->hazard ? -1 : 1;
    return (a->content > b->content) - (a->content < b->content);
}

/* What holds for both. */
static void join(const struct fth_handovers *handovers, struct fth_handover *all,
                 const struct fth_handover *one)
{
    all->bytes += one->bytes;
    all->order = one->order > all->order ? one->order : all->order;
    all->closed &= one->closed;
    all->ended &= one->ended;
    all->job_ended &= one->job_ended;
    all->renamed &= one->renamed;
    all->linked &= one->linked;
    all->opened &= one->opened;
    all->enough = fth_handovers_stronger(handovers, all->enough, one->enough);
}

void fth_handovers_find(struct fth_handovers *handovers, const struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    struct finding finding = {
        .graph = graph,
        .needed = fth_new((size_t)workflow->job_count + 1, sizeof *finding.needed),
    };
    *handovers = (struct fth_handovers){
        .list = fth_new((size_t)graph->passing_count + 1, sizeof *handovers->list),
        .models = fth_new(1, sizeof *handovers->models),
    };
    fth_consistency_built_in(handovers->models);
    for (uint32_t i = 0; i < graph->passing_count; i++) {
        const struct fth_workflow_passing *passing = &graph->passings[i];
        const struct pair pair = pair_of(workflow, passing);
        struct fth_handover *handover = &handovers->list[i];
        *handover = (struct fth_handover){.hazard = passing->hazard,
                                          .from = pair.first->step,
                                          .to = pair.second->step,
                                          .content = passing->content,
                                          .bytes = passing->bytes,
                                          .renamed = passing->renamed,
                                          .linked = passing->linked};
        handover->order = order_of(&finding, handover, &pair);
        handover->enough = weakest(handovers->models, handover);
    }
    if (graph->passing_count)
        qsort(handovers->list, graph->passing_count, sizeof *handovers->list, by_steps);
    for (uint32_t i = 0; i < graph->passing_count; i++) {
        struct fth_handover *last =
            handovers->count ? &handovers->list[handovers->count - 1] : NULL;
        if (last && !by_steps(last, &handovers->list[i]))
            join(handovers, last, &handovers->list[i]);
        else
            handovers->list[handovers->count++] = handovers->list[i];
    }
    for (uint32_t i = 0; i < workflow->job_count; i++)
        free(finding.needed[i]);
    free(finding.needed);
}

void fth_handovers_free(struct fth_handovers *handovers)
{
    if (handovers->models)
        fth_consistencies_free(handovers->models);
    free(handovers->models);
    free(handovers->list);
    *handovers = (struct fth_handovers){0};
}

const char *fth_handover_order_word(enum fth_handover_order order)
{
    static const char *const words[FTH_HANDOVER_ORDERS] = {
        [FTH_ORDERED_BY_PROCESSES] = "recorded", [FTH_ORDERED_BY_JOBS] = "scheduler",
        [FTH_ORDERED_BY_CLOCK] = "clock",        [FTH_NOT_ORDERED] = "none",
        [FTH_ORDER_UNSEEN] = "unseen",           [FTH_ORDER_CLOCKS] = "clocks",
        [FTH_ORDER_OLD] = "old profile"};
    return words[order];
}

const char *fth_handover_hazard_word(enum fth_workflow_hazard hazard)
{
    static const char *const words[] = {[FTH_PASSING_READ] = "read after write",
                                        [FTH_PASSING_OVERWRITE] = "write after write",
                                        [FTH_PASSING_CHANGE] = "write after read"};
    return words[hazard];
}
