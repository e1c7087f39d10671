/* One reading of the calls of a run for all that a report shows: tables, findings, who waited for
 * whom, and the overview for pictures. */
#include "cmd/shared/surveying.h"

#include "analysis/passes/passes.h"
#include "analysis/survey/findings.h"
#include "analysis/survey/listeners.h"
#include "analysis/survey/call_walk.h"
#include "order/imported.h"
#include "path/path.h"

static size_t count_processes(const struct fth_cmd_survey *asked, const struct fth_trace *trace)
{
    size_t count = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        count += fth_analysis_selects_process(asked->selection, trace, proc);
    return count;
}

static size_t count_threads(const struct fth_cmd_survey *asked, const struct fth_trace *trace)
{
    size_t count = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (fth_analysis_selects_process(asked->selection, trace, proc))
            count += fth_trace_process(trace, proc)->thread_count;
    return count;
}

/* Who waited for whom is asked of runs of several processes or threads, all of which are looked at,
 * with all their calls. NULL: of this one, too. */
static const char *without_joins(const struct fth_trace *trace)
{
    return fth_order_imported(trace)
               ? "how threads wait for one another is not part of what was imported"
               : "calls of the layer pthread, in which threads wait for one another, are not "
                 "recorded (`fathom record " FTH_LAYERS_OF_THREADS "` does so)";
}

static const char *why_no_path(const struct fth_cmd_survey *asked, const struct fth_trace *trace)
{
    if (asked->selection->procs.count || asked->selection->ranks.count || asked->selection->where)
        return "a part of the run is selected (`fathom path` shows that of selected processes)";
    size_t threads = count_threads(asked, trace);
    if (count_processes(asked, trace) > 1 || (threads > 1 && fth_order_has_threads(trace)))
        return NULL;
    return threads > 1 ? without_joins(trace)
           : threads   ? "one thread makes all recorded calls, so all of its time is on it"
                       : "no calls were recorded";
}

/* One thread makes all calls of the run: it is the critical path. */
static bool is_of_one_thread(const struct fth_cmd_survey *asked, const struct fth_trace *trace)
{
    return !asked->selection->procs.count && !asked->selection->ranks.count &&
           !asked->selection->where && count_threads(asked, trace) == 1;
}

/* Who waited for whom, and what the findings mean for the run as a whole. */
static bool follow(const struct fth_cmd_survey *asked, struct fth_path *path,
                   struct fth_results *results, struct fth_error **error)
{
    if (!fth_path_find(path, error))
        return false;
    if (results->no_path) {
        fth_path_find_written_pipe(path, &results->findings);
        fth_findings_share(&results->findings, fth_path_sums(path).working);
        fth_path_weigh(path, &results->findings);
        return true;
    }
    double worth = asked->thresholds.values[FTH_THRESHOLD_WORTH];
    fth_path_bound(path, &results->findings);
    fth_path_results(path, worth, results);
    fth_results_settle(results, fth_path_sums(path).working, &asked->thresholds);
    fth_path_weigh(path, &results->findings);
    return true;
}

int fth_cmd_survey(struct fth_cmd_survey *asked, struct fth_trace *trace,
                   struct fth_results *results, struct fth_error **error)
{
    struct fth_progress progress;
    struct fth_listeners listeners = {0};
    struct fth_path *path = NULL;
    results->no_path = why_no_path(asked, trace);
    results->imported = fth_order_imported(trace);
    if (!results->no_path || is_of_one_thread(asked, trace))
        path = fth_path_new(trace, asked->selection, &listeners.list[listeners.count++]);
    if (asked->most_bins)
        asked->overview = fth_overview_new(trace, asked->selection, asked->most_bins,
                                           &listeners.list[listeners.count++]);
    if (asked->handles && !asked->selection->where)
        listeners.list[listeners.count++] = fth_handle_list_listener(asked->handles);
    if (asked->listener)
        listeners.list[listeners.count++] = *asked->listener;
    if (path)
        fth_path_straggles_from(path, asked->thresholds.values[FTH_THRESHOLD_STRAGGLES]);
    if (path && !results->no_path)
        fth_path_expect_findings(path, asked->jobs);
    if (path && asked->messages)
        fth_path_list_messages(path, asked->messages);
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, asked->selection));
    const struct fth_pass *passes[fth_pass_count + 3];
    size_t pass_count = 0;
    for (size_t i = 0; i < fth_pass_count; i++)
        if (!results->only_findings || !fth_pass_only_shows(fth_passes[i]))
            passes[pass_count++] = fth_passes[i];
    if (asked->most_bins) {
        passes[pass_count++] = &fth_pass_file_maps;
        passes[pass_count++] = &fth_pass_offsets;
    }
    if (asked->further)
        passes[pass_count++] = asked->further;
    bool done = fth_analysis_survey(trace, asked->selection, &asked->thresholds, passes, pass_count,
                                    fth_listeners_as_one(&listeners), asked->jobs, &progress,
                                    results, error);
    fth_progress_end(&progress);
    if (asked->overview)
        fth_overview_finish(asked->overview);
    done = done && (!path || follow(asked, path, results, error));
    if (done) {
        if (fth_analysis_are_watched(asked->selection, trace))
            fth_findings_of_a_part(&results->findings);
        fth_findings_weigh(&results->findings, asked->thresholds.values[FTH_THRESHOLD_MINOR]);
        fth_findings_relate(&results->findings);
        fth_findings_sort(&results->findings, count_processes(asked, trace));
    }
    fth_path_close(path);
    return done ? 0 : -1;
}
