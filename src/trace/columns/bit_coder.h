/* Bits, each of which costs what it says: an arithmetic coder, with probabilities that follow what
 * came. For little data without a rule in it; a bit takes some nanoseconds. */
#ifndef FTH_TRACE_COLUMNS_BIT_CODER_H
#define FTH_TRACE_COLUMNS_BIT_CODER_H

#include "base/bytes.h"

/* How likely a one is here, by what was seen here: `seen` bits at first, then as if the last ones
 * counted most. */
struct fth_bit_chance {
    uint16_t one; /* in 65536ths; 0: as likely as not */
    uint16_t seen;
};
enum { FTH_CHANCE_MEMORY = 60, FTH_CHANCE_LEAST = 64 };

static inline uint32_t fth_chance_of_one(const struct fth_bit_chance *chance)
{
    return chance->seen ? chance->one : 32768;
}
static inline void fth_chance_learn(struct fth_bit_chance *chance, unsigned bit)
{
    int32_t one = (int32_t)fth_chance_of_one(chance), target = bit ? 65536 : 0;
    one += (target - one) * 2 / (2 * chance->seen + 3);
    chance->one = (uint16_t)(one < FTH_CHANCE_LEAST           ? FTH_CHANCE_LEAST
                             : one > 65536 - FTH_CHANCE_LEAST ? 65536 - FTH_CHANCE_LEAST
                                                              : one);
    chance->seen = (uint16_t)(chance->seen + (chance->seen < FTH_CHANCE_MEMORY));
}

/* What is left of the range between `low` and `high` is what the bits so far may become. */
struct fth_bit_coder {
    uint32_t low, high;
    struct fth_bytes *to; /* of a writer */
    struct fth_view from; /* of a reader; behind its end there are zeros */
    uint32_t code;
};

static inline uint32_t fth_bit_split(const struct fth_bit_coder *coder, uint32_t one)
{
    return coder->low + (uint32_t)((uint64_t)(coder->high - coder->low) * one >> 16);
}

/* Narrows the range to the part that this bit stands for. */
static inline void fth_bit_narrow(struct fth_bit_coder *coder, uint32_t split, unsigned bit)
{
    if (bit)
        coder->high = split;
    else
        coder->low = split + 1;
}
/* Is the highest byte the same in the whole range? Then it is known, and makes room for another. */
static inline bool fth_bit_knows_byte(const struct fth_bit_coder *coder)
{
    return !((coder->low ^ coder->high) >> 24);
}
static inline void fth_bit_shift_byte(struct fth_bit_coder *coder)
{
    coder->low <<= 8;
    coder->high = coder->high << 8 | 255;
}

/* ---- writing ---- */

static inline void fth_bit_writer_open(struct fth_bit_coder *coder, struct fth_bytes *to)
{
    *coder = (struct fth_bit_coder){.high = UINT32_MAX, .to = to};
}
static inline void fth_bit_put_at(struct fth_bit_coder *coder, uint32_t one, unsigned bit)
{
    fth_bit_narrow(coder, fth_bit_split(coder, one), bit);
    for (; fth_bit_knows_byte(coder); fth_bit_shift_byte(coder))
        fth_bytes_put(coder->to, &(uint8_t){(uint8_t)(coder->high >> 24)}, 1);
}
static inline void fth_bit_put(struct fth_bit_coder *coder, struct fth_bit_chance *chance,
                               unsigned bit)
{
    fth_bit_put_at(coder, fth_chance_of_one(chance), bit);
    fth_chance_learn(chance, bit);
}
/* As few bytes as show where the range is. */
static inline void fth_bit_writer_close(struct fth_bit_coder *coder)
{
    fth_bytes_put(coder->to, &(uint8_t){(uint8_t)(coder->high >> 24)}, coder->low != 0);
}

/* ---- reading ---- */

static inline uint32_t fth_bit_next_byte(struct fth_bit_coder *coder)
{
    return coder->from.at < coder->from.end ? *coder->from.at++ : 0;
}
static inline void fth_bit_reader_open(struct fth_bit_coder *coder, struct fth_view from)
{
    *coder = (struct fth_bit_coder){.high = UINT32_MAX, .from = from};
    for (int i = 0; i < 4; i++)
        coder->code = coder->code << 8 | fth_bit_next_byte(coder);
}
static inline unsigned fth_bit_get_at(struct fth_bit_coder *coder, uint32_t one)
{
    uint32_t split = fth_bit_split(coder, one);
    unsigned bit = coder->code <= split;
    fth_bit_narrow(coder, split, bit);
    for (; fth_bit_knows_byte(coder); fth_bit_shift_byte(coder))
        coder->code = coder->code << 8 | fth_bit_next_byte(coder);
    return bit;
}
static inline unsigned fth_bit_get(struct fth_bit_coder *coder, struct fth_bit_chance *chance)
{
    unsigned bit = fth_bit_get_at(coder, fth_chance_of_one(chance));
    fth_chance_learn(chance, bit);
    return bit;
}

#endif
