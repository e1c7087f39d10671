/* Pairs are counted by sums of floors, in 128 bits. */
#include "verify/gather/series.h"

/* Sums can be larger than 64 bits on the way; what is asked for fits. */
typedef __int128 wide;

static wide floor_divide(wide a, wide b)
{
    wide quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

/* Sum of floor((a * i + b) / m) for i in [0, n): by the steps of Euclid's algorithm, after Graham,
 * Knuth and Patashnik, Concrete Mathematics (1994), 3.5. m > 0, a >= 0, n >= 0. */
static wide floor_sum(wide n, wide m, wide a, wide b)
{
    wide sum = 0;
    if (n <= 0)
        return 0;
    sum += floor_divide(b, m) * n;
    b -= floor_divide(b, m) * m;
    while (n > 0) {
        sum += (n - 1) * n / 2 * (a / m) + b / m * n;
        a %= m;
        b %= m;
        wide last = a * n + b;
        if (last < m)
            break;
        n = last / m;
        b = last % m;
        wide old = m;
        m = a;
        a = old;
    }
    return sum;
}

/* Sum over i in [0, n) of floor((a * i + b) / m), held between low and high. a > 0. */
static wide clamped_floor_sum(wide n, wide m, wide a, wide b, wide low, wide high)
{
    /* The floor is >= v from i = ceil((v * m - b) / a) on. */
    wide first = -floor_divide(b - low * m, a), last = -floor_divide(b - high * m, a);
    if (first < 0)
        first = 0;
    if (first > n)
        first = n;
    if (last < first)
        last = first;
    if (last > n)
        last = n;
    return first * low + floor_sum(last - first, m, a, a * first + b) + (n - last) * high;
}

static bool touches(const struct fth_series *a, const struct fth_series *b)
{
    return a->start < fth_series_end(b) && b->start < fth_series_end(a);
}

/* Ranges of `many` (stride > 0) that meet the one range [start, end). */
static uint64_t met_by_one(const struct fth_series *many, uint64_t start, uint64_t end)
{
    uint64_t first_end = many->start + many->length;
    /* Those that are over where the range begins, and those that begin before its end. */
    uint64_t from = start < first_end ? 0 : (start - first_end) / many->stride + 1;
    uint64_t to = end <= many->start ? 0 : (end - many->start - 1) / many->stride + 1;
    if (to > many->count)
        to = many->count;
    return to > from ? to - from : 0;
}

/* Pairs of ranges that have a byte in common. */
static wide pairs_of_ranges(const struct fth_series *a, const struct fth_series *b)
{
    if (!touches(a, b))
        return 0;
    if (a->stride == 0 || a->count == 1) {
        uint64_t end = a->start + a->length;
        if (b->stride == 0 || b->count == 1)
            return (wide)a->count * (wide)b->count;
        return (wide)a->count * (wide)met_by_one(b, a->start, end);
    }
    if (b->stride == 0 || b->count == 1)
        return pairs_of_ranges(b, a);
    /* Range i of a begins at s + i * d relative to b's start; range j of b meets it if s + i * d -
     * b.length < j * b.stride < s + i * d + a.length. For each i those are floor((s + i * d +
     * a.length - 1) / b.stride) - floor((s + i * d - b.length) / b.stride), of those that b has. */
    wide n = (wide)a->count, m = (wide)b->stride, d = (wide)a->stride;
    wide s = (wide)a->start - (wide)b->start, last = (wide)b->count - 1;
    return clamped_floor_sum(n, m, d, s + (wide)a->length - 1, -1, last) -
           clamped_floor_sum(n, m, d, s - (wide)b->length, -1, last);
}

/* Ranges of `many`, calls of their own, that meet any range of `one`, which is one call's. */
static uint64_t met_by_any(const struct fth_series *many, const struct fth_series *one)
{
    if (one->stride <= one->length || one->count == 1) {
        uint64_t end = fth_series_end(one);
        if (many->stride == 0 || many->count == 1)
            return many->start < end && one->start < many->start + many->length ? many->count : 0;
        return met_by_one(many, one->start, end);
    }
    /* Between the ends of `one` its ranges may be taken to go on for ever on both sides: a range
     * that begins before `one`, and reaches into it, has its first byte; one that reaches out of it
     * has its last one. So what counts is where a range begins in a turn of `one`. */
    struct fth_series within = *many;
    if (many->stride == 0 || many->count == 1) {
        struct fth_series range = {many->start, many->length, 0, 1, false};
        return pairs_of_ranges(one, &range) > 0 ? many->count : 0;
    }
    wide from = floor_divide((wide)one->start - (wide)many->start - (wide)many->length,
                             (wide)many->stride) +
                1;
    wide to = -floor_divide((wide)many->start - (wide)fth_series_end(one), (wide)many->stride);
    if (from < 0)
        from = 0;
    if (to > (wide)many->count)
        to = (wide)many->count;
    if (to <= from)
        return 0;
    within.start += (uint64_t)from * many->stride;
    within.count = (uint64_t)(to - from);
    wide period = (wide)one->stride, window = (wide)one->length + (wide)many->length - 1;
    if (window >= period)
        return within.count;
    /* A range that begins at x meets one if (x - one.start + many.length - 1) mod period < window:
     * floor(y / period) - floor((y - window) / period) is 1 then, and 0 otherwise. */
    wide y = (wide)within.start - (wide)one->start + (wide)many->length - 1;
    return (uint64_t)(floor_sum((wide)within.count, period, (wide)within.stride, y) -
                      floor_sum((wide)within.count, period, (wide)within.stride, y - window));
}

uint64_t fth_series_pairs(const struct fth_series *a, const struct fth_series *b)
{
    if (!touches(a, b))
        return 0;
    if (a->one_call && b->one_call)
        return pairs_of_ranges(a, b) > 0;
    if (a->one_call)
        return met_by_any(b, a);
    if (b->one_call)
        return met_by_any(a, b);
    return (uint64_t)pairs_of_ranges(a, b);
}

uint64_t fth_series_pairs_within(const struct fth_series *series)
{
    uint64_t count = series->count;
    if (series->one_call || count < 2)
        return 0;
    /* Range i meets those up to i + reach. */
    uint64_t reach = series->stride ? (series->length - 1) / series->stride : count;
    if (reach >= count)
        reach = count - 1;
    return (uint64_t)((wide)reach * (wide)count - (wide)reach * ((wide)reach + 1) / 2);
}

bool fth_series_common(const struct fth_series *a, const struct fth_series *b, uint64_t *start,
                       uint64_t *end)
{
    const struct fth_series *few = a->count <= b->count ? a : b, *many = few == a ? b : a;
    if (!touches(a, b))
        return false;
    for (uint64_t i = 0; i < few->count; i++) {
        uint64_t from = few->start + i * few->stride, to = from + few->length, at = many->start;
        if (to <= many->start)
            continue;
        if (many->stride && from >= at + many->length) {
            uint64_t turns = (from - at - many->length) / many->stride + 1;
            if (turns >= many->count)
                continue;
            at += turns * many->stride;
        }
        if (at >= to || at + many->length <= from)
            continue;
        *start = at > from ? at : from;
        *end = at + many->length < to ? at + many->length : to;
        return true;
    }
    return false;
}
