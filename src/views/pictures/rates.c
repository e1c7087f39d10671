/* Bytes and calls per second, and calls under way, over time: a line for each layer. Bins are as in
 * the time line, but wider, so that a line can be distinguished from the next. */
#include "base/memory.h"
#include "base/time_parts.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "views/pictures/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BINS = 256, HIGH = 130 };

static uint64_t written(const struct fth_overview_bin *bin)
{
    return bin->written;
}
static uint64_t bytes_read(const struct fth_overview_bin *bin)
{
    return bin->read;
}
static uint64_t calls(const struct fth_overview_bin *bin)
{
    return bin->calls;
}
static uint64_t busy(const struct fth_overview_bin *bin)
{
    return (uint64_t)bin->busy;
}

static struct fth_phrase byte_rate(double value)
{
    struct fth_phrase phrase = fth_frame_bytes(value), rate;
    snprintf(rate.text, sizeof rate.text, "%.30s/s", phrase.text);
    return rate;
}

static struct fth_phrase call_rate(double value)
{
    struct fth_phrase phrase = fth_phrase_count(fth_saturating_integer(value)), rate;
    if (value > 0 && value < 1)
        phrase = fth_phrase_ratio(value);
    snprintf(rate.text, sizeof rate.text, "%.30s /s", phrase.text);
    return rate;
}

static struct fth_phrase threads(double value)
{
    return value == floor(value) ? fth_phrase_count(fth_saturating_integer(value))
                                 : fth_phrase_ratio(value);
}

/* What a chart shows of a bin, per second. */
static const struct chart {
    const char *name, *title;
    uint64_t (*value)(const struct fth_overview_bin *bin);
    double unit; /* of the value: so many are one on the axis */
    bool binary;
    fth_frame_words *words;
} charts[] = {
    {"written", "Bytes written per second", written, 1, true, byte_rate},
    {"read", "Bytes read per second", bytes_read, 1, true, byte_rate},
    {"calls", "Calls per second", calls, 1, false, call_rate},
    {"busy-ns", "Mean number of threads in calls", busy, 1e9, false, threads},
};

/* By layer and bin; NULL: the layer has nothing of it. To be freed. */
static uint64_t **sums_of(const struct fth_overview *overview, const struct chart *chart)
{
    uint64_t **sums = fth_new(overview->classes->layer_count + 1, sizeof *sums);
    for (size_t i = 0; i < overview->lane_count; i++) {
        const struct fth_overview_lane *lane = &overview->lanes[i];
        for (size_t place = 0; place < lane->count; place++) {
            uint64_t value = chart->value(&lane->places[place].bin);
            if (!value)
                continue;
            if (!sums[lane->layer])
                sums[lane->layer] = fth_new(overview->bin_count, sizeof **sums);
            sums[lane->layer][lane->places[place].number] += value;
        }
    }
    return sums;
}

/* Per second of the bin that lies within the run. */
static double rate_of(const struct fth_overview *overview, const struct chart *chart, uint64_t sum,
                      uint32_t bin)
{
    int64_t within = fth_part_within(overview->begin, overview->bin_width, bin, overview->end);
    return within ? (double)sum / ((double)within / 1e9 * chart->unit) : 0;
}

static double most_of(const struct fth_overview *overview, const struct chart *chart,
                      uint64_t **sums)
{
    double most = 0;
    for (size_t layer = 0; layer < overview->classes->layer_count; layer++)
        for (uint32_t i = 0; sums[layer] && i < overview->bin_count; i++)
            most = fmax(most, rate_of(overview, chart, sums[layer][i], i));
    return most;
}

static void put_layer(struct fth_svg *svg, const struct fth_overview *overview,
                      const struct chart *chart, size_t layer, const uint64_t *sums,
                      const struct fth_frame_axis *time, const struct fth_frame_axis *values)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < overview->bin_count; i++)
        all += sums[i];
    const struct fth_svg_datum data[] = {{"layer", overview->classes->layers[layer], 0},
                                         {chart->name, NULL, all}};
    fth_svg_begin_data(svg, overview->classes->layers[layer], data, 2);
    fth_svg_begin_path(svg);
    for (uint32_t i = 0; i < overview->bin_count; i++) {
        double from = (double)overview->begin + (double)i * (double)overview->bin_width,
               to = from + (double)overview->bin_width,
               y = fth_frame_at(values, rate_of(overview, chart, sums[i], i));
        if (from >= time->end)
            break;
        if (i)
            fth_svg_to(svg, fth_frame_at(time, from), y);
        else
            fth_svg_move(svg, fth_frame_at(time, from), y);
        fth_svg_to(svg, fth_frame_at(time, to < time->end ? to : time->end), y);
    }
    fth_svg_end_path(svg, fth_frame_layer_colour(layer), 1.4);
    fth_svg_end_group(svg);
}

static double put_chart(struct fth_svg *svg, const struct fth_overview *overview,
                        const struct chart *chart, double y)
{
    uint64_t **sums = sums_of(overview, chart);
    double most = most_of(overview, chart, sums);
    size_t layers = overview->classes->layer_count;
    struct fth_frame_axis time = fth_frame_time(overview, FTH_FRAME_LEFT, FTH_FRAME_RIGHT),
                          values = {0, most * 1.05, y + 12 + HIGH, y + 12};
    fth_svg_begin_group(svg, chart->title);
    fth_svg_text(svg, FTH_FRAME_LEFT, y, &fth_frame_heading, chart->title, 0);
    if (most > 0) {
        fth_frame_put_times(svg, &time, y + 12, y + 12 + HIGH);
        fth_frame_put_values(svg, &values, FTH_FRAME_LEFT, FTH_FRAME_RIGHT, chart->binary,
                             chart->words);
    } else {
        fth_svg_text(svg, FTH_FRAME_LEFT, y + 20, &fth_frame_small, "none", 0);
    }
    for (size_t layer = 0; layer < layers; layer++) {
        if (sums[layer])
            put_layer(svg, overview, chart, layer, sums[layer], &time, &values);
        free(sums[layer]);
    }
    fth_svg_end_group(svg);
    free(sums);
    return most > 0 ? y + HIGH + 56 : y + 50;
}

static double put_legend(struct fth_svg *svg, const struct fth_overview *overview, double y)
{
    const struct fth_call_classes *classes = overview->classes;
    bool *used = fth_new(classes->layer_count + 1, sizeof *used);
    struct fth_frame_legend *list = fth_new(classes->layer_count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < overview->lane_count; i++)
        used[overview->lanes[i].layer] = true;
    for (size_t layer = classes->layer_count; layer-- > 0;)
        if (used[layer])
            list[count++] = (struct fth_frame_legend){fth_frame_layer_colour(layer),
                                                      fth_text_copy(classes->layers[layer])};
    y = fth_frame_put_legend(svg, list, count, y);
    free(list);
    free(used);
    return y;
}

static double draw(struct fth_svg *svg, const struct fth_pictured *pictured, double y)
{
    struct fth_overview *overview = fth_overview_coarse(pictured->view->overview, MOST_BINS);
    if (overview->lane_count) {
        y = put_legend(svg, overview, y + 10) + 14;
        for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
            y = put_chart(svg, overview, &charts[i], y);
    } else {
        y = fth_frame_put_nothing(svg, "There are no calls to show.", y);
    }
    fth_overview_free(overview);
    return y;
}

const struct fth_picture_kind fth_picture_rates = {
    "rates", "Rates over time",
    "All threads together, by layer. A layer counts what passes through it: the bytes of a library "
    "are those of the calls below it once more.",
    draw};
