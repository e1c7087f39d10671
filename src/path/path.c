/* From a trace to its waits and its critical path: reads all calls once, finds who waits for
 * whom, and follows the path back from the end. */
#include "path/path.h"

#include "analysis/survey/thresholds.h"
#include "base/memory.h"
#include "base/processors.h"
#include "order/imported.h"
#include "path/run_flow.h"

#include <string.h>

static bool settle(struct fth_path *path, struct fth_error **error)
{
    struct fth_order_options options = {.together = fth_path_together,
                                        .together_context = path,
                                        .message = fth_path_message,
                                        .sent = fth_path_sent,
                                        .posted = fth_path_posted,
                                        .made_room = fth_path_made_room,
                                        .message_context = path,
                                        .only_edges = true,
                                        .collectives_synchronize = true, /* where times say so */
                                        .most_findings = 1};
    return fth_order_settle(path->order, options, error);
}

struct fth_path *fth_path_new(struct fth_trace *trace, const struct fth_selection *selection,
                              struct fth_listener *listener)
{
    struct fth_path *path = fth_new(1, sizeof *path);
    path->trace = trace;
    path->known = fth_new(1, sizeof *path->known);
    path->selection = selection;
    path->straggles = fth_threshold_facts(FTH_THRESHOLD_STRAGGLES)->value;
    path->order = fth_order_new(trace);
    path->results.causes =
        fth_new(fth_trace_process_count(trace) * FTH_WAITS + 1, sizeof *path->results.causes);
    fth_path_note_functions(path);
    *listener = fth_path_gather(path);
    return path;
}

void fth_path_choose(struct fth_path *path, const struct fth_expression *where)
{
    path->where = where;
}

void fth_path_list_messages(struct fth_path *path, struct fth_message_list *list)
{
    path->list = list;
    fth_order_want_accesses(path->order);
    path->listed_from = fth_new(fth_trace_process_count(path->trace) + 1, sizeof(size_t));
}

void fth_path_straggles_from(struct fth_path *path, double share)
{
    path->straggles = share;
}

void fth_path_expect_findings(struct fth_path *path, unsigned threads)
{
    path->asks_ahead = (threads ? threads : fth_processors()) > 1;
}

bool fth_path_find(struct fth_path *path, struct fth_error **error)
{
    fth_path_gathered(path);
    if (!settle(path, error))
        return false;
    fth_path_prepare_causes(path);
    fth_path_link_creations(path);
    fth_path_follow(path);
    if (path->asks_ahead)
        fth_path_expect_messages(path);
    fth_path_find_waits(path);
    if (path->asks_ahead)
        fth_path_expect_much_in_messages(path);
    fth_path_weigh_processors(path);
    fth_path_weigh_instances(path);
    return true;
}

void fth_path_close(struct fth_path *path)
{
    if (!path)
        return;
    for (size_t i = 0; i < path->known->count; i++)
        fth_path_give_up(&path->known->all[i]);
    for (uint32_t i = 0; i < path->timeline_count; i++)
        fth_flow_free_timeline(&path->timelines[i]);
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++)
        fth_flow_free_store(&path->stores[i]);
    fth_order_free(path->order);
    fth_call_classes_free(path->classes);
    fth_indexed_free(&path->work.by_facts);
    free((void *)(uintptr_t)path->work.all);
    fth_intern_free(&path->files);
    free(path->facts);
    free(path->timelines);
    free(path->stores);
    free(path->first_timeline);
    free(path->hosts);
    free(path->selected);
    free(path->listed_from);
    fth_path_free_found(path);
    free(path);
}

void fth_path_results(const struct fth_path *path, double worth, struct fth_results *results)
{
    if (!results->table_count) {
        results->path = path->sums.length;
        results->in_calls = fth_path_in_calls(path);
        results->imported = fth_order_imported(path->trace);
    }
    results->path_limits = (struct fth_path_limits){
        .length = path->sums.length,
        .lacks_threads = fth_order_lacks_threads(path->trace),
        .unseen_waits = path->sums.unseen,
        .unstarted = path->sums.unstarted,
    };
    for (int i = 0; i < FTH_PATH_TABLES; i++)
        fth_results_add(results, fth_path_table(path, (enum fth_path_table)i));
    fth_path_findings(path, worth, &results->findings);
    fth_results_share(results, path->sums.whole, path->sums.working);
}

struct fth_path_sums fth_path_sums(const struct fth_path *path)
{
    return path->sums;
}
