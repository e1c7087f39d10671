/* A row for each thread, in it a lane for each of its layers, as high as the share of each bin in
 * which calls of the layer were under way. Of many threads some, one after the other, share a row:
 * the mean of their shares. */
#include "base/memory.h"
#include "base/time_parts.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "views/pictures/frame.h"

#include <stdlib.h>

enum { MOST_LANES = 150 };

/* Threads of a row, and what they did on a layer. */
struct summed_lane {
    bool is_used;
    double *busy; /* by bin, ns */
    uint64_t calls, read, written;
    int64_t time;
};

struct drawing {
    struct fth_svg *svg;
    const struct fth_overview *overview;
    struct fth_frame_axis time;
    double lane_height;
    size_t each;     /* threads of a row */
    uint64_t *calls; /* by layer */
};

static size_t count_layers(const struct fth_overview *overview)
{
    bool *used = fth_new(overview->classes->layer_count + 1, sizeof *used);
    size_t count = 0;
    for (size_t i = 0; i < overview->lane_count; i++) {
        count += !used[overview->lanes[i].layer];
        used[overview->lanes[i].layer] = true;
    }
    free(used);
    return count;
}

static void add_lane(struct summed_lane *sum, const struct fth_overview *overview,
                     const struct fth_overview_lane *lane)
{
    if (!sum->busy)
        sum->busy = fth_new(overview->bin_count, sizeof *sum->busy);
    sum->is_used = true;
    for (size_t i = 0; i < lane->count; i++) {
        const struct fth_overview_bin *bin = &lane->places[i].bin;
        sum->busy[lane->places[i].number] += (double)bin->busy;
        sum->calls += bin->calls;
        FTH_ADD_SATURATING(sum->time, bin->busy);
        sum->read += bin->read;
        sum->written += bin->written;
    }
}

/* One step of a lane for each bin that is not empty; a share that is too small to be seen is. */
static void put_steps(const struct drawing *drawing, const struct summed_lane *lane, double bottom,
                      double high, const char *colour, size_t threads)
{
    const struct fth_overview *overview = drawing->overview;
    fth_svg_begin_path(drawing->svg);
    for (uint32_t i = 0; i < overview->bin_count; i++) {
        int64_t within = fth_part_within(overview->begin, overview->bin_width, i, overview->end);
        double share = within ? lane->busy[i] / ((double)within * (double)threads) : 0;
        double from = (double)overview->begin + (double)i * (double)overview->bin_width,
               to = from + (double)overview->bin_width;
        if (share <= 0 || from >= drawing->time.end)
            continue;
        double left = fth_frame_at(&drawing->time, from),
               right =
                   fth_frame_at(&drawing->time, to < drawing->time.end ? to : drawing->time.end),
               top = bottom - (share >= 1         ? high
                               : share * high > 1 ? share * high
                                                  : 1);
        fth_svg_move(drawing->svg, left, bottom);
        fth_svg_to(drawing->svg, left, top);
        fth_svg_to(drawing->svg, right, top);
        fth_svg_to(drawing->svg, right, bottom);
        fth_svg_close(drawing->svg);
    }
    fth_svg_end_path(drawing->svg, colour, 0);
}

static void put_lane(const struct drawing *drawing, const char *row, size_t layer,
                     const struct summed_lane *lane, double y, size_t threads)
{
    const char *name = drawing->overview->classes->layers[layer],
               *colour = fth_frame_layer_colour(layer);
    double high = drawing->lane_height - 1;
    const struct fth_svg_datum data[] = {
        {"layer", name, 0},
        {"calls", NULL, lane->calls},
        {"busy-ns", NULL, (uint64_t)lane->time},
        {"read", NULL, lane->read},
        {"written", NULL, lane->written},
    };
    char *title = fth_text_format("%s, %s: %s calls, busy for %s", row, name,
                                  fth_phrase_count((int64_t)lane->calls).text,
                                  fth_phrase_duration(lane->time).text);
    fth_svg_begin_data(drawing->svg, title, data, sizeof data / sizeof *data);
    fth_svg_rect(drawing->svg, drawing->time.from, y, drawing->time.to - drawing->time.from, high,
                 colour, 0.09);
    put_steps(drawing, lane, y + high, high, colour, threads);
    fth_svg_end_group(drawing->svg);
    free(title);
}

