/* What is in a trace, for people: facts, the tree of processes, what could not be seen, and the
 * parts of the file. */
#include "views/pages/info_page.h"

#include "analysis/select/select.h"
#include "views/sentences/coverage.h"
#include "views/sentences/meta.h"
#include "views/sentences/summary.h"
#include "views/output/display_text.h"
#include "base/memory.h"

#include <fathom/samples.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAD 12 /* of fact titles */

static void put_fact(struct fth_output *output, const char *title)
{
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "%-*s", PAD, title);
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_warning(struct fth_output *output, const char *text)
{
    fth_views_paint(output, FTH_PAINT_WARNING);
    fth_sink_text(&output->sink, text);
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_calls(struct fth_output *output, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    put_fact(output, "Calls");
    fth_views_print(output, "%s", fth_phrase_count((int64_t)info->calls).text);
    uint64_t of_launchers = fth_analysis_launchers(&(struct fth_selection){0}, trace).calls;
    if (of_launchers)
        fth_views_print(output, ", %s of them of launchers",
                        fth_phrase_count((int64_t)of_launchers).text);
    fth_sink_char(&output->sink, '\n');
    uint64_t counted = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        counted += fth_trace_process(trace, proc)->only_counted;
    if (counted) {
        put_fact(output, "Counted");
        fth_views_print(output, "%s more, by function only\n",
                        fth_phrase_several(counted, "call", "calls").text);
    }
    if (info->lost_calls > counted) {
        put_fact(output, "Lost");
        put_warning(output, fth_phrase_several(info->lost_calls - counted, "call", "calls").text);
        fth_sink_char(&output->sink, '\n');
    }
}

/* Words that are wider than the terminal go on below one another. */
static void put_wrapped(struct fth_output *output, const char *text, size_t indent)
{
    size_t width = output->style.width > indent + 20 ? output->style.width : 0, column = indent;
    while (*text) {
        size_t word = strcspn(text, " "), blanks = strspn(text + word, " ");
        if (width && column > indent && column + 1 + word > width) {
            fth_sink_char(&output->sink, '\n');
            fth_sink_fill(&output->sink, ' ', indent);
            column = indent;
        } else if (column > indent) {
            fth_sink_char(&output->sink, ' ');
            column++;
        }
        fth_sink_bytes(&output->sink, text, word);
        column += word;
        text += word + blanks;
    }
    fth_sink_char(&output->sink, '\n');
}

static void put_left_out(struct fth_output *output, const struct fth_trace_info *info)
{
    char *filters = fth_views_filters(info->meta_json), *text;
    if (info->excluded_calls) {
        text =
            fth_text_format("%s%s", fth_phrase_several(info->excluded_calls, "call", "calls").text,
                            filters ? filters : "");
        put_fact(output, "Left out");
        put_wrapped(output, text, PAD);
        free(text);
    }
    free(filters);
}

/* Of processes that were recorded by turns. */
static void put_coverage(struct fth_output *output, const struct fth_trace *trace)
{
    struct fth_phase_coverage *coverage = fth_analysis_coverage(trace);
    char *text = coverage ? fth_views_coverage(coverage) : NULL;
    if (text) {
        put_fact(output, "Coverage");
        put_wrapped(output, text, PAD);
    }
    free(text);
    fth_analysis_coverage_free(coverage);
}

/* What there is beside calls. */
static void put_samples(struct fth_output *output, const struct fth_trace *trace)
{
    size_t nodes = fth_trace_sampling_count(trace);
    if (!nodes)
        return;
    put_fact(output, "Samples");
    fth_views_print(output, "of %s, ", fth_phrase_several(nodes, "node", "nodes").text);
    fth_views_print(output, "every %s (fathom samples)\n",
                    fth_phrase_duration(fth_trace_sampling(trace, 0)->interval).text);
}

static void put_size(struct fth_output *output, const struct fth_trace_info *info)
{
    put_fact(output, "Size");
    fth_views_print(output, "%s", fth_phrase_bytes(info->file_bytes).text);
    if (info->calls)
        fth_views_print(output, ", %s bytes per call",
                        fth_phrase_ratio((double)info->file_bytes / (double)info->calls).text);
    fth_sink_char(&output->sink, '\n');
}

static void put_times(struct fth_output *output, const struct fth_trace_info *info)
{
    put_fact(output, "Started");
    fth_views_print(output, "%s\n", fth_views_local_date(info->start_realtime).text);
    put_fact(output, "Lasted");
    fth_views_print(output, "%s\n", fth_phrase_duration(info->end).text);
    put_fact(output, "Format");
    fth_views_print(output, "version %" PRIu32 ", ", info->version);
    fth_views_print(output, "times to %s\n", fth_phrase_duration(info->resolution).text);
    struct fth_sentence times = fth_views_times(info);
    if (!*times.text)
        return;
    put_fact(output, "Times");
    put_wrapped(output, times.text, PAD);
}

/* Worth a line when there are several nodes. */
static void put_clocks(struct fth_output *output, const struct fth_trace *trace)
{
    const char *first = fth_trace_process_count(trace) ? fth_trace_process(trace, 0)->host : "";
    bool several = false, unrelated = false;
    int64_t error = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        several = several || strcmp(process->host, first) != 0;
        unrelated = unrelated || process->clock_error == FTH_NO_ERROR;
        if (process->clock_error > error)
            error = process->clock_error;
    }
    if (!error && !(several && unrelated))
        return;
    put_fact(output, "Clocks");
    if (error)
        fth_views_print(output, "clocks of nodes compared through MPI, error %s%s",
                        fth_phrase_duration(error).text, unrelated ? "; others: " : "\n");
    if (unrelated)
        put_warning(output, "each node uses its own time of day, which may differ\n");
}

