/* Axes with round numbers, legends, and the names of threads as the page has them. */
#include "views/pictures/frame.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fth_svg_font fth_frame_small = {11, FTH_PAPER_TEXT, FTH_SVG_START, false},
                          fth_frame_quiet = {11, FTH_PAPER_QUIET, FTH_SVG_START, false},
                          fth_frame_heading = {13, FTH_PAPER_TEXT, FTH_SVG_START, true};

const char *fth_frame_layer_colour(size_t layer)
{
    static const char *const colours[] = FTH_PALETTE_COLOURS;
    return colours[layer % (sizeof colours / sizeof *colours)];
}

/* ---- axes ---- */

/* More than fit. Steps may be less than what a double of that size separates, where times are
 * those of a trace that somebody made. */
enum { MOST_TICKS = 64 };

struct fth_frame_axis fth_frame_time(const struct fth_overview *overview, double from, double to)
{
    double begin = (double)overview->begin, end = (double)overview->end;
    return (struct fth_frame_axis){begin, end > begin ? end : begin + 1, from, to};
}

/* 1, 2 or 5 times a power of ten; of bytes powers of two. */
static double round_step(double least, bool binary)
{
    if (binary)
        return exp2(ceil(log2(least > 1 ? least : 1)));
    double power = pow(10, floor(log10(least)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}

/* "1.25 s" with as many digits as the step needs. */
static struct fth_phrase time_text(double time, double step)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    struct fth_phrase phrase;
    size_t unit = 0;
    while (unit < 3 && fabs(time) < units[unit].size)
        unit++;
    int digits = (int)ceil(log10(units[unit].size / step) - 1e-9);
    snprintf(phrase.text, sizeof phrase.text, "%.*f %s",
             digits < 0   ? 0
             : digits > 9 ? 9
                          : digits,
             time / units[unit].size, units[unit].name);
    return phrase;
}

void fth_frame_put_times(struct fth_svg *svg, const struct fth_frame_axis *axis, double top,
                         double bottom)
{
    const double apart = 100;
    struct fth_svg_font font = fth_frame_quiet;
    font.anchor = FTH_SVG_MIDDLE;
    double step = round_step((axis->end - axis->begin) * apart / (axis->to - axis->from), false);
    for (int i = 0; i < MOST_TICKS; i++) {
        double number = ceil(axis->begin / step) + i, x = fth_frame_at(axis, number * step);
        if (number * step > axis->end)
            return;
        fth_svg_line(svg, x, top, x, bottom + 4, FTH_PAPER_LINE);
        fth_svg_text(svg, x, bottom + 16, &font,
                     number == 0 ? "0" : time_text(number * step, step).text, 0);
    }
}

void fth_frame_put_values(struct fth_svg *svg, const struct fth_frame_axis *axis, double left,
                          double right, bool binary, fth_frame_words *words)
{
    const double apart = 30;
    struct fth_svg_font font = fth_frame_quiet;
    font.anchor = FTH_SVG_END;
    double step =
        round_step((axis->end - axis->begin) * apart / fabs(axis->to - axis->from), binary);
    for (int i = 0; i < MOST_TICKS; i++) {
        double number = ceil(axis->begin / step) + i, y = fth_frame_at(axis, number * step);
        if (number * step > axis->end)
            return;
        fth_svg_line(svg, left, y, right, y, FTH_PAPER_LINE);
        fth_svg_text(svg, left - 6, y + 4, &font, words(number * step).text, 0);
    }
}

struct fth_phrase fth_frame_bytes(double value)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    struct fth_phrase phrase;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(phrase.text, sizeof phrase.text, "%.4g %s", value, units[unit]);
    return phrase;
}

/* ---- legends and names ---- */

double fth_frame_put_legend(struct fth_svg *svg, struct fth_frame_legend *list, size_t count,
                            double y)
{
    const double most = 300, swatch = 10, line = 17;
    double x = FTH_FRAME_LEFT;
    for (size_t i = 0; i < count; i++) {
        double wide = fth_svg_text_width(list[i].name, fth_frame_small.size);
        wide = wide > most ? most : wide;
        if (x > FTH_FRAME_LEFT && x + swatch + 5 + wide > FTH_FRAME_RIGHT) {
            x = FTH_FRAME_LEFT;
            y += line;
        }
        fth_svg_rect(svg, x, y - 9, swatch, swatch, list[i].colour, 1);
        fth_svg_text(svg, x + swatch + 5, y, &fth_frame_small, list[i].name, wide + 1);
        x += swatch + wide + 22;
        free(list[i].name);
    }
    return y + line;
}

double fth_frame_put_nothing(struct fth_svg *svg, const char *text, double y)
{
    fth_svg_text(svg, 20, y + 20, &fth_frame_small, text, 0);
    return y + 40;
}

double fth_frame_put_note(struct fth_svg *svg, double x, char *note, double y)
{
    fth_svg_text(svg, x, y, &fth_frame_quiet, note, 0);
    free(note);
    return y + 16;
}

/* "3", "1.3" of another world; a number of a process where it has no rank. */
static struct fth_phrase number_of(const struct fth_trace *trace, uint32_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    struct fth_phrase phrase;
    if (process->rank == FTH_NO_RANK)
        snprintf(phrase.text, sizeof phrase.text, "%" PRIu32, proc);
    else if (process->world)
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64 ".%" PRId64, (int64_t)process->world,
                 (int64_t)process->rank);
    else
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64, (int64_t)process->rank);
    return phrase;
}

static const char *word_of(const struct fth_trace *trace, uint32_t proc)
{
    return fth_trace_process(trace, proc)->rank == FTH_NO_RANK ? "proc" : "rank";
}

char *fth_frame_row_name(const struct fth_trace *trace, uint32_t proc, uint32_t thread)
{
    const char *executable = fth_trace_process(trace, proc)->executable,
               *slash = strrchr(executable, '/'), *word = word_of(trace, proc);
    if (thread)
        return fth_text_format("%s %s, thread %" PRIu32, word, number_of(trace, proc).text, thread);
    return fth_text_format("%s %s %s", word, number_of(trace, proc).text,
                           slash ? slash + 1 : executable);
}

char *fth_frame_rows_name(const struct fth_trace *trace, uint32_t first, uint32_t last)
{
    const char *word = word_of(trace, first), *other = word_of(trace, last);
    bool same = !strcmp(word, other);
    return fth_text_format("%s %s to %s%s%s", word, number_of(trace, first).text, same ? "" : other,
                           same ? "" : " ", number_of(trace, last).text);
}
