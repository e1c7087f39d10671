/* A long list of rows of a few integers, in little memory: a program does the same things again and
 * again, and what is noted of that repeats itself, each time with the same step.
 *
 * Where rows come in turns, and each row of a turn differs from that row of the turn before by
 * what that one differed from its own, only the first turn and the steps are kept (a *run*),
 * however long that goes on. Other rows are kept as differences, some at a time. Rows are added at
 * the end, and any of them can be asked for. */
#ifndef FTH_BASE_ROWS_H
#define FTH_BASE_ROWS_H

#include "base/bytes.h"

enum {
    FTH_ROWS_COLUMNS = 4,   /* at most */
    FTH_ROWS_LONGEST = 256, /* turn that is looked for */
    FTH_ROWS_TOGETHER = 32, /* that are no run */
};

struct fth_rows_piece {
    uint32_t first;
    uint32_t period; /* rows of a turn; 0: no run */
    uint64_t at;     /* of `integers`, or of `bytes` */
};

/* All zero but for `columns`: none. */
struct fth_rows {
    unsigned columns;
    uint32_t count;
    struct fth_rows_piece *pieces;
    size_t piece_count;
    int64_t *integers; /* of each run the rows of its first turn, then the steps */
    size_t integer_count, integer_room;
    struct fth_bytes bytes;
    /* The rows that came last, as they are; or none, if these go on with the last run. */
    int64_t *tail;
    uint32_t tail_first, tail_count, tail_room;
    bool runs;
    uint32_t phase;    /* of the row that comes next in the run */
    int64_t *expected; /* of the run: a turn, as it comes next */
};

/* Where somebody reads: the rows there, and those where he has read before, as one often looks at
 * two places by turns. They stay as they are. Zero: nowhere yet. */
struct fth_rows_place {
    size_t piece;
    uint32_t first, count;
    int64_t *taken;
    uint32_t before_first, before_count;
    int64_t *before;
};

void fth_rows_add(struct fth_rows *rows, const int64_t *row);
/* There are no more: what is only needed to add some is given back. */
void fth_rows_end(struct fth_rows *rows);
void fth_rows_free(struct fth_rows *rows);

void fth_rows_take(const struct fth_rows *rows, struct fth_rows_place *place, uint32_t i);
/* Row `i`, which there is; until the place is used for two others. */
static inline const int64_t *fth_rows_at(const struct fth_rows *rows, struct fth_rows_place *place,
                                         uint32_t i)
{
    if (i - place->first >= place->count)
        fth_rows_take(rows, place, i);
    return place->taken + (size_t)(i - place->first) * rows->columns;
}
void fth_rows_leave(struct fth_rows_place *place);

#endif
