/* A bar for each row of an answer: as long as what the query asks for, in the colour of its server,
 * with its number. Of a breakdown the layers are beside one another in a row: exclusive times one
 * behind the other, which make up the call; inclusive ones one below the other. */
#include "views/pictures/answer_bars.h"

#include "base/memory.h"
#include "views/pictures/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BARS = 64, HIGH = 14, STEP = 18, MOST_LAYERS = 16 };
#define LEFT (FTH_FRAME_LEFT + 100)

struct chart {
    struct fth_svg *svg;
    const struct fth_table *table;
    const struct fth_shape *shape;
    size_t rows;
    struct fth_frame_axis axis;
};

static double number_of(const struct chart *chart, size_t row, size_t column)
{
    const struct fth_cell *cell = &fth_table_row(chart->table, row)[column];
    return cell->type == FTH_CELL_INTEGER ? (double)cell->integer
           : cell->type == FTH_CELL_REAL  ? cell->real
                                          : 0;
}

static bool is_null(const struct chart *chart, size_t row, size_t column)
{
    return fth_table_row(chart->table, row)[column].type == FTH_CELL_NULL;
}

/* SIZE_MAX: the table has no such column. */
static size_t find_column(const struct fth_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->column_count; i++)
        if (!strcmp(shape->columns[i].name, name))
            return i;
    return SIZE_MAX;
}

static struct fth_phrase words_of(enum fth_unit unit, const char *name, double value)
{
    struct fth_phrase text;
    if (unit == FTH_UNIT_TIME)
        return fth_phrase_duration((int64_t)value);
    if (unit == FTH_UNIT_BYTES) {
        text = fth_phrase_bytes((uint64_t)value);
        if (strstr(name, "per_second"))
            strcat(text.text, "/s");
        return text;
    }
    snprintf(text.text, sizeof text.text, "%.4g%s", value, strcmp(name, "joules") ? "" : " J");
    return text;
}

/* "rank 3, call 5, server 1": what has a number. */
static char *label_of(const struct chart *chart, size_t row)
{
    static const char *const names[] = {"rank", "proc", "call", "subcall", "server"};
    bool has_rank = find_column(chart->shape, "rank") != SIZE_MAX &&
                    !is_null(chart, row, find_column(chart->shape, "rank"));
    char *label = fth_text_copy("");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t column = find_column(chart->shape, names[i]);
        if (column == SIZE_MAX || is_null(chart, row, column) ||
            (has_rank && !strcmp(names[i], "proc")))
            continue;
        char *longer = fth_text_format("%s%s%s %" PRId64, label, *label ? ", " : "", names[i],
                                       (int64_t)number_of(chart, row, column));
        free(label);
        label = longer;
    }
    return label;
}

static void begin_row(const struct chart *chart, size_t row, const char *value, double y)
{
    char *label = label_of(chart, row), *title = fth_text_format("%s: %s", label, value);
    fth_svg_begin_group(chart->svg, title);
    fth_svg_text(chart->svg, 20, y + HIGH - 3, &fth_frame_small, label, LEFT - 28);
    free(title);
    free(label);
}

static double put_rest(const struct chart *chart, double y)
{
    size_t all = fth_table_rows(chart->table);
    return all > chart->rows
               ? fth_frame_put_note(chart->svg, FTH_FRAME_LEFT,
                                    fth_text_format("The first %zu of %zu.", chart->rows, all), y)
               : y;
}

/* ---- one value ---- */

