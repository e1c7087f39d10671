/* What the survey of a trace says, as `fathom report --json` does: with turns that come again
 * passed as sums, or with every call passed by itself.
 *
 *     survey_show TRACE OUTPUT         prints how many calls came again, how many of them in
 *                                      rounds of several, and of these in rounds that open files;
 *                                      OUTPUT.handles are the handles of files
 *     survey_show TRACE OUTPUT each    no turn comes again
 *     survey_show TRACE OUTPUT sums|each EXPRESSION    of calls for which this holds */
#include "analysis/passes/passes.h"
#include "analysis/survey/findings.h"
#include "analysis/survey/handle_list.h"
#include "analysis/survey/listeners.h"
#include "base/progress.h"
#include "base/memory.h"
#include "path/path.h"
#include "views/pages/report_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A listener between the survey and those of the path and of handles. */
struct ear {
    struct fth_listeners listeners;
    struct fth_listener path; /* both of these */
    bool each;
    _Atomic uint64_t again, in_rounds, opening;
};

static void *open_process(void *context, size_t proc)
{
    struct ear *ear = context;
    return ear->path.open(ear->path.context, proc);
}

static struct ear ear;

static enum fth_keeping keep(void *process, uint32_t site)
{
    return ear.each ? FTH_KEEP_NOT : ear.path.keep(process, site);
}

static void again(void *process, const struct fth_calls_again *calls)
{
    ear.again += calls->count;
    ear.in_rounds += calls->period > 1 ? calls->count : 0;
    ear.opening += calls->opening ? calls->count : 0;
    ear.path.again(process, calls);
}

static void close_process(void *context, void *process)
{
    const struct ear *of = context;
    of->path.close(of->path.context, process);
}

static struct fth_handle_list handles;

static void print_handles(const char *output)
{
    char *name = fth_text_format("%s.handles", output);
    FILE *to = fopen(name, "w");
    for (size_t i = 0; to && i < handles.count; i++) {
        const struct fth_listed_handle *handle = &handles.all[i];
        const char *path = fth_handle_list_text(&handles, handle->path);
        fprintf(to,
                "%" PRIu32 " %" PRIu64 " in %" PRIu64 " %s %" PRId64 " by %" PRIu32 " %" PRIu64
                " and %" PRIu32 " %" PRIu64 ", %" PRId64 " to %" PRId64 "\n",
                handle->proc, handle->number, handle->parent, path, handle->value,
                handle->made_thread, handle->made_by, handle->closed_thread, handle->closed_by,
                handle->made, handle->closed);
    }
    if (!to || fclose(to) || handles.too_many)
        exit(1);
    free(name);
    fth_handle_list_free(&handles);
}

static void check(bool works, struct fth_error *error)
{
    if (works)
        return;
    fprintf(stderr, "survey_show: %s\n", fth_error_text(error));
    exit(1);
}

static struct fth_stats *survey(struct fth_trace *trace, const char *where,
                                struct fth_results *results)
{
    struct fth_selection selection;
    struct fth_thresholds thresholds;
    struct fth_progress progress;
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&selection);
    if (where) {
        selection.where = fth_expression_parse(where, &error);
        check(selection.where != NULL, error);
    }
    struct fth_stats *stats = fth_analysis_stats(trace, &selection, FTH_WHERE_ITSELF, NULL, &error);
    check(stats != NULL, error);
    fth_thresholds_init(&thresholds);
    thresholds.values[FTH_THRESHOLD_WORTH] = 0;
    struct fth_path *path = fth_path_new(trace, &selection, &ear.listeners.list[0]);
    fth_path_choose(path, selection.where);
    ear.listeners.list[1] = fth_handle_list_listener(&handles);
    ear.listeners.count = 2;
    ear.path = *fth_listeners_as_one(&ear.listeners);
    struct fth_listener listener = {
        &ear,          open_process,    ear.path.call,   keep,           again,
        close_process, ear.path.expect, ear.path.follow, ear.path.ended, ear.path.rounds};
    fth_progress_begin(&progress, "reading calls", 0);
    check(fth_analysis_survey(trace, &selection, &thresholds, fth_passes, fth_pass_count, &listener,
                              0, &progress, results, &error),
          error);
    fth_progress_end(&progress);
    check(fth_path_find(path, &error), error);
    fth_path_bound(path, &results->findings);
    fth_path_results(path, 0, results);
    fth_findings_relate(&results->findings);
    fth_findings_sort(&results->findings, fth_trace_process_count(trace));
    fth_path_close(path);
    fth_analysis_selection_free(&selection);
    return stats;
}

int main(int argc, char **argv)
{
    static struct fth_output output;
    struct fth_writer writer;
    struct fth_error *error = NULL;
    struct fth_results results = {0};
    if (argc < 3)
        return 2;
    ear.each = argc > 3 && strcmp(argv[3], "each") == 0;
    struct fth_trace *trace = fth_trace_open(argv[1], &error);
    check(trace != NULL, error);
    struct fth_stats *stats = survey(trace, argc > 4 ? argv[4] : NULL, &results);
    const char *inputs[] = {argv[1], NULL};
    const struct fth_report_view view = {
        .trace_path = argv[1], .stats = stats, .all = true, .results_only = true};
    check(!fth_views_open(&output, argv[2], inputs, &error), error);
    fth_views_begin(&writer, &fth_format_json, &output,
                    &(struct fth_page){.line_depth = FTH_REPORT_LINE_DEPTH});
    fth_views_report(&writer, trace, &results, &view);
    check(!fth_views_end(&writer, &error), error);
    check(!fth_views_close(&output, &error), error);
    print_handles(argv[2]);
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ear.again, ear.in_rounds, ear.opening);
    fth_results_free(&results);
    fth_analysis_stats_free(stats);
    fth_trace_close(trace);
    return 0;
}
