/* Words for people. */
#include "views/words.h"

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
    bool turns = (character >= 0x202a && character <= 0x202e) ||
                 (character >= 0x2066 && character <= 0x2069); /* the direction of what follows */
    if (character < 0xa0 /* C1 controls */ || turns)
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