static void put_worlds(struct fth_output *output, const struct fth_trace *trace)
{
    const struct fth_selection all = {.launchers = true};
    int64_t worlds = 0;
    size_t count = fth_trace_process_count(trace);
    for (size_t proc = 0; proc < count; proc++)
        if (fth_trace_process(trace, proc)->world >= worlds)
            worlds = fth_trace_process(trace, proc)->world + 1;
    size_t images = count;
    for (size_t proc = 0; proc < images; proc++)
        count -= fth_analysis_goes_on(&all, trace, proc);
    put_fact(output, "Processes");
    fth_views_print(output, "%s", fth_phrase_count((int64_t)count).text);
    if (images != count)
        fth_views_print(output, " (%s: some ran exec)",
                        fth_phrase_several(images, "image", "images").text);
    uint64_t ranks = 0;
    for (size_t proc = 0; proc < images; proc++)
        ranks += fth_trace_process(trace, proc)->rank != FTH_NO_RANK;
    if (ranks)
        fth_views_print(output, ", %s of them in MPI", fth_phrase_count((int64_t)ranks).text);
    if (worlds > 1)
        fth_views_print(output, ", in %s",
                        fth_phrase_several((uint64_t)worlds, "world", "worlds").text);
    fth_sink_char(&output->sink, '\n');
}

static void put_blind_spots(struct fth_output *output, const void *context)
{
    const struct fth_trace_info *info = context;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_sink_text(&output->sink, "Not visible");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        fth_sink_text(&output->sink, output->style.unicode ? "• " : "- ");
        fth_views_put_text(&output->sink, info->blind_spots[i], 0, FTH_CUT_END,
                           output->style.unicode);
        fth_sink_char(&output->sink, '\n');
    }
}

static int put_sizes(struct fth_writer *writer, const struct fth_trace_info *info,
                     struct fth_error **error)
{
    struct fth_table *table = fth_views_sizes(info);
    if (!table)
        return fth_fail(error, "out of memory");
    fth_views_write_gap(writer);
    fth_views_write_table(
        writer, table,
        &(struct fth_table_layout){.share = "bytes", .whole = (int64_t)info->file_bytes});
    fth_table_free(table);
    return 0;
}

static int put_costs(struct fth_writer *writer, struct fth_trace *trace, struct fth_error **error)
{
    struct fth_table *table = fth_views_costs(trace, error);
    if (!table)
        return -1;
    fth_table_sort_by_sum(table, (size_t[]){4, 5}, 2);
    fth_views_write_gap(writer);
    fth_views_write_table(writer, table, &(struct fth_table_layout){0});
    fth_table_free(table);
    return 0;
}

/* Of the tree. */
static const char *const spare_columns[] = {"pid", "excluded", "threads", "lost", NULL};

/* Command lines are cut where there is no screen, too: programs get them in full. */
static void put_tree(struct fth_writer *writer, const struct fth_table *tree)
{
    enum { NO_SCREEN = 120 };
    size_t width = writer->output->style.width;
    if (!width)
        writer->output->style.width = NO_SCREEN;
    fth_views_write_table(writer, tree, &(struct fth_table_layout){.spare = spare_columns});
    writer->output->style.width = width;
}

struct head {
    const struct fth_trace *trace;
    const char *path;
    struct fth_silent silent;
};

static void put_head(struct fth_output *output, const void *context)
{
    const struct head *head = context;
    const struct fth_trace_info *info = fth_trace_info(head->trace);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_put_text(&output->sink, head->path, 0, FTH_CUT_END, output->style.unicode);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
    fth_views_put_meta(output, info, PAD);
    put_times(output, info);
    put_clocks(output, head->trace);
    put_worlds(output, head->trace);
    if (head->silent.processes) {
        put_fact(output, "");
        fth_views_put_silent(output, &head->silent);
    }
    put_calls(output, head->trace);
    put_left_out(output, info);
    put_coverage(output, head->trace);
    put_samples(output, head->trace);
    put_size(output, info);
}

static void put_phases(struct fth_writer *writer, const struct fth_trace *trace)
{
    enum { MOST = 20 };
    struct fth_phase_coverage *coverage = fth_analysis_coverage(trace);
    if (coverage) {
        fth_views_write_gap(writer);
        fth_views_write_table(
            writer, coverage->table,
            &(struct fth_table_layout){.top = MOST, .more = "--json and --csv show all"});
    }
    fth_analysis_coverage_free(coverage);
}

static int show_people(struct fth_writer *writer, struct fth_trace *trace,
                       const struct fth_info_view *view, struct fth_error **error)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    struct fth_table *tree =
        fth_views_process_tree(trace, view->all_processes, writer->output->style.unicode);
    if (!tree)
        return fth_fail(error, "out of memory");
    const struct fth_selection all = {.launchers = true};
    const struct fth_incomplete incomplete = fth_analysis_incomplete(&all, trace);
    fth_views_write_missing(writer, &incomplete);
    fth_views_write_lines(
        writer, put_head,
        &(struct head){trace, view->trace_path, fth_analysis_silent(&all, trace)});
    fth_views_write_gap(writer);
    put_tree(writer, tree);
    fth_table_free(tree);
    if (info->blind_spot_count) {
        fth_views_write_gap(writer);
        fth_views_write_lines(writer, put_blind_spots, info);
    }
    put_phases(writer, trace);
    if (view->sizes && put_sizes(writer, info, error))
        return -1;
    return view->sizes ? put_costs(writer, trace, error) : 0;
}

int fth_views_info(struct fth_writer *writer, struct fth_trace *trace,
                   const struct fth_info_view *view, struct fth_error **error)
{
    return fth_views_for_people(writer) ? show_people(writer, trace, view, error)
                                        : fth_views_info_facts(writer, trace, view, error);
}