static size_t value_column(const struct fth_shape *shape)
{
    static const char *const names[] = {"latency",  "joules", "bytes_per_second", "mean", "share",
                                        "subcalls", "bytes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (find_column(shape, names[i]) != SIZE_MAX)
            return find_column(shape, names[i]);
    return SIZE_MAX;
}

static double put_values(struct chart *chart, size_t column, double y)
{
    const struct fth_column *of = &chart->shape->columns[column];
    size_t server = find_column(chart->shape, "server");
    double most = 0;
    for (size_t row = 0; row < chart->rows; row++)
        most = number_of(chart, row, column) > most ? number_of(chart, row, column) : most;
    chart->axis = (struct fth_frame_axis){0, most > 0 ? most : 1, LEFT, FTH_FRAME_RIGHT - 90};
    for (size_t row = 0; row < chart->rows; row++, y += STEP) {
        double value = number_of(chart, row, column), to = fth_frame_at(&chart->axis, value);
        bool has_server = server != SIZE_MAX && !is_null(chart, row, server);
        struct fth_phrase text = words_of(of->unit, of->name, value);
        begin_row(chart, row, text.text, y);
        fth_svg_rect(chart->svg, chart->axis.from, y, to - chart->axis.from, HIGH,
                     fth_frame_layer_colour(has_server ? (size_t)number_of(chart, row, server) : 0),
                     1);
        fth_svg_text(chart->svg, to + 6, y + HIGH - 3, &fth_frame_quiet, text.text, 0);
        fth_svg_end_group(chart->svg);
    }
    return put_rest(chart, y + 6);
}

/* ---- layers ---- */

static bool is_used(const struct chart *chart, size_t column)
{
    for (size_t row = 0; row < chart->rows; row++)
        if (!is_null(chart, row, column))
            return true;
    return false;
}

static double put_layers(struct chart *chart, bool stacked, double y)
{
    size_t layers = chart->shape->column_count - FTH_ANSWER_FIRST_LAYER;
    struct fth_frame_legend legend[MOST_LAYERS];
    layers = layers < MOST_LAYERS ? layers : MOST_LAYERS;
    double most = 1, high = stacked ? HIGH : HIGH / (double)(layers ? layers : 1);
    for (size_t row = 0; row < chart->rows; row++) {
        double sum = 0;
        for (size_t i = 0; i < layers; i++) {
            double time = number_of(chart, row, FTH_ANSWER_FIRST_LAYER + i);
            sum = stacked ? sum + time : time > sum ? time : sum;
        }
        most = sum > most ? sum : most;
    }
    size_t shown = 0;
    for (size_t i = 0; i < layers; i++)
        if (is_used(chart, FTH_ANSWER_FIRST_LAYER + i))
            legend[shown++] = (struct fth_frame_legend){
                fth_frame_layer_colour(layers - 1 - i),
                fth_text_copy(chart->shape->columns[FTH_ANSWER_FIRST_LAYER + i].title)};
    y = fth_frame_put_legend(chart->svg, legend, shown, y + 6);
    chart->axis = (struct fth_frame_axis){0, most, LEFT, FTH_FRAME_RIGHT};
    fth_frame_put_times(chart->svg, &chart->axis, y, y + (double)chart->rows * STEP);
    for (size_t row = 0; row < chart->rows; row++, y += STEP) {
        double at = 0, top = y;
        begin_row(chart, row, "times of its layers", y);
        for (size_t i = 0; i < layers; i++, top += stacked ? 0 : high) {
            double time = number_of(chart, row, FTH_ANSWER_FIRST_LAYER + i),
                   from = fth_frame_at(&chart->axis, stacked ? at : 0),
                   to = fth_frame_at(&chart->axis, stacked ? at + time : time);
            at += time;
            if (time > 0)
                fth_svg_rect(chart->svg, from, top, to - from, high,
                             fth_frame_layer_colour(layers - 1 - i), 1);
        }
        fth_svg_end_group(chart->svg);
    }
    return put_rest(chart, y + 40);
}

/* ---- all of it ---- */

static double put_table(struct fth_svg *svg, const struct fth_answer *answer, size_t number,
                        double y)
{
    struct chart chart = {.svg = svg, .table = answer->tables[number]};
    chart.shape = fth_table_shape(chart.table);
    chart.rows = fth_table_rows(chart.table) < MOST_BARS ? fth_table_rows(chart.table) : MOST_BARS;
    size_t column = value_column(chart.shape);
    fth_svg_text(svg, 20, y, &fth_frame_heading, chart.shape->title, 0);
    y += 14;
    if (!chart.rows)
        return fth_frame_put_nothing(svg, "Nothing matches.", y);
    if (answer->columns)
        return put_layers(&chart, strstr(chart.shape->title, "exclusive") != NULL, y);
    return column == SIZE_MAX ? fth_frame_put_nothing(svg, "There is nothing to draw.", y)
                              : put_values(&chart, column, y);
}

void fth_views_draw_answer(const struct fth_answer *answer, const char *query, struct fth_sink *to)
{
    struct fth_svg svg;
    double y = 30;
    fth_svg_begin(&svg, FTH_FRAME_WIDTH);
    for (size_t i = 0; i < answer->count; i++)
        y = put_table(&svg, answer, i, y) + 34;
    svg.height = y;
    fth_svg_end(&svg, query, to);
}
