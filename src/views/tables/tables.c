/* Tables on a terminal, and as JSON. On a terminal every column is as wide as its widest cell;
 * numbers stand right, texts left. */
#include "views/tables/tables.h"

#include "base/visible.h"

#include "views/output/display_text.h"

#include <inttypes.h>
#include <stdio.h>

#define GAP 2
#define MOST_COLUMNS 32
#define NARROWEST_TEXT 20
#define BAR_WIDTH 16
#define NARROWEST_BAR 6
#define SHARE_WIDTH 7 /* "100.0 %" */

/* What is shown of a table, and how wide. */
struct plan {
    const struct fth_table *table;
    const struct fth_table_layout *layout;
    size_t rows, count;
    size_t columns[MOST_COLUMNS], widths[MOST_COLUMNS];
    size_t share; /* the column of layout->share, or SIZE_MAX */
    size_t bar;
    int64_t full; /* what a full bar stands for */
};

static const struct fth_column *column_of(const struct plan *plan, size_t i)
{
    return &fth_table_shape(plan->table)->columns[plan->columns[i]];
}

struct fth_phrase fth_views_cell(const struct fth_cell *cell, enum fth_unit unit)
{
    struct fth_phrase phrase = {"-"};
    if (cell->type == FTH_CELL_NULL || cell->type == FTH_CELL_TEXT)
        return phrase;
    switch (unit) {
    case FTH_UNIT_COUNT:
        return fth_phrase_count(cell->integer);
    case FTH_UNIT_NUMBER:
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64, cell->integer);
        return phrase;
    case FTH_UNIT_BYTES:
        return cell->integer ? fth_phrase_bytes((uint64_t)cell->integer) : phrase;
    case FTH_UNIT_RATE:
        if (cell->integer)
            snprintf(phrase.text, sizeof phrase.text, "%.40s/s",
                     fth_phrase_bytes((uint64_t)cell->integer).text);
        return phrase;
    case FTH_UNIT_TIME:
        return fth_phrase_duration(cell->integer);
    case FTH_UNIT_PERCENT:
        return fth_phrase_percent(cell->real);
    case FTH_UNIT_RATIO:
        return fth_phrase_ratio(cell->real);
    case FTH_UNIT_TEXT:
    case FTH_UNIT_PATH:
        break;
    }
    return phrase;
}

static size_t cell_width(const struct fth_cell *cell, enum fth_unit unit)
{
    if (cell->type == FTH_CELL_TEXT)
        return fth_views_width(cell->text);
    return strlen(fth_views_cell(cell, unit).text);
}

static size_t total_width(const struct plan *plan)
{
    size_t width = plan->share == SIZE_MAX ? 0 : GAP + SHARE_WIDTH + 1 + plan->bar;
    for (size_t i = 0; i < plan->count; i++)
        width += plan->widths[i] + (i ? GAP : 0);
    return width;
}

static bool is_text(const struct fth_column *column)
{
    return column->unit == FTH_UNIT_TEXT || column->unit == FTH_UNIT_PATH;
}

/* The place of the first text column; plan->count: there is none. */
static size_t first_text(const struct plan *plan)
{
    size_t i = 0;
    while (i < plan->count && !is_text(column_of(plan, i)))
        i++;
    return i;
}

/* How many columns of the terminal the first text can do without. */
static size_t spare_text(const struct plan *plan)
{
    size_t text = first_text(plan);
    return text < plan->count && plan->widths[text] > NARROWEST_TEXT
               ? plan->widths[text] - NARROWEST_TEXT
               : 0;
}

static bool drop_column(struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (strcmp(column_of(plan, i)->name, name) != 0)
            continue;
        plan->count--;
        memmove(&plan->columns[i], &plan->columns[i + 1],
                (plan->count - i) * sizeof *plan->columns);
        memmove(&plan->widths[i], &plan->widths[i + 1], (plan->count - i) * sizeof *plan->widths);
        return true;
    }
    return false;
}

