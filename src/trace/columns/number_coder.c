/* Coding numbers: see number_coder.h. */
#include "trace/columns/number_coder.h"

unsigned fth_code_bit(struct fth_number_coder *coder, struct fth_bit_chance *chance, unsigned bit)
{
    if (!coder->writes)
        return fth_bit_get(&coder->bits, chance);
    fth_bit_put(&coder->bits, chance, bit);
    return bit;
}

uint64_t fth_code_even_bits(struct fth_number_coder *coder, uint64_t value, unsigned count)
{
    uint64_t got = 0;
    while (count--) {
        unsigned bit = (unsigned)(value >> count & 1);
        if (coder->writes)
            fth_bit_put_at(&coder->bits, 32768, bit);
        else
            bit = fth_bit_get_at(&coder->bits, 32768);
        got = got << 1 | bit;
    }
    return got;
}

uint64_t fth_code_number(struct fth_number_coder *coder, struct fth_number_model *model,
                         uint64_t value)
{
    unsigned length = fth_bits_of(value), node = 1;
    for (unsigned i = FTH_LENGTH_BITS; i-- > 0;)
        node = node << 1 | fth_code_bit(coder, &model->length[node], length >> i & 1);
    length = node - (1u << FTH_LENGTH_BITS);
    if (length >= FTH_NUMBER_LENGTHS) /* damaged: there is none so long */
        length = FTH_NUMBER_LENGTHS - 1;
    if (length < 2)
        return length;
    uint64_t got = 1;
    unsigned left = length - 1, modelled = left < FTH_MODELLED_BITS ? left : FTH_MODELLED_BITS;
    node = 1;
    for (unsigned i = 0; i < modelled; i++) {
        unsigned bit =
            fth_code_bit(coder, &model->behind[length][node], (unsigned)(value >> --left & 1));
        node = node << 1 | bit;
        got = got << 1 | bit;
    }
    return got << left | fth_code_even_bits(coder, value, left);
}
