/* Names of flags and errors. */
#include "views/sentences/named_numbers.h"

#include "model/reading/trace_functions.h"

#include <ctype.h>
#include <string.h>

static bool is_one_bit(int64_t value)
{
    return value && !(value & (value - 1));
}

/* The catalogue does not say whether names stand for bits or for whole values. Bits are mostly
 * single ones. */
static bool names_bits(const struct fth_flags *flags)
{
    size_t single = 0, other = 0;
    for (size_t i = 0; i < flags->count; i++) {
        single += is_one_bit(flags->entries[i].value);
        other += flags->entries[i].value && !is_one_bit(flags->entries[i].value);
    }
    return single >= other;
}

/* The entry that takes the most bits out of `left`: O_SYNC contains O_DSYNC. */
static const struct fth_flag *find_largest(const struct fth_flags *flags, int64_t left)
{
    const struct fth_flag *best = NULL;
    for (size_t i = 0; i < flags->count; i++) {
        const struct fth_flag *flag = &flags->entries[i];
        if (flag->value && (left & flag->value) == flag->value &&
            (!best || __builtin_popcountll((uint64_t)flag->value) >
                          __builtin_popcountll((uint64_t)best->value)))
            best = flag;
    }
    return best;
}

static void put_hex(struct fth_sink *sink, uint64_t value)
{
    static const char hex[] = "0123456789abcdef";
    int digit = 15;
    fth_sink_text(sink, "0x");
    while (digit && !(value >> (4 * digit)))
        digit--;
    for (; digit >= 0; digit--)
        fth_sink_char(sink, hex[value >> (4 * digit) & 15]);
}

bool fth_views_put_flags(struct fth_sink *sink, const struct fth_trace *trace, size_t proc,
                         const char *name, int64_t value)
{
    const struct fth_flags *flags = fth_trace_flags(trace, proc, name);
    if (!flags)
        return false;
    const char *between = "", *access = value ? fth_flags_access_of_zero(flags, value) : NULL;
    for (size_t i = 0; i < flags->count && !access; i++)
        if (flags->entries[i].value == value) {
            fth_sink_text(sink, flags->entries[i].name);
            return true;
        }
    if (!value || !names_bits(flags))
        return false;
    int64_t left = value;
    const struct fth_flag *flag;
    if (access) {
        fth_sink_text(sink, access);
        between = "|";
    }
    for (; left && (flag = find_largest(flags, left)); left &= ~flag->value) {
        fth_sink_text(sink, between);
        fth_sink_text(sink, flag->name);
        between = "|";
    }
    if (left) {
        fth_sink_text(sink, between);
        put_hex(sink, (uint64_t)left);
    }
    return true;
}

void fth_views_put_error(struct fth_sink *sink, const struct fth_call *call)
{
    if (call->error_number == -1) /* nobody knows why */
        return;
    fth_sink_char(sink, ' ');
    if (call->error_name)
        fth_sink_text(sink, call->error_name);
    else if (call->result.type != FTH_VALUE_INTEGER || call->result.integer != call->error_number)
        fth_sink_integer(sink, call->error_number);
}

bool fth_views_is_symbol(const char *text)
{
    if (!isalpha((unsigned char)*text))
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}