/* Too wide: the bar becomes short, the first text is cut, then the bar goes, then spare columns. */
static void fit(struct plan *plan, size_t terminal)
{
    size_t wanted = total_width(plan);
    if (!terminal || wanted <= terminal)
        return;
    if (plan->bar) {
        size_t excess = wanted - terminal;
        plan->bar = excess < BAR_WIDTH - NARROWEST_BAR ? BAR_WIDTH - excess : NARROWEST_BAR;
    }
    if (total_width(plan) > terminal + spare_text(plan))
        plan->bar = 0;
    for (const char *const *name = plan->layout->spare; name && *name; name++)
        if (total_width(plan) > terminal + spare_text(plan))
            drop_column(plan, *name);
    wanted = total_width(plan);
    if (wanted > terminal && spare_text(plan)) {
        size_t excess = wanted - terminal, spare = spare_text(plan);
        plan->widths[first_text(plan)] -= excess < spare ? excess : spare;
    }
}

/* What a full bar stands for. */
static int64_t find_full(const struct plan *plan)
{
    int64_t full = 0;
    if (plan->share == SIZE_MAX || !plan->layout->compare)
        return plan->layout->whole;
    for (size_t row = 0; row < fth_table_rows(plan->table); row++) {
        const struct fth_cell *cell = &fth_table_row(plan->table, row)[plan->share];
        if (cell->type == FTH_CELL_INTEGER && cell->integer > full)
            full = cell->integer;
    }
    return full;
}

static void make_plan(struct plan *plan, const struct fth_style *style)
{
    const struct fth_shape *shape = fth_table_shape(plan->table);
    plan->rows = fth_table_rows(plan->table);
    if (plan->layout->top && plan->layout->top < plan->rows)
        plan->rows = plan->layout->top;
    plan->share =
        plan->layout->share ? fth_table_column(plan->table, plan->layout->share) : SIZE_MAX;
    for (size_t i = 0; i < shape->column_count && plan->count < MOST_COLUMNS; i++) {
        if (!fth_table_shows(plan->table, i))
            continue;
        size_t width = strlen(shape->columns[i].title);
        for (size_t row = 0; row < plan->rows; row++) {
            size_t cell = cell_width(&fth_table_row(plan->table, row)[i], shape->columns[i].unit);
            width = cell > width ? cell : width;
        }
        plan->columns[plan->count] = i;
        plan->widths[plan->count++] = width;
    }
    plan->full = find_full(plan);
    fit(plan, style->width);
}

