/* Numbers for the coder of bits: how many bits a number needs, then those bits; what is likely
 * follows what came. A writer and a reader go through the same steps, so that there is one function
 * for both: it is given the number and writes it, or is given anything, and returns it. */
#ifndef FTH_TRACE_COLUMNS_NUMBER_CODER_H
#define FTH_TRACE_COLUMNS_NUMBER_CODER_H

#include "trace/columns/bit_coder.h"

enum {
    FTH_NUMBER_LENGTHS = 65, /* bits that a number needs */
    FTH_LENGTH_BITS = 7,     /* of such a length */
    FTH_MODELLED_BITS = 2,   /* behind the highest bit of a number; the others are even */
};

/* What is likely of a number; all zero: nothing is known. */
struct fth_number_model {
    struct fth_bit_chance length[1 << FTH_LENGTH_BITS];
    struct fth_bit_chance behind[FTH_NUMBER_LENGTHS][1 << FTH_MODELLED_BITS];
};
struct fth_number_coder {
    struct fth_bit_coder bits;
    bool writes;
};

unsigned fth_code_bit(struct fth_number_coder *coder, struct fth_bit_chance *chance, unsigned bit);
/* Bits that are as likely ones as not. */
uint64_t fth_code_even_bits(struct fth_number_coder *coder, uint64_t value, unsigned count);
uint64_t fth_code_number(struct fth_number_coder *coder, struct fth_number_model *model,
                         uint64_t value);

static inline unsigned fth_bits_of(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

#endif
