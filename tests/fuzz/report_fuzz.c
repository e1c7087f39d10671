/* Any bytes that are a trace have a report, with its waits and its critical path, in every format,
 * or an error. For libFuzzer; the test fuzz.report builds and runs it. The mutator is that of
 * fuzz.trace. */
#define LLVMFuzzerTestOneInput read_one_input
#include "trace_fuzz.c"
#undef LLVMFuzzerTestOneInput

#include "analysis/survey/findings.h"
#include "analysis/passes/passes.h"
#include "analysis/tables/scaling.h"
#include "path/path.h"
#include "views/pages/report_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void show(const struct fth_trace *trace, const struct fth_results *results,
                 const struct fth_report_view *report, const struct fth_format *format,
                 const char *table)
{
    static struct fth_output output;
    const char *const no_inputs[] = {NULL};
    struct fth_error *error = NULL;
    struct fth_writer writer;
    if (fth_views_open(&output, "/dev/null", no_inputs, &error))
        abort();
    fth_views_begin(&writer, format, &output,
                    &(struct fth_page){"report", FTH_REPORT_LINE_DEPTH, table});
    fth_views_report(&writer, trace, results, report);
    if (fth_views_end(&writer, &error))
        abort();
    if (fth_views_close(&output, &error))
        abort();
}

/* Finds as much as it can: everything is worth telling. */
static bool look(struct fth_trace *trace, const struct fth_selection *selection,
                 struct fth_thresholds *thresholds, struct fth_results *results,
                 struct fth_error **error)
{
    struct fth_listener listener;
    struct fth_path *path = fth_path_new(trace, selection, &listener);
    bool done = fth_analysis_survey(trace, selection, thresholds, fth_passes, fth_pass_count,
                                    &listener, 2, NULL, results, error) &&
                fth_path_find(path, error);
    if (done) {
        fth_path_bound(path, &results->findings);
        fth_path_results(path, 0, results);
        fth_path_weigh(path, &results->findings);
        fth_findings_relate(&results->findings);
        fth_findings_sort(&results->findings, fth_trace_process_count(trace));
    }
    fth_path_close(path);
    return done;
}

static void report(struct fth_trace *trace, const char *path)
{
    /* A few bytes may say that a loop is gone through for hours: that is no error. */
    if (fth_trace_info(trace)->calls >= MOST_CALLS)
        return;
    struct fth_selection selection;
    struct fth_thresholds thresholds;
    struct fth_results results = {0};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&selection);
    fth_thresholds_init(&thresholds);
    thresholds.values[FTH_THRESHOLD_WORTH] = 0;
    thresholds.values[FTH_THRESHOLD_MANY] = 2;
    struct fth_stats *stats = fth_analysis_stats(trace, &selection, FTH_WHERE_ITSELF, NULL, &error);
    bool done = stats && look(trace, &selection, &thresholds, &results, &error);
    if (done != (error == NULL))
        abort();
    const struct fth_report_view page = {.stats = stats, .trace_path = path, .all = true};
    if (done)
        show(trace, &results, &page, &fth_format_terminal, NULL);
    for (size_t i = 0; done && i < fth_format_count; i++)
        show(trace, &results, &page, fth_formats[i], fth_formats[i]->argument ? "functions" : NULL);
    fth_results_free(&results);
    fth_analysis_stats_free(stats);
    fth_analysis_selection_free(&selection);
    fth_error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    look_at_bytes(bytes, length, report);
    return 0;
}
