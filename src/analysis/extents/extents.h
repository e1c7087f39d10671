/* Bytes of a file and the marks that each of them bears: what was read, written, and so on.
 *
 * Bytes that bear the same marks are kept as one piece. Pieces that lie in rows (the file cut into
 * rows of the stride of its accesses) are kept once for all rows that are alike, so that a strided
 * loop costs as much as one access. Where pieces get too many, all of them are given up: what is
 * then known is that nothing is. */
#ifndef FTH_ANALYSIS_EXTENTS_H
#define FTH_ANALYSIS_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `count` ranges of `length` bytes, each `stride` behind the one before. */
struct fth_strided {
    uint64_t start, length, stride, count;
};

/* A piece. */
struct fth_extent {
    uint64_t first, behind, marks; /* marks 0: none */
};

/* All zero but for `room` bears no marks. */
struct fth_extents {
    /* so many pieces more may be made, by all who have it in common; below 0: some were too many */
    int64_t *room;
    bool vague; /* given up */
    uint64_t pieces;
    uint64_t period, base; /* length of a row, and where one begins; 0: the file is one row */
    size_t band_count;
    struct fth_band *bands; /* rows that are alike, in their order */
    /* the only piece of a file that is one row, while there is no band: most files are read or
     * written as a whole */
    struct fth_extent single;
};

/* So many bytes bore the marks `before`: returns what they bear from now on. */
typedef uint64_t fth_marking(void *context, uint64_t before, uint64_t bytes);

/* One range after the other. O(log pieces) for each, or for all of them where they are a stride
 * apart. */
void fth_extents_mark(struct fth_extents *extents, const struct fth_strided *series,
                      fth_marking *marking, void *context);
/* All that bear marks. */
void fth_extents_each(const struct fth_extents *extents,
                      void (*take)(void *context, const struct fth_strided *series, uint64_t marks),
                      void *context);
/* Bears no marks again. */
void fth_extents_empty(struct fth_extents *extents);

#endif
