/* Requests and who served them. */
#include "analysis/query/served.h"

#include "base/memory.h"
#include "base/saturating.h"

#include <stdlib.h>
#include <string.h>

struct gathering {
    struct fth_served *served;
    size_t layer_count;
};

static void take(void *context, const struct fth_numbered_call *call)
{
    struct gathering *gathering = context;
    struct fth_served *served = gathering->served;
    size_t bytes = gathering->layer_count * sizeof *call->layers;
    FTH_GROW(served->list, served->count);
    struct fth_served_call *made = &served->list[served->count++];
    *made =
        (struct fth_served_call){.identity = call->identity,
                                 .proc = call->proc,
                                 .start = call->start,
                                 .end = call->end,
                                 .bytes = call->bytes,
                                 .function = call->function,
                                 .layers = fth_new(gathering->layer_count, sizeof *call->layers)};
    memcpy(made->layers, call->layers, bytes);
}

static int by_identity(const void *one, const void *other)
{
    const struct fth_served_call *a = one, *b = other;
    if (a->identity != b->identity)
        return a->identity < b->identity ? -1 : 1;
    int64_t first = a->end - a->start, second = b->end - b->start;
    return first != second ? (first > second ? -1 : 1) : a->proc < b->proc ? -1 : a->proc > b->proc;
}

static void list_processes(struct fth_served *served, const struct fth_trace *trace)
{
    bool *serves = fth_new(fth_trace_process_count(trace) + 1, sizeof *serves);
    for (size_t i = 0; i < served->count; i++)
        serves[served->list[i].proc] = true;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (serves[proc]) {
            FTH_GROW(served->processes, served->process_count);
            served->processes[served->process_count++] = proc;
        }
    free(serves);
}

int fth_served_gather(struct fth_served *served, struct fth_trace *trace,
                      const struct fth_selection *selection, const struct fth_call_classes *classes,
                      struct fth_progress *progress, struct fth_error **error)
{
    struct gathering gathering = {served, classes->layer_count};
    struct fth_selection all = *selection;
    all.procs = all.ranks = (struct fth_integers){0};
    all.where = NULL;
    const struct fth_numbering numbering = {.trace = trace,
                                            .selection = &all,
                                            .classes = classes,
                                            .served = true,
                                            .progress = progress,
                                            .take = take,
                                            .context = &gathering};
    *served = (struct fth_served){0};
    if (fth_analysis_number(&numbering, error))
        return -1;
    if (served->count)
        qsort(served->list, served->count, sizeof *served->list, by_identity);
    list_processes(served, trace);
    return 0;
}

void fth_served_free(struct fth_served *served)
{
    for (size_t i = 0; i < served->count; i++)
        free(served->list[i].layers);
    free(served->list);
    free(served->processes);
    *served = (struct fth_served){0};
}

/* The first one of this identity; `count` of them. */
static const struct fth_served_call *find(const struct fth_served *served, int64_t identity,
                                          size_t *count)
{
    size_t low = 0, high = served->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (served->list[middle].identity < identity)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < served->count && served->list[high].identity == identity; high++)
        ;
    *count = high - low;
    return &served->list[low];
}

static int64_t smaller(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* Where the client waited: in calls of the system inside of the request, or in the library. */
static void take_off(struct fth_numbered_call *call, const struct fth_sent_request *request,
                     int64_t time)
{
    struct fth_layer_time *system = &call->layers[request->system_layer],
                          *own = &call->layers[request->layer];
    int64_t waited = smaller(time, smaller(request->in_system, system->exclusive));
    system->exclusive -= waited > 0 ? waited : 0;
    time -= waited > 0 ? waited : 0;
    own->exclusive -= smaller(time, own->exclusive > 0 ? own->exclusive : 0);
}

/* A layer that both sides have, the system's, counts on the client's side: its calls there last as
 * long as those of the server. */
static void add_layers(struct fth_numbered_call *call, const struct fth_served_call *slowest,
                       const bool *of_client, size_t layer_count)
{
    for (size_t i = 0; i < layer_count; i++) {
        call->layers[i].calls += slowest->layers[i].calls;
        FTH_ADD_SATURATING(call->layers[i].exclusive, slowest->layers[i].exclusive);
        FTH_ADD_SATURATING(call->layers[i].inclusive,
                           of_client[i] ? 0 : slowest->layers[i].inclusive);
    }
}

void fth_served_put(const struct fth_served *served, const struct fth_call_classes *classes,
                    struct fth_numbered_call *call)
{
    bool *of_client = fth_new(classes->layer_count, sizeof *of_client);
    struct fth_subcall *subcalls = NULL;
    uint32_t total = 0;
    for (size_t i = 0; i < classes->layer_count; i++)
        of_client[i] = call->layers[i].calls > 0;
    for (uint32_t i = 0; i < call->sent_count; i++) {
        size_t count;
        const struct fth_served_call *first = find(served, call->sent[i].identity, &count);
        if (!count)
            continue;
        take_off(call, &call->sent[i], first->end - first->start);
        add_layers(call, first, of_client, classes->layer_count);
        for (size_t k = 0; k < count; k++) {
            FTH_GROW(subcalls, total);
            subcalls[total++] = (struct fth_subcall){.start = first[k].start,
                                                     .end = first[k].end,
                                                     .bytes = first[k].bytes,
                                                     .function = first[k].function,
                                                     .server_process = (int64_t)first[k].proc};
        }
    }
    free(of_client);
    call->subcalls = subcalls;
    call->subcall_count = total;
}
