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
    if (!count)
        return;                                /* there may be no bytes, and no buffer */
    if (count < sink->capacity - sink->used) { /* most often */
        memcpy(sink->bytes + sink->used, bytes, count);
        sink->used += count;
        return;
    }
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

enum { MOST_DIGITS = 20 };

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

static const uint64_t powers[MOST_DIGITS] = {
    0, /* 0 has a digit, too */
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
    10000000000000000000u,
};

static size_t count_digits(uint64_t value)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    unsigned least = bits * 1233 >> 12; /* bits * log10(2): the power of ten that may be larger */
    return least + (value >= powers[least]);
}

void fth_sink_unsigned(struct fth_sink *sink, uint64_t value)
{
    size_t count = count_digits(value);
    if (sink->capacity - sink->used >= count) { /* in place */
        sink->used += count;
        digits(sink->bytes + sink->used, value);
        return;
    }
    char text[MOST_DIGITS], *end = text + MOST_DIGITS;
    fth_sink_bytes(sink, digits(end, value), count);
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
    if (!decimals) {
        fth_sink_integer(sink, value);
        return;
    }
    /* Most are nanoseconds: to divide by a number that the compiler knows is faster. */
    uint64_t rest = magnitude(value);
    uint64_t whole = decimals == 9 ? rest / 1000000000 : rest / powers[decimals];
    if (value < 0)
        fth_sink_char(sink, '-');
    fth_sink_unsigned(sink, whole);
    fth_sink_char(sink, '.');
    char *room = fth_sink_room(sink, decimals);
    if (!room)
        return;
    memset(room, '0', decimals);
    digits(room + decimals, rest - whole * powers[decimals]);
    sink->used += decimals;
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
