/* What the time of each process went to: a bar for each, as long as the time of its threads (the
 * table time_by_process of the report). Of many processes some share a bar: their mean, and a line
 * from the least of them to the most. */
#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "views/pictures/frame.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 64, PARTS = 6 };

static const struct {
    const char *column, *title;
} parts[PARTS] = {
    {"io", "I/O"},          {"messages", "messages"},
    {"waiting", "waiting"}, {"other", "other calls"},
    {"own", "its own"},     {"unknown", "not known (only watched)"}}; /* unless there is none */
static const char *const colours[PARTS] = FTH_PALETTE_SPENT;

static const struct fth_table *table_of(const struct fth_results *results)
{
    for (size_t i = 0; i < results->table_count; i++)
        if (!strcmp(fth_table_shape(results->tables[i])->name, "time_by_process"))
            return results->tables[i];
    return NULL;
}

static int64_t value_of(const struct fth_table *table, size_t row, const char *column)
{
    const struct fth_cell *cell = &fth_table_row(table, row)[fth_table_column(table, column)];
    return cell->type == FTH_CELL_INTEGER ? cell->integer : 0;
}

static int64_t whole_of(const struct fth_table *table, size_t row)
{
    return value_of(table, row, "thread_time");
}

struct drawing {
    struct fth_svg *svg;
    const struct fth_trace *trace;
    const struct fth_table *table;
    struct fth_frame_axis axis;
    double high;
    int parts;
};

static char *name_of(const struct drawing *drawing, size_t first, size_t behind)
{
    uint32_t one = (uint32_t)value_of(drawing->table, first, "proc"),
             last = (uint32_t)value_of(drawing->table, behind - 1, "proc");
    return behind - first > 1 ? fth_frame_rows_name(drawing->trace, one, last)
                              : fth_frame_row_name(drawing->trace, one, 0);
}

/* From the shortest to the longest of several; returns the longest. */
static int64_t put_spread(const struct drawing *drawing, size_t first, size_t behind, double y)
{
    int64_t least = INT64_MAX, most = 0;
    for (size_t row = first; row < behind; row++) {
        int64_t whole = whole_of(drawing->table, row);
        least = whole < least ? whole : least;
        most = whole > most ? whole : most;
    }
    if (behind - first == 1)
        return most;
    double from = fth_frame_at(&drawing->axis, (double)least),
           to = fth_frame_at(&drawing->axis, (double)most), middle = y + drawing->high / 2;
    fth_svg_line(drawing->svg, from, middle, to, middle, FTH_PAPER_TEXT);
    fth_svg_line(drawing->svg, from, middle - 2, from, middle + 2, FTH_PAPER_TEXT);
    fth_svg_line(drawing->svg, to, middle - 2, to, middle + 2, FTH_PAPER_TEXT);
    return most;
}

/* Behind the longest one, in front of the lines of the axis. */
static void put_length(const struct drawing *drawing, int64_t time, int64_t longest, double y)
{
    struct fth_phrase text = fth_phrase_duration(time);
    double x = fth_frame_at(&drawing->axis, (double)longest) + 8;
    fth_svg_rect(drawing->svg, x - 2, y - 1,
                 fth_svg_text_width(text.text, fth_frame_quiet.size) + 4, drawing->high + 2,
                 FTH_PAPER_GROUND, 1);
    fth_svg_text(drawing->svg, x, y + drawing->high / 2 + 4, &fth_frame_quiet, text.text, 0);
}

/* Rows of the table from `first` on, up to `behind`. */
static void put_bar(const struct drawing *drawing, size_t first, size_t behind, double y)
{
    double count = (double)(behind - first), at = 0;
    int64_t sums[PARTS], all = 0;
    struct fth_svg_datum data[PARTS];
    for (int part = 0; part < drawing->parts; part++) {
        sums[part] = 0;
        for (size_t row = first; row < behind; row++)
            FTH_ADD_SATURATING(sums[part], value_of(drawing->table, row, parts[part].column));
        data[part] = (struct fth_svg_datum){parts[part].column, NULL, (uint64_t)sums[part]};
        FTH_ADD_SATURATING(all, sums[part]);
    }
    int64_t mean = all / (int64_t)(behind - first);
    char *name = name_of(drawing, first, behind), *title;
    title = fth_text_format("%s: %s", name, fth_phrase_duration(mean).text);
    fth_svg_begin_data(drawing->svg, title, data, (size_t)drawing->parts);
    fth_svg_text(drawing->svg, 20, y + drawing->high / 2 + 4, &fth_frame_small, name,
                 FTH_FRAME_LEFT - 28);
    for (int part = 0; part < drawing->parts; at += (double)sums[part++]) {
        double left = fth_frame_at(&drawing->axis, at / count),
               right = fth_frame_at(&drawing->axis, (at + (double)sums[part]) / count);
        if (sums[part] > 0)
            fth_svg_rect(drawing->svg, left, y, right - left, drawing->high, colours[part], 1);
    }
    put_length(drawing, mean, put_spread(drawing, first, behind, y), y);
    fth_svg_end_group(drawing->svg);
    free(name);
    free(title);
}

static double draw(struct fth_svg *svg, const struct fth_pictured *pictured, double y)
{
    const struct fth_table *table = table_of(pictured->results);
    size_t rows = table ? fth_table_rows(table) : 0, each = (rows + MOST_BARS - 1) / MOST_BARS;
    struct fth_frame_legend legend[PARTS];
    int64_t most = 1;
    if (!rows)
        return fth_frame_put_nothing(svg, "There are no processes to show.", y);
    for (size_t row = 0; row < rows; row++)
        most = whole_of(table, row) > most ? whole_of(table, row) : most;
    struct drawing drawing = {svg,
                              pictured->trace,
                              table,
                              /* room behind the longest bar for its number */
                              {0, (double)most, FTH_FRAME_LEFT, FTH_FRAME_RIGHT - 70},
                              rows > 32 ? 11 : 16,
                              PARTS - 1};
    for (size_t row = 0; row < rows; row++)
        if (value_of(table, row, "unknown") > 0)
            drawing.parts = PARTS;
    for (int part = 0; part < drawing.parts; part++)
        legend[part] = (struct fth_frame_legend){colours[part], fth_text_copy(parts[part].title)};
    y = fth_frame_put_legend(svg, legend, (size_t)drawing.parts, y + 10);
    size_t bars = (rows + each - 1) / each;
    fth_frame_put_times(svg, &drawing.axis, y, y + (double)bars * (drawing.high + 4));
    for (size_t first = 0; first < rows; first += each, y += drawing.high + 4)
        put_bar(&drawing, first, first + each < rows ? first + each : rows, y);
    y += 40;
    if (each > 1)
        y = fth_frame_put_note(svg, FTH_FRAME_LEFT,
                               fth_text_format("A bar is the mean of %zu processes; its line goes "
                                               "from the shortest to the longest of them.",
                                               each),
                               y);
    return y;
}

const struct fth_picture_kind fth_picture_balance = {
    "balance", "Balance",
    "What the time of each process went to, the time of all its threads added up.", draw};
