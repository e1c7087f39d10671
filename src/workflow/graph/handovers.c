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
    bool at_reader = false;
    if (construct->conditions & ~(unsigned)(FTH_X_WRITES | FTH_Y_READS))
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

/* A close behind which nothing was written. */
static bool closes(const struct fth_workflow_use *write)
{
    return write->closed != FTH_NEVER && write->closed >= write->last_write;
}

static bool opens(const struct fth_workflow_use *read)
{
    return read->opened != FTH_NEVER && read->opened <= read->first_read;
}

/* In the order of one process: when the writer was over there, and when the reader began there.
 * ended: when the process of the writer had ended; begun: when that of the reader was started;
 * FTH_NEVER: that is the process itself, whose own calls count. */
static bool put_in_order(struct fth_handover *handover, const struct fth_workflow_use *write,
                         const struct fth_workflow_use *read, int64_t ended, int64_t begun)
{
    bool own_end = ended == FTH_NEVER, own_begin = begun == FTH_NEVER;
    int64_t reads = own_begin ? read->first_read : begun;
    int64_t over = !own_end ? ended : closes(write) ? write->closed : write->last_write;
    if (over > reads && own_end && write->last_write <= reads)
        over = write->last_write;
    if (over > reads)
        return false;
    handover->ended = !own_end;
    handover->closed = closes(write) && (!own_end || over == write->closed);
    handover->opened = opens(read) && (handover->closed || handover->ended) &&
                       (!own_begin || read->opened >= over);
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

static enum fth_handover_order order_in_trace(struct finding *finding,
                                              struct fth_handover *handover,
                                              const struct fth_workflow_use *write,
                                              const struct fth_workflow_use *read)
{
    struct fth_process_meeting meeting;
    if (write->process == FTH_NO_STEP || read->process == FTH_NO_STEP)
        return FTH_ORDER_OLD;
    if (fth_process_meet(finding->graph->workflow, write->process, read->process, &meeting) &&
        put_in_order(handover, write, read, meeting.over, meeting.begun))
        return FTH_ORDERED_BY_PROCESSES;
    return write->last_write > read->first_read ? FTH_NOT_ORDERED : FTH_ORDER_UNSEEN;
}

static enum fth_handover_order order_of(struct finding *finding, struct fth_handover *handover,
                                        const struct fth_workflow_use *write,
                                        const struct fth_workflow_use *read)
{
    const struct fth_workflow_step *from = &finding->graph->workflow->steps[handover->from],
                                   *to = &finding->graph->workflow->steps[handover->to];
    if (!strcmp(from->trace, to->trace))
        return order_in_trace(finding, handover, write, read);
    if (write->process == FTH_NO_STEP || read->process == FTH_NO_STEP)
        return FTH_ORDER_OLD;
    if (needs_job(finding, handover->from, handover->to)) {
        handover->closed = closes(write);
        handover->ended = handover->job_ended = true;
        handover->opened = opens(read);
        return FTH_ORDERED_BY_JOBS;
    }
    if (strcmp(from->host, to->host) != 0)
        return FTH_ORDER_CLOCKS;
    if (from->end <= to->start)
        return put_in_order(handover, write, read, from->end, to->start) ? FTH_ORDERED_BY_CLOCK
                                                                         : FTH_ORDER_UNSEEN;
    return write->last_write > read->first_read ? FTH_NOT_ORDERED : FTH_ORDER_UNSEEN;
}

/* ---- one for each pair of steps and file ---- */

static int by_steps(const void *one, const void *other)
{
    const struct fth_handover *a = one, *b = other;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
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
        const struct fth_workflow_use *write = &workflow->uses[passing->write],
                                      *read = &workflow->uses[passing->read];
        struct fth_handover *handover = &handovers->list[i];
        *handover = (struct fth_handover){.from = write->step,
                                          .to = read->step,
                                          .content = passing->content,
                                          .bytes = passing->bytes,
                                          .renamed = passing->renamed};
        handover->order = order_of(&finding, handover, write, read);
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
