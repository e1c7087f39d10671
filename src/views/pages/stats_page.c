/* The statistics view: a summary in two lines, then a table for each question. */
#include "views/pages/stats_page.h"

#include "analysis/select/noise.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"

#include <stdlib.h>

/* Where there are ranks, the table of processes is one of ranks. */
static const char *title_of_ranks(const struct fth_stats *stats)
{
    int64_t ranks = fth_views_total(stats, "ranks");
    if (!ranks)
        return NULL;
    return (size_t)ranks < fth_table_rows(stats->tables[FTH_STATS_RANKS])
               ? "Ranks, and processes outside MPI"
               : "Ranks";
}

/* Bins are few, and what matters is how they differ. */
static void put_durations(struct fth_writer *writer, const struct fth_table *table)
{
    struct fth_table_layout layout = {.share = "calls", .compare = true};
    size_t column = fth_table_column(table, layout.share);
    for (size_t row = 0; row < fth_table_rows(table); row++)
        FTH_ADD_SATURATING(layout.whole, fth_table_row(table, row)[column].integer);
    fth_views_write_gap(writer);
    fth_views_write_table(writer, table, &layout);
}

/* Where noise takes a hundredth of the time, it is none. Returns how many are left out; *used: that
 * were opened, read or written, and not only asked about. */
static size_t choose_files(const struct fth_table *files, int64_t whole, bool *kept, size_t *used)
{
    size_t path = fth_table_column(files, "path"), time = fth_table_column(files, "time");
    size_t opens = fth_table_column(files, "opens"), read = fth_table_column(files, "bytes_read"),
           written = fth_table_column(files, "bytes_written"), left_out = 0;
    for (size_t row = 0; row < fth_table_rows(files); row++) {
        const struct fth_cell *cells = fth_table_row(files, row);
        bool moved = cells[read].integer || cells[written].integer;
        kept[row] = cells[path].type != FTH_CELL_TEXT ||
                    !fth_analysis_is_noise(cells[path].text, moved) ||
                    cells[time].integer > whole / 100;
        left_out += !kept[row];
        *used += !kept[row] && (moved || cells[opens].integer);
    }
    return left_out;
}

static void put_files(struct fth_writer *writer, const struct fth_table *files,
                      const struct fth_stats_view *view, const struct fth_table_layout *layout)
{
    bool *kept = view->all ? NULL : fth_new(fth_table_rows(files) + 1, sizeof *kept);
    size_t used = 0, left_out = kept ? choose_files(files, layout->whole, kept, &used) : 0;
    struct fth_table *chosen = left_out ? fth_table_kept_rows(files, kept) : NULL;
    fth_views_write_table(writer, chosen ? chosen : files, layout);
    size_t looked_up = left_out - used;
    if (chosen)
        fth_views_write_remark(writer, FTH_PAINT_QUIET, "Without %s%s%s%s (--all shows them)",
                               used ? fth_phrase_several(used, "file", "files").text : "",
                               used && looked_up ? " of system or libraries, "
                               : used            ? " of system or libraries"
                                                 : "",
                               !looked_up ? ""
                               : used     ? fth_phrase_count((int64_t)looked_up).text
                                          : fth_phrase_several(looked_up, "file", "files").text,
                               looked_up ? " only looked up" : "");
    fth_table_free(chosen);
    free(kept);
}

/* Their time is that of the program: no share of the time in calls. */
static void put_regions(struct fth_writer *writer, const struct fth_stats_view *view,
                        const struct fth_table_layout *shared)
{
    struct fth_table_layout layout = *shared;
    layout.share = NULL;
    if (view->regions) {
        fth_views_write_gap(writer);
        fth_views_write_table(writer, view->regions, &layout);
    } else if (view->hides_regions) {
        fth_views_write_gap(writer);
        fth_views_write_remark(writer, FTH_PAINT_PLAIN,
                               "Regions: use --by region (it reads all calls)");
    }
}

/* Calls inside of calls have their time in two rows of a table, or more, and calls of one function
 * inside of one another in one row twice: from a hundredth of the whole on it shows. */
