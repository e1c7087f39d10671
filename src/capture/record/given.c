/* What calls are given, as far as it is there: a call that fails may point to anything. */
#include "capture/record/runtime.h"
#include "interpose/own/readable.h"

#include <string.h>

const char *fth_given_text(const struct fth_draft *draft, const char *text)
{
    return text && (draft->worked || fth_is_readable_text(text)) ? text : NULL;
}

static int64_t integer_at(const void *integers, int64_t i, unsigned width)
{
    int32_t narrow = 0;
    int64_t wide = 0;
    memcpy(width == 4 ? (void *)&narrow : &wide, (const char *)integers + i * width, width);
    return width == 4 ? narrow : wide;
}

static bool is_list(const void *integers, int64_t n, unsigned width)
{
    return n >= 0 && n <= FTH_LONGEST_LIST && fth_is_readable(integers, (size_t)n * width);
}

int64_t fth_last(const void *integers, int64_t n, unsigned width)
{
    if (!is_list(integers, n, width))
        return -1;
    return n ? integer_at(integers, n - 1, width) : 0;
}

int64_t fth_sum(const void *integers, int64_t n, unsigned width)
{
    int64_t sum = 0;
    if (!is_list(integers, n, width))
        return -1;
    for (int64_t i = 0; i < n; i++)
        if (__builtin_add_overflow(sum, integer_at(integers, i, width), &sum))
            return -1;
    return sum;
}
