/* Rows that are alike are a band; bands lie behind one another. */
#include "analysis/extents/extents_row.h"

#include "base/memory.h"

#include <string.h>

enum {
    MOST_BANDS = 1 << 10,
    LONG = 64,           /* ranges of a series that is worth rows */
    MOST_ALONE = 1 << 12 /* ranges that are marked one by one */
};
/* Files are shorter, and sums of a few such numbers do not overflow. */
static const uint64_t far_away = UINT64_C(1) << 61;

/* ---- rows ---- */

static void add_band(struct fth_extents *extents, size_t at, uint64_t row, uint64_t rows)
{
    struct fth_band band = {.row = row, .rows = rows};
    fth_row_begin(&band);
    FTH_GROW(extents->bands, extents->band_count);
    memmove(&extents->bands[at + 1], &extents->bands[at],
            (extents->band_count - at) * sizeof *extents->bands);
    extents->bands[at] = band;
    extents->band_count++;
    extents->vague |= extents->band_count > MOST_BANDS;
}

/* Rows from `row` on become a band of their own. */
static void split_band(struct fth_extents *extents, size_t at, uint64_t row)
{
    uint64_t behind = extents->bands[at].row + extents->bands[at].rows;
    add_band(extents, at + 1, row, behind - row);
    struct fth_band *lower = &extents->bands[at], *upper = lower + 1;
    lower->rows = row - lower->row;
    fth_row_free(upper);
    fth_row_copy(upper, lower);
    fth_extents_count(extents, fth_row_pieces(upper), 0);
}

static void join_bands(struct fth_extents *extents, size_t at)
{
    struct fth_band *band = &extents->bands[at];
    if (at + 1 >= extents->band_count || band->row + band->rows != band[1].row ||
        !fth_row_equals(band, band + 1))
        return;
    band->rows += band[1].rows;
    fth_extents_count(extents, 0, fth_row_pieces(band + 1));
    fth_row_free(band + 1);
    memmove(band + 1, band + 2, (extents->band_count - at - 2) * sizeof *band);
    extents->band_count--;
}

