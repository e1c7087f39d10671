/* One row of a file: its pieces, in leaves that divide the row among them. A range is clipped to
 * each leaf that it meets, and changes that leaf only. Inner header of extents. */
#ifndef FTH_ANALYSIS_EXTENTS_ROW_H
#define FTH_ANALYSIS_EXTENTS_ROW_H

#include "analysis/extents/extents.h"

struct fth_leaf {
    uint64_t low; /* its part of the row: from here to the next one's */
    uint32_t count, limit;
    struct fth_extent *pieces;
};

/* Rows that are alike. */
struct fth_band {
    uint64_t row, rows;
    size_t leaf_count; /* at least 1 */
    struct fth_leaf *leaves;
};

/* What is being done to bytes. */
struct fth_marking {
    struct fth_extents *extents;
    fth_marking *marking;
    void *context;
    uint64_t times; /* it is done at once to equal bytes */
};

/* Bears no marks, in a band of no leaves. */
void fth_row_begin(struct fth_band *band);
void fth_row_mark(struct fth_band *band, const struct fth_marking *marking_of, uint64_t first,
                  uint64_t behind);
/* The same of a file that is one row and has no band; it gets one if there is more than a piece. */
void fth_row_mark_single(const struct fth_marking *marking_of, uint64_t first, uint64_t behind);
/* Into a band of no leaves. */
void fth_row_copy(struct fth_band *band, const struct fth_band *from);
bool fth_row_equals(const struct fth_band *one, const struct fth_band *other);
uint64_t fth_row_pieces(const struct fth_band *band);
void fth_row_free(struct fth_band *band);

/* Pieces were made, or are no more: there may be too many. */
void fth_extents_count(struct fth_extents *extents, uint64_t more, uint64_t less);

#endif
