/* A stack of open calls for each thread. */
#include "analysis/calls/around.h"

#include "base/intern.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <string.h>

struct stack {
    uint32_t count, limit;
    struct fth_open_call *calls;
};

struct fth_around {
    size_t proc;
    uint32_t thread_count; /* that there is room for */
    struct stack *threads;
    struct stack *last; /* that of the call that was entered last */
    size_t name_count;
    char **names; /* of regions, by their number among the texts */
    struct fth_intern texts;
};

bool fth_analysis_is_of_application(const struct fth_function *function)
{
    return fth_layer_is(function->layer, FTH_LAYER_REGIONS);
}

/* A counter has a value, too. */
bool fth_analysis_is_region(const struct fth_function *function)
{
    return fth_analysis_is_of_application(function) && function->parameter_count == 1;
}

const char *fth_analysis_region(const struct fth_call *call)
{
    if (!fth_analysis_is_region(call->function))
        return NULL;
    return call->arguments && call->arguments[0].text ? call->arguments[0].text : "";
}

struct fth_around *fth_analysis_around_new(void)
{
    return fth_new(1, sizeof(struct fth_around));
}

static void forget(struct fth_around *around)
{
    for (uint32_t i = 0; i < around->thread_count; i++)
        free(around->threads[i].calls);
    free(around->threads);
    for (size_t i = 0; i < around->name_count; i++)
        free(around->names[i]);
    free(around->names);
    fth_intern_free(&around->texts);
    memset(around, 0, sizeof *around);
}

void fth_analysis_around_free(struct fth_around *around)
{
    if (around)
        forget(around);
    free(around);
}

static const char *keep_name(struct fth_around *around, const char *name)
{
    uint32_t number = fth_intern(&around->texts, name, strlen(name));
    if (number == around->name_count) {
        FTH_GROW(around->names, around->name_count);
        size_t size = strlen(name) + 1;
        around->names[around->name_count] = fth_new(1, size);
        memcpy(around->names[around->name_count++], name, size);
    }
    return around->names[number];
}

void fth_analysis_around_enter(struct fth_around *around, const struct fth_call *call)
{
    if (around->proc != call->proc)
        forget(around);
    around->proc = call->proc;
    around->threads =
        fth_reach(around->threads, &around->thread_count, call->thread, sizeof *around->threads);
    struct stack *stack = &around->threads[call->thread];
    while (stack->count && stack->calls[stack->count - 1].depth >= call->depth)
        stack->count--;
    stack->calls = fth_reach(stack->calls, &stack->limit, stack->count, sizeof *stack->calls);
    const char *region = fth_analysis_region(call);
    stack->calls[stack->count++] =
        (struct fth_open_call){.depth = call->depth,
                               .function = call->function,
                               .starter = call->starter,
                               .region = region ? keep_name(around, region) : NULL};
    around->last = stack;
}

struct fth_open_call *fth_analysis_around_open(const struct fth_around *around, size_t *count)
{
    *count = around->last ? around->last->count : 0;
    return *count ? around->last->calls : NULL;
}
