/* The report of a run: what ran, where the time went, what is worth changing, what could not be
 * seen. Programs get everything, people what stands out, or all. */
#include "views/pages/report_page.h"

#include "base/saturating.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "views/pages/counter_curve.h"
#include "views/sentences/coverage.h"
#include "views/sentences/meta.h"

#include <stdlib.h>
#include <string.h>

/* ---- for people ---- */

static void put_table(struct fth_writer *writer, const struct fth_table *table, size_t top)
{
    static const char *const spare[] = {"kind",    "scope", "shortest", "errors",
                                        "longest", "mean",  "program",  NULL};
    if (!fth_table_rows(table))
        return;
    fth_views_write_table(
        writer, table,
        &(struct fth_table_layout){.top = top, .more = "--top 0 shows all", .spare = spare});
    fth_views_write_gap(writer);
}

static void put_head(struct fth_writer *writer, const struct fth_trace *trace,
                     const struct fth_results *results, const struct fth_report_view *view)
{
    const struct fth_summary summary = {view->trace_path,  view->launchers,
                                        view->silent,      view->incomplete,
                                        results->in_calls, fth_views_nothing(trace, view),
                                        view->selected,    results->tuned};
    fth_views_write_head(writer, trace, view->stats, &summary);
    fth_views_write_gap(writer);
}

/* Where the time went, and what that is a share of. */
static void put_times(struct fth_writer *writer, const struct fth_results *results, size_t top)
{
    const char *threads = fth_views_threads(results);
    put_table(writer, results->tables[0], top);
    if (threads)
        fth_views_write_paragraph(writer, threads);
}

/* With what the critical path cannot know behind its first table, if that is not the first of all
 * (then put_times says it). */
static void put_further(struct fth_writer *writer, const struct fth_results *results,
                        const struct fth_table *table, size_t top)
{
    const char *limits = fth_views_path_limits(results);
    put_table(writer, table, top);
    if (limits && !strcmp(fth_table_shape(table)->name, "critical_layers"))
        fth_views_write_paragraph(writer, limits);
}

/* ---- bytes over time ---- */

static const struct fth_table *table_named(const struct fth_results *results, const char *name)
{
    for (size_t i = 0; i < results->table_count; i++)
        if (!strcmp(fth_table_shape(results->tables[i])->name, name))
            return results->tables[i];
    return NULL;
}

/* "written  __##__  at most 1.21 GiB/s, 4.00 GiB in all"; no line for what was not moved. */
static void put_spark(struct fth_output *output, const struct fth_table *table, const char *word,
                      const char *column, const char *sum)
{
    static struct fth_timeline timeline;
    size_t place = fth_table_column(table, column);
    double most = 0;
    int64_t whole = 0;
    timeline.count = fth_table_rows(table);
    for (size_t row = 0; row < timeline.count; row++) {
        timeline.mean[row] = (double)fth_table_row(table, row)[place].integer;
        most = timeline.mean[row] > most ? timeline.mean[row] : most;
        FTH_ADD_SATURATING(whole, fth_table_row(table, row)[fth_table_column(table, sum)].integer);
    }
    if (most <= 0)
        return;
    fth_views_print(output, "%-8s ", word);
    fth_views_spark(output, &timeline);
    fth_views_print(output, " at most %s/s, %s in all\n", fth_phrase_bytes((uint64_t)most).text,
                    fth_phrase_bytes((uint64_t)whole).text);
}

static void put_sparks(struct fth_output *output, const void *context)
{
    const struct fth_table *table = context;
    int64_t part = fth_table_row(table, 0)[fth_table_column(table, "duration")].integer;
    fth_views_print(output, "Bytes of system calls over time, each character is %s\n",
                    fth_phrase_duration(part).text);
    put_spark(output, table, "read", "read_rate", "bytes_read");
    put_spark(output, table, "written", "write_rate", "bytes_written");
}

static void put_over_time(struct fth_writer *writer, const struct fth_results *results)
{
    const struct fth_table *table = table_named(results, "over_time");
    if (!table || !fth_table_rows(table))
        return;
    fth_views_write_lines(writer, put_sparks, table);
    fth_views_write_gap(writer);
}

/* Of processes that were recorded by turns; findings are of what was recorded. */
static void put_coverage(struct fth_writer *writer, const struct fth_trace *trace, bool all,
                         size_t top)
{
    struct fth_phase_coverage *coverage = fth_analysis_coverage(trace);
    char *text = coverage ? fth_views_coverage(coverage) : NULL;
    if (text) {
        fth_views_write_remark(
            writer, FTH_PAINT_WARNING,
            "Coverage: %s. Findings are about recorded calls. Those that need all calls "
            "are left out, such as who does more I/O than others, and possible "
            "gains.",
            text);
        fth_views_write_gap(writer);
        if (all)
            put_table(writer, coverage->table, top);
    }
    free(text);
    fth_analysis_coverage_free(coverage);
}

