/* The order of a run knows who is in which communicator (order/order.h). Files and windows, which
 * have members, too, intercommunicators, and communicators with members that are not recorded are
 * left out. */
#include "export/shared/communicators.h"

#include "base/memory.h"
#include "base/progress.h"
#include "order/feed_process.h"

#include <string.h>

struct gathering {
    struct fth_exported_communicators *to;
    struct fth_intern seen; /* handles of communicators: process, number */
    char **names;           /* of them */
    uint32_t limit;
    uint64_t left; /* calls of this process about things of MPI that have not come */
};

static uint32_t key(struct fth_intern *keys, size_t proc, uint64_t handle)
{
    const uint64_t words[] = {proc, handle};
    return fth_intern(keys, words, sizeof words);
}

static void note(struct gathering *gathering, const struct fth_handle *handle)
{
    if (strcmp(handle->handle_class, "comm") != 0 || handle->origin == FTH_HANDLE_UNKNOWN_ORIGIN)
        return;
    uint32_t before = gathering->seen.count;
    uint32_t number = key(&gathering->seen, handle->proc, handle->number);
    if (number != before)
        return;
    gathering->names =
        fth_reach(gathering->names, &gathering->limit, number, sizeof *gathering->names);
    gathering->names[number] = handle->name ? fth_text_copy(handle->name) : NULL;
}

/* Is it about things of MPI, among which communicators may be? */
static bool is_about_mpi(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].type, "MPI_", 4) == 0)
            return true;
    return false;
}

static bool count_calls(struct gathering *gathering, struct fth_trace *trace, size_t proc,
                        struct fth_error **error)
{
    const struct fth_function_sum *sums;
    size_t count;
    gathering->left = 0;
    if (!fth_trace_function_sums(trace, proc, &sums, &count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        gathering->left += is_about_mpi(sums[i].function) ? sums[i].calls : 0;
    return true;
}

/* What comes behind the last call about MPI changes nothing. */
static enum fth_order_wish note_all(void *context, const struct fth_call *call)
{
    struct gathering *gathering = context;
    if (!is_about_mpi(call->function))
        return FTH_ORDER_LEAVE;
    for (size_t i = 0; i < call->use_count; i++)
        note(context, call->uses[i].handle);
    if (call->group)
        note(context, call->group);
    gathering->left -= gathering->left > 0;
    return gathering->left ? FTH_ORDER_TAKE : FTH_ORDER_LAST;
}

static bool is_communicator(const struct gathering *gathering, const struct fth_order_group *group,
                            uint32_t place, uint32_t *number)
{
    const uint64_t words[] = {group->procs[place], group->handles[place]};
    return group->procs[place] != UINT32_MAX && group->handles[place] != UINT64_MAX &&
           fth_intern_find(&gathering->seen, words, sizeof words, number);
}

static void take(void *context, const struct fth_order_group *group)
{
    struct gathering *gathering = context;
    struct fth_exported_communicators *to = gathering->to;
    const char *name = NULL;
    uint32_t number, members = 0;
    for (uint32_t i = 0; i < group->size; i++)
        if (group->procs[i] == UINT32_MAX)
            return;
    if (group->split != group->size)
        return;
    for (uint32_t i = 0; i < group->size; i++) {
        if (!is_communicator(gathering, group, i, &number))
            continue;
        uint32_t handle = key(&to->handles, group->procs[i], group->handles[i]);
        to->of_handle = fth_reach(to->of_handle, &to->handle_limit, handle, sizeof *to->of_handle);
        to->of_handle[handle] = to->count;
        name = name ? name : gathering->names[number];
        members++;
    }
    if (!members)
        return;
    FTH_GROW(to->list, to->count);
    struct fth_exported_communicator *made = &to->list[to->count++];
    *made = (struct fth_exported_communicator){
        .size = group->size,
        .procs = fth_new(group->size, sizeof *made->procs),
        .name = name ? fth_text_copy(name) : NULL,
    };
    memcpy(made->procs, group->procs, group->size * sizeof *made->procs);
}

static bool has_ranks(const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (fth_trace_process(trace, proc)->world != FTH_NO_WORLD)
            return true;
    return false;
}

static int gather(struct gathering *gathering, struct fth_trace *trace, struct fth_error **error)
{
    struct fth_order_options options = {
        .group = take, .group_context = gathering, .only_edges = true};
    struct fth_order *order = fth_order_new(trace);
    struct fth_progress progress;
    uint64_t calls = 0;
    bool done = true;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        calls += fth_trace_process(trace, proc)->calls;
    fth_progress_begin(&progress, "matching communicators", calls);
    for (size_t proc = 0; done && proc < fth_trace_process_count(trace); proc++) {
        done = count_calls(gathering, trace, proc, error) &&
               (!gathering->left ||
                !fth_order_feed_process(order, trace, proc, note_all, gathering, error));
        fth_progress_add(&progress, fth_trace_process(trace, proc)->calls);
    }
    done = done && fth_order_settle(order, options, error);
    fth_progress_end(&progress);
    fth_order_free(order);
    return done ? 0 : -1;
}

int fth_exported_communicators_begin(struct fth_exported_communicators *communicators,
                                     struct fth_trace *trace, struct fth_error **error)
{
    struct gathering gathering = {.to = communicators};
    *communicators = (struct fth_exported_communicators){0};
    if (!has_ranks(trace))
        return 0;
    int result = gather(&gathering, trace, error);
    for (uint32_t i = 0; i < gathering.seen.count; i++)
        free(gathering.names[i]);
    free(gathering.names);
    fth_intern_free(&gathering.seen);
    return result;
}

void fth_exported_communicators_end(struct fth_exported_communicators *communicators)
{
    for (uint32_t i = 0; i < communicators->count; i++) {
        free(communicators->list[i].procs);
        free(communicators->list[i].name);
    }
    free(communicators->list);
    free(communicators->of_handle);
    fth_intern_free(&communicators->handles);
}

uint32_t fth_exported_communicators_find(const struct fth_exported_communicators *communicators,
                                         const struct fth_handle *handle)
{
    uint32_t number;
    if (!handle)
        return UINT32_MAX;
    const uint64_t words[] = {handle->proc, handle->number};
    if (!fth_intern_find(&communicators->handles, words, sizeof words, &number))
        return UINT32_MAX;
    return communicators->of_handle[number];
}

uint32_t fth_exported_communicator_rank(const struct fth_exported_communicator *communicator,
                                        size_t proc)
{
    for (uint32_t rank = 0; rank < communicator->size; rank++)
        if (communicator->procs[rank] == proc)
            return rank;
    return UINT32_MAX;
}