static bool exceeds_whole(const struct fth_table *table, int64_t whole)
{
    size_t time = fth_table_column(table, "time");
    double sum = 0;
    bool exceeds = false;
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        sum += (double)fth_table_row(table, row)[time].integer;
        exceeds = exceeds || fth_table_row(table, row)[time].integer > whole;
    }
    return exceeds || sum > 1.01 * (double)whole;
}

static void put_table(struct fth_writer *writer, enum fth_stats_table which,
                      const struct fth_stats *stats, const struct fth_stats_view *view,
                      const struct fth_table_layout *shared)
{
    struct fth_table_layout layout = *shared;
    /* Thousands of ranks have tiny shares each; what matters is how they differ. */
    layout.compare = which == FTH_STATS_RANKS;
    layout.title = which == FTH_STATS_RANKS ? title_of_ranks(stats) : NULL;
    fth_views_write_gap(writer);
    if (which == FTH_STATS_FILES)
        put_files(writer, stats->tables[which], view, &layout);
    else
        fth_views_write_table(writer, stats->tables[which], &layout);
    if (layout.whole > 0 && exceeds_whole(stats->tables[which], layout.whole))
        fth_views_write_remark(
            writer, FTH_PAINT_QUIET,
            "Times are inclusive of nested calls: shares add up to more than 100 %%");
}

static void show_people(struct fth_writer *writer, const struct fth_trace *trace,
                        const struct fth_stats *stats, const struct fth_stats_view *view)
{
    static const enum fth_stats_table order[] = {FTH_STATS_LAYERS, FTH_STATS_FUNCTIONS,
                                                 FTH_STATS_FILES, FTH_STATS_RANKS};
    static const char *const spare[] = {"kind",    "scope", "shortest", "errors",
                                        "longest", "mean",  "program",  NULL};
    const struct fth_table_layout layout = {
        .spare = spare,
        .top = view->top,
        .more = "--top 0 shows all",
        .share = "time",
        .whole = fth_views_total(stats, "time"),
    };
    const struct fth_summary summary = {
        .trace_path = view->trace_path,
        .launchers = view->launchers,
        .silent = view->silent,
        .incomplete = view->incomplete,
        .selected = view->selected,
    };
    fth_views_write_head(writer, trace, stats, &summary);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (view->shows[order[i]])
            put_table(writer, order[i], stats, view, &layout);
    if (view->lines) {
        fth_views_write_gap(writer);
        fth_views_write_table(writer, view->lines, &layout);
    }
    put_regions(writer, view, &layout);
    if (view->durations)
        put_durations(writer, view->durations);
}

/* All files and all rows, unless so many were asked for. */
static void show_programs(struct fth_writer *writer, const struct fth_stats *stats,
                          const struct fth_stats_view *view)
{
    static const enum fth_stats_table order[] = {FTH_STATS_FUNCTIONS, FTH_STATS_FILES,
                                                 FTH_STATS_LAYERS, FTH_STATS_RANKS};
    const struct fth_table_layout all = {0},
                                  some = {.top_of_all = view->top_chosen ? view->top : 0};
    fth_json_key_text(&writer->facts, "trace", view->trace_path);
    fth_views_write_missing(writer, &view->incomplete);
    fth_views_write_table(writer, stats->tables[FTH_STATS_TOTAL],
                          &(struct fth_table_layout){.is_one = true});
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (view->shows[order[i]])
            fth_views_write_table(writer, stats->tables[order[i]], &some);
    if (view->lines)
        fth_views_write_table(writer, view->lines, &some);
    if (view->regions)
        fth_views_write_table(writer, view->regions, &some);
    if (view->durations)
        fth_views_write_table(writer, view->durations, &all);
}

void fth_views_stats(struct fth_writer *writer, const struct fth_trace *trace,
                     const struct fth_stats *stats, const struct fth_stats_view *view)
{
    if (fth_views_for_people(writer))
        show_people(writer, trace, stats, view);
    else
        show_programs(writer, stats, view);
}