static void show_people(struct fth_writer *writer, const struct fth_trace *trace,
                        const struct fth_results *results, const struct fth_report_view *view)
{
    if (trace)
        put_head(writer, trace, results, view);
    if (trace)
        put_coverage(writer, trace, view->all, view->top);
    if (results->table_count)
        put_times(writer, results, view->top);
    if (!trace) { /* several runs */
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "--html -o runs.html shows these runs side by side in a browser");
        fth_views_write_gap(writer);
    }
    put_over_time(writer, results);
    fth_views_write_findings(writer, trace, results, view);
    for (size_t i = 1; view->all && i < results->table_count; i++)
        put_further(writer, results, results->tables[i], view->top);
    if (view->all && results->no_path) {
        fth_views_write_remark(writer, FTH_PAINT_QUIET, "No critical path: %s", results->no_path);
        fth_views_write_gap(writer);
    }
    for (size_t i = FTH_STATS_FUNCTIONS; view->all && !view->results_only && i < FTH_STATS_TABLES;
         i++)
        put_table(writer, view->stats->tables[i], view->top);
    if (trace)
        fth_views_write_list(writer, "Not visible", fth_trace_info(trace)->blind_spots,
                             fth_trace_info(trace)->blind_spot_count);
}

/* ---- for programs ---- */

/* The lines that the report for people begins with, after the trace and its command. */
static void put_facts(struct fth_json *json, const struct fth_trace *trace,
                      const struct fth_results *results, const struct fth_report_view *view)
{
    const struct fth_summary summary = {.launchers = view->launchers,
                                        .silent = view->silent,
                                        .incomplete = view->incomplete,
                                        .in_calls = results->in_calls,
                                        .tuned = results->tuned};
    struct fth_output *lines = fth_new(1, sizeof *lines);
    fth_sink_open_memory(&lines->sink);
    lines->style.unicode = true;
    fth_views_figures(lines, trace, view->stats, &summary);
    fth_sink_char(&lines->sink, 0);
    fth_json_key(json, "facts");
    fth_json_begin_array(json);
    const char *nothing = fth_views_nothing(trace, view);
    if (nothing)
        fth_json_text(json, nothing);
    char *rest = lines->sink.bytes;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
        if (*line)
            fth_json_text(json, line);
    fth_json_end_array(json);
    fth_sink_close_memory(&lines->sink);
    free(lines);
}

static void put_run(struct fth_writer *writer, const struct fth_trace *trace,
                    const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_json *facts = &writer->facts;
    const struct fth_trace_info *info = fth_trace_info(trace);
    char *meta = fth_views_meta_json(info), *job = fth_views_job(info);
    fth_json_key(facts, "run");
    fth_json_begin_object(facts);
    fth_json_key_text(facts, "trace", view->trace_path);
    fth_views_write_missing(writer, &view->incomplete);
    fth_json_key_text(facts, "selected", view->selected);
    put_facts(facts, trace, results, view);
    struct fth_phase_coverage *coverage = fth_analysis_coverage(trace);
    fth_views_coverage_json(facts, coverage);
    fth_analysis_coverage_free(coverage);
    fth_json_key_text(facts, "job", job);
    fth_json_key_seconds(facts, "duration_s", info->end);
    fth_json_key_number(facts, "mpi_share", results->mpi_share);
    fth_json_key_text(facts, "no_critical_path", results->no_path);
    fth_json_key_text(facts, "limits_of_critical_path", fth_views_path_limits(results));
    fth_json_key_text(facts, "heading_of_findings", fth_views_heading(trace, results, view));
    fth_json_key_text(facts, "shares_of_findings",
                      fth_views_base(results, fth_views_largest_minor(results, view) ||
                                                  fth_views_is_any_shown(results, view)));
    fth_json_key_text(facts, "shares_of_times", fth_views_threads(results));
    fth_views_write_table(writer, view->stats->tables[FTH_STATS_TOTAL],
                          &(struct fth_table_layout){.name = "total", .is_one = true});
    fth_json_key(facts, "meta");
    fth_json_raw(facts, meta ? meta : "null");
    fth_json_key(facts, "blind_spots");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < info->blind_spot_count; i++)
        fth_json_text(facts, info->blind_spots[i]);
    fth_json_end_array(facts);
    fth_json_end_object(facts);
    free(job);
    free(meta);
}

static bool is_by_file(const struct fth_table *table)
{
    const struct fth_shape *shape = fth_table_shape(table);
    for (size_t i = 0; i < shape->column_count; i++)
        if (shape->columns[i].unit == FTH_UNIT_PATH)
            return true;
    return false;
}

static void put_whole(struct fth_writer *writer, const struct fth_table *table,
                      const struct fth_report_view *view)
{
    size_t most = is_by_file(table) ? view->files : 0;
    fth_views_write_table(writer, table,
                          &(struct fth_table_layout){.is_described = true, .top_of_all = most});
}

static void show_programs(struct fth_writer *writer, const struct fth_trace *trace,
                          const struct fth_results *results, const struct fth_report_view *view)
{
    if (trace)
        put_run(writer, trace, results, view);
    fth_json_key(&writer->facts, "tables");
    fth_json_begin_object(&writer->facts);
    for (size_t i = 0; i < results->table_count; i++)
        put_whole(writer, results->tables[i], view);
    for (size_t i = FTH_STATS_FUNCTIONS; !view->results_only && i < FTH_STATS_TABLES; i++)
        put_whole(writer, view->stats->tables[i], view);
    fth_json_end_object(&writer->facts);
    fth_views_write_findings(writer, trace, results, view);
}

void fth_views_report(struct fth_writer *writer, const struct fth_trace *trace,
                      const struct fth_results *results, const struct fth_report_view *view)
{
    if (trace && fth_views_write_run(writer, trace, results, view))
        return;
    if (fth_views_for_people(writer))
        show_people(writer, trace, results, view);
    else
        show_programs(writer, trace, results, view);
}
