/* Words for people. */
#include "views/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <wchar.h>

#define SECOND INT64_C(1000000000)

/* Three digits that mean something: 1.23, 12.3, 123. */
static struct fth_phrase three_digits(double value, const char *unit)
{
    struct fth_phrase phrase;
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(phrase.text, sizeof phrase.text, "%.*f%s", decimals, value, unit);
    return phrase;
}

struct fth_phrase fth_views_bytes(uint64_t bytes)
{
    static const char *const units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    struct fth_phrase phrase;
    if (bytes < 1024) {
        snprintf(phrase.text, sizeof phrase.text, "%" PRIu64 " B", bytes);
        return phrase;
    }
    double value = (double)bytes;
    size_t unit = 0;
    /* 999.5 KiB would round to four digits: it is 0.98 MiB. */
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    return three_digits(value, units[unit]);
}

struct fth_phrase fth_views_duration(int64_t ns)
{
    struct fth_phrase phrase;
    int64_t seconds = (ns + SECOND / 2) / SECOND;
    if (ns < 0) {
        phrase = fth_views_duration(ns == INT64_MIN ? INT64_MAX : -ns);
        memmove(phrase.text + 1, phrase.text, sizeof phrase.text - 1);
        phrase.text[0] = '-';
        return phrase;
    }
    if (seconds >= 3600)
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64 " h %02" PRId64 " min", seconds / 3600,
                 seconds / 60 % 60);
    else if (seconds >= 120)
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64 " min %02" PRId64 " s", seconds / 60,
                 seconds % 60);
    else if (ns >= 999500000)
        return three_digits((double)ns / 1e9, " s");
    else if (ns >= 999500)
        return three_digits((double)ns / 1e6, " ms");
    else if (ns >= 1000)
        return three_digits((double)ns / 1e3, " us");
    else
        snprintf(phrase.text, sizeof phrase.text, ns ? "%" PRId64 " ns" : "0", ns);
    return phrase;
}

struct fth_phrase fth_views_count(int64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, count);
    int first = digits[0] == '-', at = 0;
    struct fth_phrase phrase;
    for (int i = 0; i < length; i++) {
        if (i > first && (length - i) % 3 == 0)
            phrase.text[at++] = ',';
        phrase.text[at++] = digits[i];
    }
    phrase.text[at] = 0;
    return phrase;
}

struct fth_phrase fth_views_percent(double percent)
{
    struct fth_phrase phrase;
    const char *format = percent == 0 ? "0 %%" : percent < 0.05 ? "<0.1 %%" : "%.1f %%";
    snprintf(phrase.text, sizeof phrase.text, format, percent);
    return phrase;
}

struct fth_phrase fth_views_ratio(double ratio)
{
    if (ratio < 0.095 && ratio > 0) {
        struct fth_phrase phrase;
        snprintf(phrase.text, sizeof phrase.text, "%.2g", ratio);
        return phrase;
    }
    return three_digits(ratio, "");
}

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

struct fth_phrase fth_views_several(uint64_t count, const char *one, const char *many)
{
    struct fth_phrase number = fth_views_count((int64_t)count), phrase;
    snprintf(phrase.text, sizeof phrase.text, "%.26s %.12s", number.text, count == 1 ? one : many);
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

/* One character of a text as it is shown: bytes taken, columns used, and how it is escaped (0: not
 * at all, 'x': \xff). */
struct glyph {
    size_t length, width;
    char escape;
};

static struct glyph look(const char *text, size_t left)
{
    unsigned char byte = (unsigned char)text[0];
    size_t length = fth_utf8_length(text, left);
    if (length == 1 && byte >= 0x20 && byte != 0x7f)
        return (struct glyph){1, 1, 0};
    if (length < 2) {
        const char *found = strchr("\nn\tt\rr", byte);
        return found && byte ? (struct glyph){1, 2, found[1]} : (struct glyph){1, 4, 'x'};
    }
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    wchar_t character = byte & lead_mask[length];
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (text[i] & 0x3f);
    if (character < 0xa0) /* C1 controls */
        return (struct glyph){1, 4, 'x'};
    int width = wcwidth(character);
    return (struct glyph){length, width < 0 ? 1 : (size_t)width, 0};
}

static void put_glyph(struct fth_sink *sink, const char *text, struct glyph glyph)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char byte = (unsigned char)*text;
    if (!glyph.escape) {
        fth_sink_bytes(sink, text, glyph.length);
        return;
    }
    char escaped[] = {'\\', glyph.escape, hex[byte >> 4], hex[byte & 15]};
    fth_sink_bytes(sink, escaped, glyph.escape == 'x' ? 4 : 2);
}

size_t fth_views_width(const char *text)
{
    size_t left = strlen(text), width = 0;
    while (left) {
        struct glyph glyph = look(text, left);
        width += glyph.width;
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
        struct glyph glyph = look(text, left);
        bool in_head = column + glyph.width <= head, in_tail = whole - column <= tail;
        if (!in_head && !dotted) {
            fth_sink_text(sink, dots);
            taken += dots_width;
            dotted = true;
        }
        if (in_head || in_tail) {
            put_glyph(sink, text, glyph);
            taken += glyph.width;
        }
        column += glyph.width;
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
        struct glyph glyph = look(text, left);
        if (*text == '"' || *text == '\\')
            fth_sink_char(sink, '\\');
        put_glyph(sink, text, glyph);
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
    fth_sink_char(sink, '\'');
    for (const char *at = text; *at; at++)
        if (*at == '\'')
            fth_sink_text(sink, "'\\''");
        else
            fth_sink_char(sink, *at);
    fth_sink_char(sink, '\'');
}