static size_t band_at(const struct fth_extents *extents, uint64_t row)
{
    size_t low = 0, high = extents->band_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (extents->bands[middle].row + extents->bands[middle].rows > row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void mark_rows(const struct fth_marking *marking_of, uint64_t row, uint64_t rows,
                      uint64_t first, uint64_t behind)
{
    struct fth_extents *extents = marking_of->extents;
    uint64_t end = row + rows;
    size_t from = band_at(extents, row), at = from;
    while (row < end && !extents->vague) {
        bool there = at < extents->band_count;
        if (!there || extents->bands[at].row > row) {
            uint64_t next = there && extents->bands[at].row < end ? extents->bands[at].row : end;
            add_band(extents, at, row, next - row);
        } else if (extents->bands[at].row < row) {
            split_band(extents, at++, row);
        }
        if (extents->bands[at].row + extents->bands[at].rows > end)
            split_band(extents, at, end);
        struct fth_band *band = &extents->bands[at++];
        struct fth_marking of_rows = *marking_of;
        of_rows.times *= band->rows;
        fth_row_mark(band, &of_rows, first, behind);
        row = band->row + band->rows;
    }
    for (at++; at-- > from;)
        if (at < extents->band_count)
            join_bands(extents, at);
    if (from)
        join_bands(extents, from - 1);
}

/* ---- ranges in rows ---- */

static void mark_range(const struct fth_marking *marking_of, uint64_t first, uint64_t behind)
{
    const struct fth_extents *extents = marking_of->extents;
    uint64_t period = extents->period;
    if (!period && !extents->band_count) {
        fth_row_mark_single(marking_of, first, behind);
        return;
    }
    if (!period) {
        mark_rows(marking_of, 0, 1, first, behind);
        return;
    }
    first += period - extents->base;
    behind += period - extents->base;
    uint64_t row = first / period, last = behind / period;
    if (row == last) {
        mark_rows(marking_of, row, 1, first % period, behind % period);
        return;
    }
    if (first % period)
        mark_rows(marking_of, row++, 1, first % period, period);
    if (row < last)
        mark_rows(marking_of, row, last - row, 0, period);
    if (behind % period)
        mark_rows(marking_of, last, 1, 0, behind % period);
}

static void mark_each(const struct fth_marking *marking_of, const struct fth_strided *series)
{
    for (uint64_t i = 0; i < series->count && !marking_of->extents->vague; i++) {
        uint64_t first = series->start + i * series->stride;
        mark_range(marking_of, first, first + series->length);
    }
}

static uint64_t the_same(void *context, uint64_t before, uint64_t bytes)
{
    (void)before;
    (void)bytes;
    return *(const uint64_t *)context;
}

static void mark_again(void *context, const struct fth_strided *series, uint64_t marks)
{
    struct fth_marking marking_of = {context, the_same, &marks, 1};
    mark_each(&marking_of, series);
}

/* The file, so far one row, is cut into rows. */
static void fold(struct fth_extents *extents, uint64_t start, uint64_t period)
{
    struct fth_extents before = *extents;
    *extents = (struct fth_extents){.room = before.room, .period = period, .base = start % period};
    fth_extents_each(&before, mark_again, extents);
    fth_extents_empty(&before);
}

static void mark_strided(const struct fth_marking *marking_of, const struct fth_strided *series)
{
    struct fth_extents *extents = marking_of->extents;
    if (!extents->period && series->count >= LONG && extents->pieces <= MOST_ALONE)
        fold(extents, series->start, series->stride);
    if (extents->vague)
        return;
    if (extents->period != series->stride) {
        extents->vague = series->count > MOST_ALONE;
        mark_each(marking_of, series);
        return;
    }
    uint64_t place = series->start + series->stride - extents->base, row = place / series->stride,
             first = place % series->stride, behind = first + series->length;
    if (behind <= series->stride) {
        mark_rows(marking_of, row, series->count, first, behind);
        return;
    }
    mark_rows(marking_of, row, series->count, first, series->stride);
    mark_rows(marking_of, row + 1, series->count, 0, behind - series->stride);
}

static bool is_too_far(const struct fth_strided *series)
{
    uint64_t length;
    return series->start > far_away || series->length > far_away || series->stride > far_away ||
           __builtin_mul_overflow(series->stride, series->count, &length) || length > far_away;
}

void fth_extents_mark(struct fth_extents *extents, const struct fth_strided *series,
                      fth_marking *marking, void *context)
{
    struct fth_marking marking_of = {extents, marking, context, 1};
    if (extents->vague || !series->length || !series->count)
        return;
    extents->vague = is_too_far(series);
    if (extents->vague) {
        fth_extents_empty(extents);
        return;
    }
    if (series->count == 1 || series->stride == series->length) {
        mark_range(&marking_of, series->start, series->start + series->length * series->count);
    } else if (!series->stride) {
        mark_range(&marking_of, series->start, series->start + series->length);
        marking_of.times = series->count - 1; /* what is so of the second one is so of all */
        if (!extents->vague)
            mark_range(&marking_of, series->start, series->start + series->length);
    } else if (series->stride < series->length) {
        extents->vague = series->count > MOST_ALONE;
        mark_each(&marking_of, series);
    } else {
        mark_strided(&marking_of, series);
    }
    if (extents->vague)
        fth_extents_empty(extents);
}

/* ---- outcome ---- */

void fth_extents_each(const struct fth_extents *extents,
                      void (*take)(void *context, const struct fth_strided *series, uint64_t marks),
                      void *context)
{
    const struct fth_extent *single = &extents->single;
    if (single->marks)
        take(context, &(struct fth_strided){single->first, single->behind - single->first, 0, 1},
             single->marks);
    for (size_t i = 0; i < extents->band_count; i++) {
        const struct fth_band *band = &extents->bands[i];
        uint64_t row = band->row * extents->period + extents->base - extents->period;
        for (size_t k = 0; k < band->leaf_count; k++)
            for (uint32_t n = 0; n < band->leaves[k].count; n++) {
                const struct fth_extent *piece = &band->leaves[k].pieces[n];
                struct fth_strided series = {row + piece->first, piece->behind - piece->first,
                                             extents->period, band->rows};
                take(context, &series, piece->marks);
            }
    }
}

void fth_extents_empty(struct fth_extents *extents)
{
    for (size_t i = 0; i < extents->band_count; i++)
        fth_row_free(&extents->bands[i]);
    free(extents->bands);
    fth_extents_count(extents, 0, extents->pieces);
    *extents = (struct fth_extents){.room = extents->room, .vague = extents->vague};
}
