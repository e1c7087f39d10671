/* Messages, matched as for `fathom path`. */
#include "export/shared/message_flows.h"

#include "analysis/survey/call_walk.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/visible.h"
#include "path/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int by_call(const void *one, const void *other)
{
    const struct fth_flow_end *a = one, *b = other;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

static void add_both_ends(struct fth_message_flows *flows, const struct fth_listed_message *message)
{
    const uint64_t words[] = {message->from, message->thread, message->call, message->number};
    uint64_t flow = fth_hash_bytes(1, words, sizeof words) | 1;
    bool is_known = message->from < FTH_LISTED_NOT_KNOWN && message->to < FTH_LISTED_NOT_KNOWN;
    if (message->one_sided || message->end == INT64_MIN || !is_known)
        return;
    flows->ends[flows->count++] =
        (struct fth_flow_end){message->from, message->thread, message->call, flow, false};
    flows->ends[flows->count++] = (struct fth_flow_end){message->to, message->receive_thread,
                                                        message->receive_call, flow, true};
}

static void take_messages(struct fth_message_flows *flows, const struct fth_message_list *list)
{
    if (list->too_many) {
        fth_say(stderr,
                "fathom export: without arrows for messages: %" PRIu64
                " are more than are kept in memory\n",
                list->too_many + list->count);
        return;
    }
    flows->ends = fth_new(2 * list->count + 1, sizeof *flows->ends);
    for (size_t i = 0; i < list->count; i++)
        add_both_ends(flows, &list->all[i]);
    qsort(flows->ends, flows->count, sizeof *flows->ends, by_call);
}

static bool has_ranks(const struct fth_trace *trace)
{
    size_t ranks = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        ranks += fth_trace_process(trace, proc)->world != FTH_NO_WORLD;
    return ranks > 1;
}

/* Did any process call what may send a message, or access a window? */
static bool can_send(const struct fth_trace *trace)
{
    static const char *const kinds[] = {"send", "exchange", "rma"};
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (!strcmp(fth_trace_function(trace, i)->kind, kinds[k]))
                return true;
    return false;
}

/* Also of processes that are not exported: who receives is known from the calls of all. */
static bool match(struct fth_trace *trace, const struct fth_selection *all, unsigned threads,
                  struct fth_message_list *list, struct fth_error **error)
{
    struct fth_listener listener;
    struct fth_thresholds thresholds;
    struct fth_results results = {0};
    struct fth_progress progress;
    struct fth_path *path = fth_path_new(trace, all, &listener);
    fth_path_list_messages(path, list);
    fth_thresholds_init(&thresholds);
    fth_progress_begin(&progress, "matching messages", fth_analysis_walk_length(trace, all));
    bool done = fth_analysis_survey(trace, all, &thresholds, NULL, 0, &listener, threads, &progress,
                                    &results, error) &&
                fth_path_find(path, error);
    fth_progress_end(&progress);
    fth_results_free(&results);
    fth_path_close(path);
    return done;
}

int fth_export_messages(struct fth_message_list *list, struct fth_trace *trace, unsigned threads,
                        struct fth_error **error)
{
    struct fth_selection all;
    if (!has_ranks(trace) || !can_send(trace))
        return 0;
    fth_analysis_selection_init(&all);
    bool done = match(trace, &all, threads, list, error);
    fth_analysis_selection_free(&all);
    return done ? 0 : -1;
}

int fth_message_flows_begin(struct fth_message_flows *flows, struct fth_trace *trace,
                            unsigned threads, struct fth_error **error)
{
    struct fth_message_list list = {0};
    *flows = (struct fth_message_flows){0};
    int result = fth_export_messages(&list, trace, threads, error);
    if (!result)
        take_messages(flows, &list);
    fth_message_list_free(&list);
    return result;
}

void fth_message_flows_end(struct fth_message_flows *flows)
{
    free(flows->ends);
}

const struct fth_flow_end *fth_message_flows_of(const struct fth_message_flows *flows,
                                                const struct fth_call *call, size_t *count)
{
    const struct fth_flow_end wanted = {(uint32_t)call->proc, call->thread, call->number, 0, false};
    size_t low = 0, high = flows->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_call(&flows->ends[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < flows->count && by_call(&flows->ends[low + *count], &wanted) == 0)
        (*count)++;
    return flows->ends ? flows->ends + low : NULL;
}
