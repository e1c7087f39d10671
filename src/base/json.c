/* The JSON writer. Two flags place commas and line ends: `comma` is cleared by an opening bracket
 * and set by a value and by a closing bracket; `after_key` is set by a key and cleared by its
 * value. */
#include "base/json.h"

#include "base/visible.h"

#include <math.h>

void fth_json_open(struct fth_json *json, struct fth_sink *sink, unsigned line_depth)
{
    *json = (struct fth_json){.sink = sink, .line_depth = line_depth};
}

void fth_json_end_document(struct fth_json *json)
{
    fth_sink_char(json->sink, '\n');
    json->comma = false;
}

static void new_line(struct fth_json *json)
{
    fth_sink_char(json->sink, '\n');
    fth_sink_fill(json->sink, ' ', 2 * (size_t)json->depth);
}

/* What stands between the previous item and the next. */
static void next_item(struct fth_json *json)
{
    if (json->comma)
        fth_sink_char(json->sink, ',');
    if (json->depth && json->depth <= json->line_depth)
        new_line(json);
    else if (json->comma && json->line_depth)
        fth_sink_char(json->sink, ' ');
}

static void next_value(struct fth_json *json)
{
    if (!json->after_key)
        next_item(json);
    json->after_key = false;
    json->comma = true;
}

static void begin(struct fth_json *json, char bracket)
{
    next_value(json);
    fth_sink_char(json->sink, bracket);
    json->depth++;
    json->comma = false;
}

static void end(struct fth_json *json, char bracket)
{
    bool lines = json->comma && json->depth <= json->line_depth;
    json->depth--;
    if (lines)
        new_line(json);
    fth_sink_char(json->sink, bracket);
    json->comma = true;
}

void fth_json_begin_object(struct fth_json *json)
{
    begin(json, '{');
}

void fth_json_end_object(struct fth_json *json)
{
    end(json, '}');
}

void fth_json_begin_array(struct fth_json *json)
{
    begin(json, '[');
}

void fth_json_end_array(struct fth_json *json)
{
    end(json, ']');
}

/* Returns how many bytes it has put. Of what is no UTF-8 each byte is taken for a character. */
static size_t escape(struct fth_sink *sink, const char *text, size_t left)
{
    static const char hex[] = "0123456789abcdef";
    size_t length = fth_utf8_length(text, left);
    uint32_t character = length > 1 ? fth_utf8_character(text, length) : (unsigned char)*text;
    const char *found = length == 1 && *text ? strchr("\"\"\\\\\bb\ff\nn\rr\tt", *text) : NULL;
    char escaped[] = {'\\',
                      'u',
                      hex[character >> 12 & 15],
                      hex[character >> 8 & 15],
                      hex[character >> 4 & 15],
                      hex[character & 15]};
    if (!found) {
        fth_sink_bytes(sink, escaped, sizeof escaped);
        return length ? length : 1;
    }
    escaped[1] = found[1];
    fth_sink_bytes(sink, escaped, 2);
    return 1;
}

char *fth_json_visible(const char *json)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    for (size_t left = strlen(json), length; left; json += length, left -= length) {
        struct fth_glyph glyph = fth_glyph_of(json, left);
        length = glyph.length;
        if (glyph.escape == 'x')
            length = escape(&sink, json, left);
        else
            fth_sink_bytes(&sink, json, length);
    }
    char *made = sink.failed ? NULL : strndup(sink.bytes ? sink.bytes : "", sink.used);
    fth_sink_close_memory(&sink);
    return made;
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static void quote(struct fth_sink *sink, const char *text, size_t length)
{
    fth_sink_char(sink, '"');
    size_t at = 0;
    while (at < length) {
        size_t run = at, step;
        for (; run < length; run += step) {
            step = 1;
            if (is_plain((unsigned char)text[run]))
                continue;
            struct fth_glyph glyph = fth_glyph_of(text + run, length - run);
            step = glyph.length;
            if (glyph.escape || step < 2)
                break;
        }
        fth_sink_bytes(sink, text + at, run - at);
        if (run < length)
            run += escape(sink, text + run, length - run);
        at = run;
    }
    fth_sink_char(sink, '"');
}

void fth_json_key(struct fth_json *json, const char *key)
{
    next_item(json);
    quote(json->sink, key, strlen(key));
    fth_sink_bytes(json->sink, ": ", json->line_depth ? 2 : 1);
    json->after_key = true;
}

void fth_json_null(struct fth_json *json)
{
    fth_json_raw(json, "null");
}

void fth_json_boolean(struct fth_json *json, bool value)
{
    fth_json_raw(json, value ? "true" : "false");
}

void fth_json_integer(struct fth_json *json, int64_t value)
{
    next_value(json);
    fth_sink_integer(json->sink, value);
}

void fth_json_unsigned(struct fth_json *json, uint64_t value)
{
    next_value(json);
    fth_sink_unsigned(json->sink, value);
}

void fth_json_seconds(struct fth_json *json, int64_t nanoseconds)
{
    next_value(json);
    fth_sink_decimal(json->sink, nanoseconds, 9);
}

void fth_json_number(struct fth_json *json, double value)
{
    if (!isfinite(value)) {
        fth_json_null(json);
        return;
    }
    next_value(json);
    if (signbit(value) && value != 0)
        fth_sink_char(json->sink, '-');
    value = fabs(value);
    /* 2^63 ns are 9.2e9 s: below it the value is a whole number of 1e-9 that fits; above it, digits
     * and an exponent. */
    int exponent = 0;
    while (value >= 9.2e9) {
        value /= 10;
        exponent++;
    }
    fth_sink_decimal(json->sink, (int64_t)(value * 1e9 + 0.5), 9);
    if (exponent) {
        fth_sink_char(json->sink, 'e');
        fth_sink_integer(json->sink, exponent);
    }
}

void fth_json_text(struct fth_json *json, const char *text)
{
    if (text)
        fth_json_bytes(json, text, strlen(text));
    else
        fth_json_null(json);
}

void fth_json_bytes(struct fth_json *json, const char *text, size_t length)
{
    next_value(json);
    quote(json->sink, text, length);
}

void fth_json_raw(struct fth_json *json, const char *value)
{
    next_value(json);
    fth_sink_text(json->sink, value);
}

void fth_json_key_boolean(struct fth_json *json, const char *key, bool value)
{
    fth_json_key(json, key);
    fth_json_boolean(json, value);
}

void fth_json_key_integer(struct fth_json *json, const char *key, int64_t value)
{
    fth_json_key(json, key);
    fth_json_integer(json, value);
}

void fth_json_key_unsigned(struct fth_json *json, const char *key, uint64_t value)
{
    fth_json_key(json, key);
    fth_json_unsigned(json, value);
}

void fth_json_key_seconds(struct fth_json *json, const char *key, int64_t nanoseconds)
{
    fth_json_key(json, key);
    fth_json_seconds(json, nanoseconds);
}

void fth_json_key_number(struct fth_json *json, const char *key, double value)
{
    fth_json_key(json, key);
    fth_json_number(json, value);
}

void fth_json_key_text(struct fth_json *json, const char *key, const char *text)
{
    fth_json_key(json, key);
    fth_json_text(json, text);
}
