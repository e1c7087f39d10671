/* Words for people. */
#include "views/output/display_text.h"

#include "base/visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <wchar.h>

#define SECOND INT64_C(1000000000)

static void split(int64_t ns, time_t *seconds, int64_t *rest)
{
    *seconds = ns / SECOND;
    *rest = ns % SECOND;
    if (*rest < 0) {
        *rest += SECOND;
        --*seconds;
    }
}

struct fth_phrase fth_views_date(int64_t ns)
{
    struct fth_phrase phrase;
    struct tm date;
    time_t seconds;
    int64_t rest;
    split(ns, &seconds, &rest);
    gmtime_r(&seconds, &date);
    size_t length = strftime(phrase.text, sizeof phrase.text, "%Y-%m-%dT%H:%M:%S", &date);
    snprintf(phrase.text + length, sizeof phrase.text - length, ".%09" PRId64 "Z", rest);
    return phrase;
}

struct fth_phrase fth_views_local_date(int64_t ns)
{
    struct fth_phrase phrase;
    struct tm date;
    time_t seconds;
    int64_t rest;
    split(ns, &seconds, &rest);
    localtime_r(&seconds, &date);
    strftime(phrase.text, sizeof phrase.text, "%Y-%m-%d %H:%M:%S %z", &date);
    return phrase;
}

void fth_views_put_duration(struct fth_sink *sink, int64_t ns)
{
    static const struct {
        int64_t size;
        const char *name;
    } units[] = {{1, "ns"}, {1000, "us"}, {1000000, "ms"}, {1000000000, "s"}};
    size_t unit = 0;
    while (unit < 3 && ns >= 1000 * units[unit].size)
        unit++;
    int64_t size = units[unit].size;
    unsigned decimals = size == 1 || ns >= 100 * size ? 0 : ns >= 10 * size ? 1 : 2;
    int64_t scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    fth_sink_decimal(sink, decimals ? ns / (size / scale) : ns / size, decimals);
    fth_sink_text(sink, units[unit].name);
}

/* Columns that a character takes as it is shown. */
static size_t width_of(struct fth_glyph glyph)
{
    int width = glyph.escape == 'x' ? 4 : glyph.escape ? 2 : wcwidth((wchar_t)glyph.character);
    return width < 0 ? 1 : (size_t)width;
}

size_t fth_views_width(const char *text)
{
    size_t left = strlen(text), width = 0;
    while (left) {
        struct fth_glyph glyph = fth_glyph_of(text, left);
        width += width_of(glyph);
        text += glyph.length;
        left -= glyph.length;
    }
    return width;
}

size_t fth_views_put_text(struct fth_sink *sink, const char *text, size_t width, enum fth_cut cut,
                          bool unicode)
{
    size_t whole = fth_views_width(text), left = strlen(text);
    const char *dots = unicode ? "…" : "...";
    size_t dots_width = unicode ? 1 : 3;
    bool dotted = !width || whole <= width;
    size_t head = whole, tail = 0;
    if (!dotted) {
        size_t room = width > dots_width ? width - dots_width : 0;
        /* The end of a path says more than its beginning: it gets two thirds. */
        head = cut == FTH_CUT_END ? room : room / 3;
        tail = room - head;
    }
    size_t column = 0, taken = 0;
    while (left) {
        struct fth_glyph glyph = fth_glyph_of(text, left);
        bool in_head = column + width_of(glyph) <= head, in_tail = whole - column <= tail;
        if (!in_head && !dotted) {
            fth_sink_text(sink, dots);
            taken += dots_width;
            dotted = true;
        }
        if (in_head || in_tail) {
            fth_glyph_put(sink, text, glyph);
            taken += width_of(glyph);
        }
        column += width_of(glyph);
        text += glyph.length;
        left -= glyph.length;
    }
    return taken;
}

void fth_views_put_quoted(struct fth_sink *sink, const char *text)
{
    size_t left = strlen(text);
    fth_sink_char(sink, '"');
    while (left) {
        struct fth_glyph glyph = fth_glyph_of(text, left);
        if (*text == '"' || *text == '\\')
            fth_sink_char(sink, '\\');
        fth_glyph_put(sink, text, glyph);
        text += glyph.length;
        left -= glyph.length;
    }
    fth_sink_char(sink, '"');
}

void fth_views_put_argument(struct fth_sink *sink, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=:,+@%^";
    if (*text && !text[strspn(text, plain)]) {
        fth_sink_text(sink, text);
        return;
    }
    bool hides = false; /* $'...' has escapes */
    for (size_t at = 0, left = strlen(text); left - at;) {
        struct fth_glyph glyph = fth_glyph_of(text + at, left - at);
        hides |= glyph.escape != 0;
        at += glyph.length;
    }
    fth_sink_text(sink, hides ? "$'" : "'");
    for (size_t left = strlen(text); left;) {
        struct fth_glyph glyph = fth_glyph_of(text, left);
        if (*text == '\'')
            fth_sink_text(sink, hides ? "\\'" : "'\\''");
        else if (*text == '\\' && hides)
            fth_sink_text(sink, "\\\\");
        else
            fth_glyph_put(sink, text, glyph);
        text += glyph.length;
        left -= glyph.length;
    }
    fth_sink_char(sink, '\'');
}
