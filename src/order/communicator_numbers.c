/* The order of a run knows who is in which communicator, window and file: what the program made as
 * a communicator gets a number, in the order in which that is found out. */
#include "order/communicator_numbers.h"

#include "base/memory.h"
#include "model/reading/matched_communicators.h"
#include "order/feed_process.h"

#include <string.h>

struct numbering {
    struct fth_communicators *to;
    /* those that calls made: until their members are known, id 0 */
    struct fth_communicators made;
    int64_t last;
};

static bool makes_any(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        for (size_t k = 0; k < function->parameter_count; k++)
            if (strcmp(function->parameters[k].role, "new comm") == 0)
                return true;
    }
    return false;
}

static enum fth_order_wish note_made(void *context, const struct fth_call *call)
{
    struct numbering *numbering = context;
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED &&
            strcmp(call->uses[i].handle->handle_class, "comm") == 0)
            fth_communicators_add(&numbering->made, call->proc, call->uses[i].handle->number,
                                  &(struct fth_communicator){0});
    return FTH_ORDER_TAKE;
}

static bool is_made(const struct numbering *numbering, const struct fth_order_group *group)
{
    for (uint32_t i = 0; i < group->size; i++)
        if (group->procs[i] != UINT32_MAX &&
            fth_communicators_find(&numbering->made, group->procs[i], group->handles[i]))
            return true;
    return false;
}

static void number(void *context, const struct fth_order_group *group)
{
    struct numbering *numbering = context;
    if (!is_made(numbering, group))
        return;
    numbering->last++;
    for (uint32_t i = 0; i < group->size; i++) {
        bool is_second = i >= group->split;
        uint32_t first = is_second ? group->split : 0,
                 own = is_second ? group->size - group->split : group->split;
        struct fth_communicator communicator = {
            .id = numbering->last, .size = own, .others = group->size - own, .rank = i - first};
        bool is_recorded = group->procs[i] != UINT32_MAX && group->handles[i] != UINT64_MAX;
        if (is_recorded &&
            !fth_communicators_find(numbering->to, group->procs[i], group->handles[i]))
            fth_communicators_add(numbering->to, group->procs[i], group->handles[i], &communicator);
    }
}

bool fth_order_find_communicators(struct fth_trace *trace, struct fth_progress *progress,
                                  struct fth_error **error)
{
    if (!makes_any(trace))
        return true;
    struct numbering numbering = {.to = fth_trace_communicators(trace)};
    struct fth_order_options options = {
        .group = number, .group_context = &numbering, .only_edges = true};
    struct fth_order *order = fth_order_new(trace);
    bool done = true;
    for (size_t proc = 0; done && proc < fth_trace_process_count(trace); proc++) {
        done = !fth_order_feed_process(order, trace, proc, note_made, &numbering, error);
        fth_progress_add(progress, fth_trace_process(trace, proc)->calls);
    }
    done = done && fth_order_settle(order, options, error);
    fth_order_free(order);
    fth_communicators_free(&numbering.made);
    return done;
}
