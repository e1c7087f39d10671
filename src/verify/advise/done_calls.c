/* The calls of a program that already do what a model asks for: a mark is of a call of any layer,
 * the program knows the outermost one on files around it. */
#include "verify/advise/done_calls.h"

#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"
#include "verify/judge/reach.h"

#include <string.h>

/* The layer of a call, as its run knows it. What the buffer of a stream does below, the program
 * asks for by functions of streams: such functions of the system have names that begin with that of
 * the layer ("stdio_write"). */
const struct fth_layer *fth_advice_layer(const struct fth_trace *trace,
                                         const struct fth_function *function)
{
    const char *end = strchr(function->name, '_');
    char name[32];
    size_t length = end ? (size_t)(end - function->name) : 0;
    if (length && length < sizeof name && fth_layer_is(function->layer, FTH_LAYER_SYSTEM)) {
        memcpy(name, function->name, length);
        name[length] = 0;
        const struct fth_layer *above = fth_trace_layer(trace, name);
        if (above)
            return above;
    }
    return fth_trace_layer(trace, function->layer);
}

/* Programs make such calls to access files. What is around them (a region, a thread's start) is
 * left out. */
bool fth_advice_is_of_files(const struct fth_layer *layer)
{
    return layer && layer->accesses_files;
}

/* The outermost call on files around a mark: H5Fclose, also where that is H5Idec_ref. NULL: the
 * end of a process. */
static const struct fth_function *outer_call_of(const struct fth_judge *judge,
                                                const struct fth_sync_mark *mark)
{
    const struct fth_trace *trace = fth_runs_of(judge->runs, mark->proc)->trace;
    const struct fth_function *call = mark->function;
    for (uint32_t i = mark->chain; i != FTH_NO_CHAIN;) {
        size_t length;
        struct fth_chain link;
        memcpy(&link, fth_interned(&judge->accesses->chains, i, &length), sizeof link);
        if (fth_advice_is_of_files(fth_advice_layer(trace, link.function)))
            call = link.function;
        i = link.parent;
    }
    return call;
}

/* What the first process does comes after the second access: that happened before it, or both take
 * part in one collective call, and the second one only then. No wait can turn this round. */
static bool comes_too_late(const struct fth_judge *judge, size_t model,
                           const struct fth_construct *construct, const struct fth_sync_mark *by_x,
                           const struct fth_situation *y)
{
    if (fth_runs_before(judge->runs, y->begin, by_x->in))
        return true;
    const struct fth_sync_mark *behind_y = fth_judge_done_by_first(judge, model, construct, y);
    return behind_y && fth_carriers_marked_together(judge->carriers, by_x, behind_y);
}

static const char *name_of_outer_call(const struct fth_judge *judge,
                                      const struct fth_sync_mark *mark)
{
    const struct fth_function *call = outer_call_of(judge, mark);
    return call ? call->name : NULL;
}

/* Where both do what the construct asks of them, in the order that it asks for by the clock or in
 * one call, they lack that something makes it so. */
void fth_advice_find_done(struct fth_advice *advice, const struct fth_judge *judge, size_t model,
                          const struct fth_situation *x, const struct fth_situation *y)
{
    const struct fth_construct *construct = advice->construct;
    if (!construct || !construct->step_count)
        return;
    size_t leading = fth_reach_leading(construct), trailing = fth_reach_trailing(construct);
    const struct fth_sync_mark *by_x = fth_judge_done_by_first(judge, model, construct, x);
    const struct fth_sync_mark *by_y = fth_judge_done_by_second(judge, model, construct, y);
    bool all = (by_x || leading == 0) && (by_y || trailing == 0) &&
               construct->step_count == leading + trailing;
    bool one_call = by_x && by_y && fth_carriers_marked_together(judge->carriers, by_x, by_y);
    if (!all || (by_y && !one_call && by_y->time < (by_x ? by_x->time : x->start)) ||
        (by_x && comes_too_late(judge, model, construct, by_x, y)))
        return;
    advice->x.done = by_x             ? name_of_outer_call(judge, by_x)
                     : advice->x.maps ? "last use of the mapping"
                                      : advice->x.function;
    advice->y.done = by_y ? name_of_outer_call(judge, by_y) : NULL;
    if (!advice->x.done)
        advice->x.done = "end";
    advice->lacks_order_only = true;
    advice->in_one_call = one_call;
}
