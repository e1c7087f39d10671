/* Sinks: a buffer that is drained when it is full, and numbers written without printf. */
#include "base/sink.h"

#include <stdlib.h>

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

void fth_sink_open(struct fth_sink *sink, char *bytes, size_t capacity)
{
    *sink = (struct fth_sink){.bytes = bytes, .capacity = capacity};
}

static bool grow(struct fth_sink *sink)
{
    size_t capacity = sink->capacity ? sink->capacity * 2 : 4096;
    char *bytes = realloc(sink->bytes, capacity);
    if (!bytes)
        return false;
    sink->bytes = bytes;
    sink->capacity = capacity;
    return true;
}

void fth_sink_open_memory(struct fth_sink *sink)
{
    *sink = (struct fth_sink){.drain = grow};
}

void fth_sink_close_memory(struct fth_sink *sink)
{
    free(sink->bytes);
    *sink = (struct fth_sink){0};
}

bool fth_sink_flush(struct fth_sink *sink)
{
    if (!sink->failed && sink->used && sink->drain && !sink->drain(sink))
        sink->failed = true;
    return !sink->failed;
}

char *fth_sink_make_room(struct fth_sink *sink, size_t count)
{
    if (!sink->failed && (!sink->drain || !sink->drain(sink)))
        sink->failed = true;
    /* Nobody will read what a failed sink holds: its buffer is where the rest is dropped. */
    if (sink->failed)
        sink->used = 0;
    return sink->capacity - sink->used >= count ? sink->bytes + sink->used : NULL;
}

void fth_sink_bytes(struct fth_sink *sink, const char *bytes, size_t count)
{
    while (count) {
        size_t room = sink->capacity - sink->used;
        if (!room) {
            if (!fth_sink_make_room(sink, 1) || sink->failed)
                return;
            continue;
        }
        size_t piece = count < room ? count : room;
        memcpy(sink->bytes + sink->used, bytes, piece);
        sink->used += piece;
        bytes += piece;
        count -= piece;
    }
}

void fth_sink_fill(struct fth_sink *sink, char byte, size_t count)
{
    while (count-- && !sink->failed)
        fth_sink_char(sink, byte);
}

/* Writes the digits of `value` so that they end before `end`; returns where they begin. */
static char *digits(char *end, uint64_t value)
{
    while (value >= 100) {
        end -= 2;
        memcpy(end, digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, digit_pairs + 2 * value, 2);
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

void fth_sink_unsigned(struct fth_sink *sink, uint64_t value)
{
    char text[20];
    char *start = digits(text + sizeof text, value);
    fth_sink_bytes(sink, start, (size_t)(text + sizeof text - start));
}

/* Also right for INT64_MIN, whose negation does not fit. */
static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void fth_sink_integer(struct fth_sink *sink, int64_t value)
{
    if (value < 0)
        fth_sink_char(sink, '-');
    fth_sink_unsigned(sink, magnitude(value));
}

void fth_sink_octal(struct fth_sink *sink, uint64_t value)
{
    char text[22];
    char *start = text + sizeof text;
    do
        *--start = (char)('0' + (value & 7));
    while (value >>= 3);
    fth_sink_bytes(sink, start, (size_t)(text + sizeof text - start));
}

void fth_sink_decimal(struct fth_sink *sink, int64_t value, unsigned decimals)
{
    char text[24];
    char *end = text + sizeof text, *start = digits(end, magnitude(value));
    char *point = end - decimals;
    if (value < 0)
        fth_sink_char(sink, '-');
    if (start >= point) {
        fth_sink_text(sink, "0.");
        fth_sink_fill(sink, '0', (size_t)(start - point));
        fth_sink_bytes(sink, start, (size_t)(end - start));
        return;
    }
    fth_sink_bytes(sink, start, (size_t)(point - start));
    if (decimals) {
        fth_sink_char(sink, '.');
        fth_sink_bytes(sink, point, decimals);
    }
}

size_t fth_utf8_length(const char *text, size_t left)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (!left)
        return 0;
    if (byte[0] < 0x80)
        return 1;
    size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    if (byte[0] < 0xc2 || byte[0] > 0xf4 || left < length)
        return 0;
    /* RFC 3629, section 4: the second byte rules out overlong forms, surrogates and what is beyond
     * U+10FFFF. */
    unsigned char low = byte[0] == 0xe0 ? 0xa0 : byte[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = byte[0] == 0xed ? 0x9f : byte[0] == 0xf4 ? 0x8f : 0xbf;
    if (byte[1] < low || byte[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    return length;
}
