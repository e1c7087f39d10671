/* Pictures of counters. */
#include "views/pages/counter_curve.h"

#include "views/output/display_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const ascii[] = {" ", ".", ".", ":", ":", "-", "=", "#", "#"};
enum { EIGHTHS = 8, LABEL = 12 };

/* ---- parts of the time ---- */

static double overlap(double from, double to, double other_from, double other_to)
{
    double start = from > other_from ? from : other_from, end = to < other_to ? to : other_to;
    return end > start ? end - start : 0;
}

static void add_sample(struct fth_timeline *timeline, double *weights,
                       const struct fth_sample *sample)
{
    double width = (double)(timeline->end - timeline->start) / (double)timeline->count;
    double from = (double)(sample->start - timeline->start) / width,
           to = (double)(sample->end - timeline->start) / width;
    size_t first = from > 0 ? (size_t)from : 0;
    for (size_t i = first; i < timeline->count && (double)i < to; i++) {
        double weight = overlap(from, to, (double)i, (double)i + 1);
        if (weight <= 0)
            continue;
        if (weights[i] == 0 || sample->most > timeline->most[i])
            timeline->most[i] = sample->most;
        timeline->mean[i] += weight * sample->mean;
        weights[i] += weight;
    }
}

void fth_views_timeline(struct fth_timeline *timeline, const struct fth_trace *trace,
                        size_t counter, size_t count)
{
    const struct fth_counter *facts = fth_trace_counter(trace, counter);
    const struct fth_sampling_info *sampling = fth_trace_sampling(trace, facts->sampling);
    double weights[FTH_LONGEST_TIMELINE] = {0};
    *timeline = (struct fth_timeline){.start = sampling->start,
                                      .end = sampling->end > sampling->start ? sampling->end
                                                                             : sampling->start + 1};
    timeline->count = count < FTH_LONGEST_TIMELINE ? count : FTH_LONGEST_TIMELINE;
    struct fth_samples_reader *reader = fth_samples_open(trace, counter);
    struct fth_sample sample;
    while (fth_samples_next(reader, &sample))
        add_sample(timeline, weights, &sample);
    fth_samples_close(reader);
    for (size_t i = 0; i < timeline->count; i++) {
        timeline->mean[i] = weights[i] > 0 ? timeline->mean[i] / weights[i] : NAN;
        timeline->most[i] = weights[i] > 0 ? timeline->most[i] : NAN;
    }
}

static double largest(const struct fth_timeline *timeline)
{
    double most = 0;
    for (size_t i = 0; i < timeline->count; i++)
        most = timeline->mean[i] > most ? timeline->mean[i] : most;
    return most;
}

/* ---- lines ---- */

/* What is not quite nothing is seen. */
static unsigned eighths(double value, double whole)
{
    double share = whole > 0 ? value / whole * EIGHTHS : 0;
    if (!(share > 0))
        return 0;
    return share >= EIGHTHS ? EIGHTHS : share < 1 ? 1 : (unsigned)(share + 0.5);
}

void fth_views_sparkline(const struct fth_timeline *timeline, char *text)
{
    double whole = largest(timeline);
    *text = 0;
    for (size_t i = 0; i < timeline->count; i++)
        text =
            stpcpy(text, blocks[isnan(timeline->mean[i]) ? 0 : eighths(timeline->mean[i], whole)]);
}

/* Block characters are for terminals: a pipe or a file gets plain ones. */
static bool has_blocks(const struct fth_output *output)
{
    return output->style.unicode && output->style.width;
}

void fth_views_spark(struct fth_output *output, const struct fth_timeline *timeline)
{
    const char *const *marks = has_blocks(output) ? blocks : ascii;
    double whole = largest(timeline);
    fth_views_paint(output, FTH_PAINT_BAR);
    for (size_t i = 0; i < timeline->count; i++)
        fth_sink_text(&output->sink, marks[eighths(timeline->mean[i], whole)]);
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_row(struct fth_output *output, const struct fth_timeline *timeline, double from,
                    double height)
{
    const char *const *marks = has_blocks(output) ? blocks : ascii;
    fth_views_paint(output, FTH_PAINT_BAR);
    for (size_t i = 0; i < timeline->count; i++) {
        double value = timeline->mean[i] - from;
        bool lowest = from <= 0;
        unsigned filled = value >= height ? EIGHTHS
                          : value <= 0    ? 0
                                          : (unsigned)(value / height * EIGHTHS + 0.5);
        if (lowest && filled == 0 && timeline->mean[i] > 0)
            filled = 1;
        fth_sink_text(&output->sink, marks[isnan(timeline->mean[i]) ? 0 : filled]);
    }
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

static void put_axis(struct fth_output *output, const struct fth_timeline *timeline)
{
    struct fth_phrase start = fth_phrase_duration(timeline->start),
                      end = fth_phrase_duration(timeline->end);
    size_t taken = strlen(start.text) + strlen(end.text);
    fth_sink_fill(&output->sink, ' ', LABEL + 2);
    fth_views_print(output, "%s", start.text);
    fth_sink_fill(&output->sink, ' ', timeline->count > taken ? timeline->count - taken : 1);
    fth_views_print(output, "%s\n", end.text);
}

void fth_views_picture(struct fth_output *output, const struct fth_timeline *timeline,
                       size_t height,
                       void (*label)(char *text, size_t size, double value, const void *context),
                       const void *context)
{
    double whole = largest(timeline), step = whole / (double)height;
    for (size_t row = height; row-- > 0;) {
        char text[40] = "";
        if (row + 1 == height)
            label(text, sizeof text, whole, context);
        else if (row == 0)
            label(text, sizeof text, 0, context);
        fth_views_print(output, "%*s %s", LABEL, text, has_blocks(output) ? "│" : "|");
        put_row(output, timeline, (double)row * step, step);
    }
    put_axis(output, timeline);
}
