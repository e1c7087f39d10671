/* Integers in as few bytes as they need: seven bits a byte, lowest first (LEB128); signed ones in
 * zigzag order. */
#ifndef FTH_BASE_VARINT_H
#define FTH_BASE_VARINT_H

#include <stdint.h>

enum {
    FTH_VARINT_MAX = 10, /* bytes of the longest one */
    FTH_VARINT_OF_32 = 5 /* of one of 32 bits */
};

static inline uint8_t *fth_put_varint(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

/* Reads one from [from, end) into *value; returns what follows it, or NULL when it is cut or longer
 * than 64 bits. */
static inline const uint8_t *fth_get_varint(const uint8_t *from, const uint8_t *end,
                                            uint64_t *value)
{
    if (from < end && *from < 0x80) {
        *value = *from;
        return from + 1;
    }
    /* Two or three bytes, as most times of calls have. */
    if (end - from >= 3 && from[1] < 0x80) {
        *value = (from[0] & 0x7fu) | (uint64_t)from[1] << 7;
        return from + 2;
    }
    if (end - from >= 3 && from[2] < 0x80) {
        *value = (from[0] & 0x7fu) | (from[1] & 0x7fu) << 7 | (uint64_t)from[2] << 14;
        return from + 3;
    }
    uint64_t result = 0;
    for (unsigned shift = 0; from < end && shift < 64; shift += 7) {
        uint8_t byte = *from++;
        if (shift == 63 && byte > 1)
            return 0;
        result |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = result;
            return from;
        }
    }
    return 0;
}

static inline uint64_t fth_zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t fth_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
