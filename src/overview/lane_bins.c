/* Bins of one lane while its calls come: in pieces that are made when something is in them, and
 * handed on as a list of those that are not empty. */
#include "overview/lane_bins.h"

#include "base/memory.h"
#include "base/time_parts.h"
#include "base/saturating.h"

enum { PIECE = 64 };

static struct fth_overview_bin *bin_at(struct fth_overview_lane_bins *bins, uint32_t number)
{
    if (!bins->pieces)
        bins->pieces = fth_new(bins->axis->bin_count / PIECE + 1, sizeof *bins->pieces);
    struct fth_overview_bin **piece = &bins->pieces[number / PIECE];
    if (!*piece)
        *piece = fth_new(PIECE, sizeof **piece);
    return *piece + number % PIECE;
}

static uint32_t number_at(const struct fth_overview_axis *axis, int64_t time)
{
    return fth_part_at(axis->begin, axis->width, axis->bin_count, time);
}

/* `part` of `whole` of so many bytes, rounded down. */
static uint64_t share(uint64_t bytes, int64_t part, int64_t whole)
{
    return (uint64_t)((unsigned __int128)bytes * (uint64_t)part / (uint64_t)whole);
}

static int64_t end_of(const struct fth_overview_axis *axis)
{
    return axis->begin + (int64_t)axis->bin_count * axis->width;
}

void fth_overview_count(struct fth_overview_lane_bins *bins, int64_t start, int64_t end)
{
    if (bins->axis->clips && (start < bins->axis->begin || start >= end_of(bins->axis)))
        return;
    struct fth_overview_bin *bin = bin_at(bins, number_at(bins->axis, start));
    bin->calls++;
    bin->longest = end - start > bin->longest ? end - start : bin->longest;
}

/* Of a call that begins before the axis or ends behind it: what is within. False: nothing. */
static bool clip(const struct fth_overview_axis *axis, int64_t *start, int64_t *end,
                 uint64_t moved[2])
{
    int64_t from = *start > axis->begin ? *start : axis->begin,
            to = *end < end_of(axis) ? *end : end_of(axis), length = *end - *start;
    if (to < from || from == end_of(axis) || (from == to && length))
        return false;
    for (int i = 0; i < 2 && to - from < length; i++)
        moved[i] = share(moved[i], to - from, length);
    *start = from;
    *end = to;
    return true;
}

void fth_overview_put(struct fth_overview_lane_bins *bins, int64_t start, int64_t end,
                      const uint64_t all_moved[2])
{
    const struct fth_overview_axis *axis = bins->axis;
    uint64_t moved[2] = {all_moved[0], all_moved[1]};
    if (axis->clips && !clip(axis, &start, &end, moved))
        return;
    uint32_t first = number_at(axis, start), last = number_at(axis, end);
    struct fth_overview_bin *bin = bin_at(bins, first);
    if (first == last) {
        FTH_ADD_SATURATING(bin->busy, end - start);
        bin->read += moved[0];
        bin->written += moved[1];
        return;
    }
    uint64_t left[2] = {moved[0], moved[1]};
    for (uint32_t number = first; number <= last; number++) {
        int64_t from = axis->begin + (int64_t)number * axis->width,
                part = (end < from + axis->width || number == last ? end : from + axis->width) -
                       (start > from ? start : from);
        bin = bin_at(bins, number);
        FTH_ADD_SATURATING(bin->busy, part);
        uint64_t read = number == last ? left[0] : share(moved[0], part, end - start),
                 written = number == last ? left[1] : share(moved[1], part, end - start);
        bin->read += read;
        bin->written += written;
        left[0] -= read;
        left[1] -= written;
    }
}

void fth_overview_add(struct fth_overview_lane_bins *bins, const struct fth_overview_lane *lane)
{
    for (size_t i = 0; i < lane->count; i++) {
        const struct fth_overview_bin *more = &lane->places[i].bin;
        struct fth_overview_bin *bin = bin_at(bins, lane->places[i].number);
        FTH_ADD_SATURATING(bin->busy, more->busy);
        bin->calls += more->calls;
        bin->longest = more->longest > bin->longest ? more->longest : bin->longest;
        bin->read += more->read;
        bin->written += more->written;
    }
}

static bool is_empty(const struct fth_overview_bin *bin)
{
    return !bin->busy && !bin->calls && !bin->read && !bin->written;
}

void fth_overview_collect(struct fth_overview_lane_bins *bins, struct fth_overview_lane *lane)
{
    for (uint32_t i = 0; bins->pieces && i <= bins->axis->bin_count / PIECE; i++) {
        for (uint32_t j = 0; bins->pieces[i] && j < PIECE; j++) {
            if (is_empty(&bins->pieces[i][j]))
                continue;
            FTH_GROW(lane->places, lane->count);
            lane->places[lane->count++] =
                (struct fth_overview_place){i * PIECE + j, bins->pieces[i][j]};
        }
        free(bins->pieces[i]);
    }
    free(bins->pieces);
    bins->pieces = NULL;
}
