/* The statistics view: a summary in two lines, then a table for each question. */
#include "views/stats.h"

#include "analysis/select/noise.h"
#include "base/saturating.h"
#include "views/incomplete.h"
#include "views/summary.h"
#include "views/tables.h"
#include "views/words.h"

#include <stdlib.h>

/* Outside MPI the table of the ranks is one of processes. */
static const char *title_of_ranks(const struct fth_stats *stats)
{
    int64_t ranks = fth_views_total(stats, "ranks");
    if (!ranks)
        return "Processes";
    return (size_t)ranks < fth_table_rows(stats->tables[FTH_STATS_RANKS])
               ? "Ranks, and processes outside MPI"
               : NULL;
}

/* Bins are few, and what matters is how they differ. */
static void put_durations(struct fth_output *output, const struct fth_table *table)
{
    struct fth_table_layout layout = {.share = "calls", .compare = true};
    size_t column = fth_table_column(table, layout.share);
    for (size_t row = 0; row < fth_table_rows(table); row++)
        FTH_ADD_SATURATING(layout.whole, fth_table_row(table, row)[column].integer);
    fth_sink_char(&output->sink, '\n');
    fth_views_table(output, table, &layout);
}

/* Where noise takes a hundredth of the time, it is none. Returns how many are left out. */
static size_t choose_files(const struct fth_table *files, int64_t whole, bool *kept)
{
    size_t path = fth_table_column(files, "path"), time = fth_table_column(files, "time");
    size_t read = fth_table_column(files, "bytes_read"),
           written = fth_table_column(files, "bytes_written"), left_out = 0;
    for (size_t row = 0; row < fth_table_rows(files); row++) {
        const struct fth_cell *cells = fth_table_row(files, row);
        bool moved = cells[read].integer || cells[written].integer;
        kept[row] = cells[path].type != FTH_CELL_TEXT ||
                    !fth_analysis_is_noise(cells[path].text, moved) ||
                    cells[time].integer > whole / 100;
        left_out += !kept[row];
    }
    return left_out;
}

static void put_files(struct fth_output *output, const struct fth_table *files,
                      const struct fth_stats_view *view, const struct fth_table_layout *layout)
{
    bool *kept = view->all ? NULL : calloc(fth_table_rows(files) + 1, sizeof *kept);
    size_t left_out = kept ? choose_files(files, layout->whole, kept) : 0;
    struct fth_table *chosen = left_out ? fth_table_kept_rows(files, kept) : NULL;
    fth_views_table(output, chosen ? chosen : files, layout);
    if (chosen) {
        fth_views_paint(output, FTH_PAINT_QUIET);
        fth_views_print(output,
                        "Without %s of the system, libraries and launchers (--all shows them)",
                        fth_phrase_several(left_out, "file", "files").text);
        fth_views_paint(output, FTH_PAINT_PLAIN);
        fth_sink_char(&output->sink, '\n');
    }
    fth_table_free(chosen);
    free(kept);
}

/* Their time is that of the program: no share of the time in calls. */
static void put_regions(struct fth_output *output, const struct fth_stats_view *view,
                        const struct fth_table_layout *shared)
{
    struct fth_table_layout layout = *shared;
    layout.share = NULL;
    if (view->regions) {
        fth_sink_char(&output->sink, '\n');
        fth_views_table(output, view->regions, &layout);
    } else if (view->hides_regions) {
        fth_views_print(output, "\nRegions: --by region goes through all calls for them\n");
    }
}

/* Calls inside of calls have their time in two rows of a table, or more: from a hundredth of the
 * whole on it shows. */
static bool exceeds_whole(const struct fth_table *table, int64_t whole)
{
    size_t time = fth_table_column(table, "time");
    double sum = 0;
    for (size_t row = 0; row < fth_table_rows(table); row++)
        sum += (double)fth_table_row(table, row)[time].integer;
    return sum > 1.01 * (double)whole;
}

static void put_inclusive(struct fth_output *output)
{
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(
        output, "Times are inclusive (with the calls inside): shares add up to more than 100 %%");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

void fth_views_stats(struct fth_output *output, const struct fth_trace *trace,
                     const struct fth_stats *stats, const struct fth_stats_view *view)
{
    static const enum fth_stats_table order[] = {FTH_STATS_LAYERS, FTH_STATS_FUNCTIONS,
                                                 FTH_STATS_FILES, FTH_STATS_RANKS};
    static const char *const spare[] = {"kind",    "scope", "shortest", "errors",
                                        "longest", "mean",  "program",  NULL};
    struct fth_table_layout layout = {
        .spare = spare,
        .top = view->top,
        .more = "--top 0 shows all",
        .share = "time",
        .whole = fth_views_total(stats, "time"),
    };
    fth_views_summary(output, trace, stats,
                      &(struct fth_summary){view->trace_path, view->launchers, view->incomplete});
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!view->shows[order[i]])
            continue;
        /* Thousands of ranks have tiny shares each; what matters is how they differ. */
        layout.compare = order[i] == FTH_STATS_RANKS;
        layout.title = order[i] == FTH_STATS_RANKS ? title_of_ranks(stats) : NULL;
        fth_sink_char(&output->sink, '\n');
        if (order[i] == FTH_STATS_FILES)
            put_files(output, stats->tables[order[i]], view, &layout);
        else
            fth_views_table(output, stats->tables[order[i]], &layout);
        if (layout.whole > 0 && exceeds_whole(stats->tables[order[i]], layout.whole))
            put_inclusive(output);
    }
    layout.compare = false;
    layout.title = NULL;
    if (view->lines) {
        fth_sink_char(&output->sink, '\n');
        fth_views_table(output, view->lines, &layout);
    }
    put_regions(output, view, &layout);
    if (view->durations)
        put_durations(output, view->durations);
}

void fth_views_stats_json(struct fth_output *output, const struct fth_stats *stats,
                          const struct fth_stats_view *view)
{
    static const enum fth_stats_table order[] = {FTH_STATS_FUNCTIONS, FTH_STATS_FILES,
                                                 FTH_STATS_LAYERS, FTH_STATS_RANKS};
    struct fth_json json;
    fth_json_open(&json, &output->sink, 2);
    fth_json_begin_object(&json);
    fth_json_key(&json, "trace");
    fth_json_text(&json, view->trace_path);
    fth_views_missing_json(&json, &view->incomplete);
    fth_json_key(&json, "total");
    fth_views_row_json(&json, stats->tables[FTH_STATS_TOTAL], 0);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct fth_table *table = stats->tables[order[i]];
        if (!view->shows[order[i]])
            continue;
        fth_json_key(&json, fth_table_shape(table)->name);
        fth_views_table_json(&json, table, view->top_chosen ? view->top : 0);
    }
    if (view->lines) {
        fth_json_key(&json, fth_table_shape(view->lines)->name);
        fth_views_table_json(&json, view->lines, view->top_chosen ? view->top : 0);
    }
    if (view->regions) {
        fth_json_key(&json, fth_table_shape(view->regions)->name);
        fth_views_table_json(&json, view->regions, view->top_chosen ? view->top : 0);
    }
    if (view->durations) {
        fth_json_key(&json, fth_table_shape(view->durations)->name);
        fth_views_table_json(&json, view->durations, 0);
    }
    fth_json_end_object(&json);
    fth_json_end_document(&json);
}