/* Threads from `first` on, up to `behind`. */
static double put_row(const struct drawing *drawing, size_t *lane, size_t first, size_t behind,
                      double y)
{
    const struct fth_overview *overview = drawing->overview;
    const struct fth_trace *trace = overview->trace;
    struct summed_lane *sums = fth_new(overview->classes->layer_count + 1, sizeof *sums);
    for (; *lane < overview->lane_count && overview->lanes[*lane].row < behind; (*lane)++) {
        const struct fth_overview_lane *one = &overview->lanes[*lane];
        add_lane(&sums[one->layer], overview, one);
    }
    const struct fth_overview_row *rows = overview->rows;
    char *name = behind - first > 1
                     ? fth_frame_rows_name(trace, rows[first].proc, rows[behind - 1].proc)
                     : fth_frame_row_name(trace, rows[first].proc, rows[first].thread);
    double top = y;
    for (size_t layer = overview->classes->layer_count; layer-- > 0;) {
        if (!sums[layer].is_used)
            continue;
        put_lane(drawing, name, layer, &sums[layer], y, behind - first);
        drawing->calls[layer] += sums[layer].calls;
        free(sums[layer].busy);
        y += drawing->lane_height;
    }
    if (y > top)
        fth_svg_text(drawing->svg, 20, top + (y - top) / 2 + 4, &fth_frame_small, name,
                     FTH_FRAME_LEFT - 28);
    free(name);
    free(sums);
    return y > top ? y + 5 : y;
}

static double put_legend(const struct drawing *drawing, double y)
{
    const struct fth_call_classes *classes = drawing->overview->classes;
    struct fth_frame_legend *list = fth_new(classes->layer_count + 1, sizeof *list);
    size_t count = 0;
    for (size_t layer = classes->layer_count; layer-- > 0;)
        if (drawing->calls[layer])
            list[count++] = (struct fth_frame_legend){
                fth_frame_layer_colour(layer),
                fth_text_format("%s: %s calls", classes->layers[layer],
                                fth_phrase_count((int64_t)drawing->calls[layer]).text)};
    y = fth_frame_put_legend(drawing->svg, list, count, y);
    free(list);
    return y;
}

/* So many threads to a row that all lanes find room, and lanes of that height. */
static void lay_out(struct drawing *drawing)
{
    size_t rows = drawing->overview->row_count, layers = count_layers(drawing->overview),
           room = layers < MOST_LANES ? MOST_LANES / layers : 1;
    drawing->each = (rows + room - 1) / room;
    size_t lanes = (rows + drawing->each - 1) / drawing->each * layers;
    drawing->lane_height = lanes > 60 ? 9 : lanes > 20 ? 14 : 22;
}

static double draw(struct fth_svg *svg, const struct fth_pictured *pictured, double y)
{
    const struct fth_overview *overview = pictured->view->overview;
    size_t rows = overview->row_count, lane = 0;
    double top = y;
    struct fth_svg lanes;
    struct drawing drawing = {.svg = &lanes,
                              .overview = overview,
                              .time = fth_frame_time(overview, FTH_FRAME_LEFT, FTH_FRAME_RIGHT)};
    if (!overview->lane_count)
        return fth_frame_put_nothing(svg, "There are no calls to show.", y);
    lay_out(&drawing);
    drawing.calls = fth_new(overview->classes->layer_count + 1, sizeof *drawing.calls);
    fth_svg_begin(&lanes, svg->width);
    for (size_t first = 0; first < rows; first += drawing.each)
        y = put_row(&drawing, &lane, first,
                    first + drawing.each < rows ? first + drawing.each : rows, y);
    fth_frame_put_times(svg, &drawing.time, top, y);
    fth_svg_append(svg, &lanes);
    drawing.svg = svg;
    y = put_legend(&drawing, y + 40);
    if (drawing.each > 1)
        y = fth_frame_put_note(
            svg, FTH_FRAME_LEFT,
            fth_text_format("A row is %zu threads: the mean of their shares.", drawing.each), y);
    free(drawing.calls);
    return y;
}

const struct fth_picture_kind fth_picture_timeline = {
    "timeline", "Time line",
    "A row for each thread, a lane for each layer: the height is the share of time in which calls "
    "of the layer were active.",
    draw};