static void put_titles(struct fth_output *output, const struct plan *plan)
{
    fth_views_paint(output, FTH_PAINT_QUIET);
    for (size_t i = 0; i < plan->count; i++) {
        const struct fth_column *column = column_of(plan, i);
        size_t space = plan->widths[i] - strlen(column->title);
        fth_sink_fill(&output->sink, ' ', i ? GAP : 0);
        if (!is_text(column))
            fth_sink_fill(&output->sink, ' ', space);
        fth_sink_text(&output->sink, column->title);
        if (is_text(column) && i + 1 < plan->count)
            fth_sink_fill(&output->sink, ' ', space);
    }
    if (plan->share != SIZE_MAX)
        fth_views_print(output, "%*s", GAP + SHARE_WIDTH, "share");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

/* What is more than the whole has no share of it: a region of the application, of the time in
 * calls. */
static bool is_beyond(const struct plan *plan, int64_t value)
{
    return value > plan->layout->whole;
}

static void put_share(struct fth_output *output, const struct plan *plan, int64_t value)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double share = (double)value / (double)plan->layout->whole;
    double length =
        (value < plan->full ? (double)value / (double)plan->full : 1) * (double)plan->bar;
    size_t full = (size_t)length, rest = (size_t)((length - (double)full) * 8);
    fth_views_print(output, "%*s", GAP + SHARE_WIDTH, fth_phrase_percent(share * 100).text);
    if (!full && (!rest || !output->style.unicode))
        return;
    fth_sink_char(&output->sink, ' ');
    fth_views_paint(output, FTH_PAINT_BAR);
    for (size_t i = 0; i < full; i++)
        fth_sink_text(&output->sink, output->style.unicode ? "█" : "#");
    if (output->style.unicode)
        fth_sink_text(&output->sink, eighths[rest]);
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_row(struct fth_output *output, const struct plan *plan, size_t row)
{
    const struct fth_cell *cells = fth_table_row(plan->table, row);
    for (size_t i = 0; i < plan->count; i++) {
        const struct fth_cell *cell = &cells[plan->columns[i]];
        fth_sink_fill(&output->sink, ' ', i ? GAP : 0);
        const struct fth_column *column = column_of(plan, i);
        if (!is_text(column)) {
            struct fth_phrase phrase = fth_views_cell(cell, column->unit);
            fth_sink_fill(&output->sink, ' ', plan->widths[i] - strlen(phrase.text));
            fth_sink_text(&output->sink, phrase.text);
            continue;
        }
        const char *text = cell->type == FTH_CELL_TEXT ? cell->text : "-";
        bool last = i + 1 == plan->count && plan->share == SIZE_MAX;
        size_t width = fth_views_put_text(
            &output->sink, text, plan->widths[i],
            column->unit == FTH_UNIT_PATH ? FTH_CUT_MIDDLE : FTH_CUT_END, output->style.unicode);
        if (!last && width < plan->widths[i])
            fth_sink_fill(&output->sink, ' ', plan->widths[i] - width);
    }
    if (plan->share != SIZE_MAX && cells[plan->share].type == FTH_CELL_INTEGER &&
        plan->layout->whole > 0 && !is_beyond(plan, cells[plan->share].integer))
        put_share(output, plan, cells[plan->share].integer);
    fth_sink_char(&output->sink, '\n');
}

void fth_views_table(struct fth_output *output, const struct fth_table *table,
                     const struct fth_table_layout *layout)
{
    struct plan plan = {.table = table, .layout = layout, .bar = BAR_WIDTH};
    make_plan(&plan, &output->style);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_visible_put(&output->sink, layout->title ? layout->title : fth_table_shape(table)->title);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
    if (!plan.rows) {
        fth_sink_text(&output->sink, "none\n");
        return;
    }
    put_titles(output, &plan);
    for (size_t row = 0; row < plan.rows && !fth_views_stopped(output); row++)
        put_row(output, &plan, row);
    size_t hidden = fth_table_rows(table) - plan.rows;
    if (!hidden)
        return;
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "%s %s more%s%s", output->style.unicode ? "…" : "...",
                    fth_phrase_count((int64_t)hidden).text, layout->more ? "; " : "",
                    layout->more ? layout->more : "");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

static void cell_json(struct fth_json *json, const struct fth_cell *cell, enum fth_unit unit)
{
    switch (cell->type) {
    case FTH_CELL_NULL:
        fth_json_null(json);
        break;
    case FTH_CELL_INTEGER:
        if (unit == FTH_UNIT_TIME)
            fth_json_seconds(json, cell->integer);
        else
            fth_json_integer(json, cell->integer);
        break;
    case FTH_CELL_REAL:
        fth_json_number(json, cell->real);
        break;
    case FTH_CELL_TEXT:
        fth_json_text(json, cell->text);
        break;
    }
}

void fth_views_row_json(struct fth_json *json, const struct fth_table *table, size_t row)
{
    const struct fth_shape *shape = fth_table_shape(table);
    const struct fth_cell *cells = fth_table_row(table, row);
    fth_json_begin_object(json);
    for (size_t i = 0; i < shape->column_count; i++) {
        fth_json_key(json, shape->columns[i].name);
        cell_json(json, &cells[i], shape->columns[i].unit);
    }
    fth_json_end_object(json);
}

void fth_views_table_json(struct fth_json *json, const struct fth_table *table, size_t top)
{
    size_t rows = fth_table_rows(table);
    fth_json_begin_array(json);
    for (size_t row = 0; row < rows && (!top || row < top) && !json->sink->failed; row++)
        fth_views_row_json(json, table, row);
    fth_json_end_array(json);
}
