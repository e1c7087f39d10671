/* Packing of integers. */
#include "export/parquet/encodings.h"

enum {
    BLOCK = 128, /* differences with one minimum */
    MINI = 32,   /* with one width */
    MINIS = BLOCK / MINI,
    GROUP = 8, /* values that are packed together in the hybrid */
};

unsigned fth_parquet_width(uint64_t number)
{
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* `count` values of `width` bits, the lowest bits first; count * width is a multiple of 8. */
static void pack(struct fth_bytes *to, const uint64_t *values, size_t count, unsigned width)
{
    uint8_t *at = fth_bytes_room(to, count * width / 8 + 1);
    unsigned __int128 held = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < count; i++) {
        held |= (unsigned __int128)values[i] << bits;
        for (bits += width; bits >= 8; bits -= 8) {
            *at++ = (uint8_t)held;
            held >>= 8;
        }
    }
    to->length = (size_t)(at - to->data);
}

/* ---- differences ---- */

static int64_t wrapped(uint64_t value, unsigned bits)
{
    return bits == 32 ? (int32_t)(uint32_t)value : (int64_t)value;
}

static void put_block(struct fth_bytes *to, const int64_t *values, size_t count, unsigned bits)
{
    uint64_t mask = bits == 32 ? UINT32_MAX : UINT64_MAX, packed[BLOCK] = {0};
    int64_t least = INT64_MAX;
    uint8_t widths[MINIS] = {0};
    for (size_t i = 0; i < count; i++) {
        int64_t delta = wrapped((uint64_t)values[i] - (uint64_t)values[(ptrdiff_t)i - 1], bits);
        packed[i] = (uint64_t)delta;
        if (delta < least)
            least = delta;
    }
    fth_bytes_signed(to, least);
    for (size_t mini = 0; mini < MINIS && mini * MINI < count; mini++) {
        uint64_t all = 0;
        for (size_t i = mini * MINI; i < (mini + 1) * MINI && i < count; i++)
            all |= packed[i] = (packed[i] - (uint64_t)least) & mask;
        widths[mini] = (uint8_t)fth_parquet_width(all);
    }
    fth_bytes_put(to, widths, sizeof widths);
    for (size_t mini = 0; mini < MINIS && mini * MINI < count; mini++)
        pack(to, packed + mini * MINI, MINI, widths[mini]);
}

void fth_parquet_put_deltas(struct fth_bytes *to, const int64_t *values, size_t count,
                            unsigned bits)
{
    fth_bytes_varint(to, BLOCK);
    fth_bytes_varint(to, MINIS);
    fth_bytes_varint(to, count);
    fth_bytes_signed(to, count ? values[0] : 0);
    for (size_t at = 1; at < count; at += BLOCK)
        put_block(to, values + at, count - at < BLOCK ? count - at : BLOCK, bits);
}

/* ---- runs ---- */

static void put_run(struct fth_bytes *to, int64_t value, size_t count, unsigned width)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> 8 * i);
    fth_bytes_varint(to, count << 1);
    fth_bytes_put(to, bytes, (width + 7) / 8);
}

/* Values that do not repeat, in groups of eight, of which the last is filled up. */
static void put_groups(struct fth_bytes *to, const int64_t *values, size_t count, unsigned width)
{
    size_t groups = (count + GROUP - 1) / GROUP;
    if (!count)
        return;
    fth_bytes_varint(to, groups << 1 | 1);
    for (size_t at = 0; at < count; at += GROUP) {
        uint64_t group[GROUP] = {0};
        for (size_t i = 0; i < GROUP && at + i < count; i++)
            group[i] = (uint64_t)values[at + i];
        pack(to, group, GROUP, width);
    }
}

static size_t equal_from(const int64_t *values, size_t at, size_t count)
{
    size_t end = at + 1;
    while (end < count && values[end] == values[at])
        end++;
    return end - at;
}

void fth_parquet_put_hybrid(struct fth_bytes *to, const int64_t *values, size_t count,
                            unsigned width)
{
    if (!count) /* of a column without values there is no array */
        return;
    size_t held = 0; /* values before `at` that are not written yet: whole groups, but at the end */
    for (size_t at = 0; at < count;) {
        size_t equal = equal_from(values, at, count), missing = (GROUP - held % GROUP) % GROUP;
        if (equal < missing + GROUP) {
            held += equal;
            at += equal;
            continue;
        }
        put_groups(to, values + at - held, held + missing, width);
        put_run(to, values[at], equal - missing, width);
        at += equal;
        held = 0;
    }
    put_groups(to, values + count - held, held, width);
}

void fth_parquet_put_bits(struct fth_bytes *to, const int64_t *values, size_t count)
{
    uint8_t *at = fth_bytes_room(to, count / 8 + 1);
    memset(at, 0, count / 8 + 1);
    for (size_t i = 0; i < count; i++)
        at[i / 8] |= (uint8_t)((values[i] != 0) << i % 8);
    to->length += (count + 7) / 8;
}
