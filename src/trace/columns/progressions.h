/* Columns of numbers as lines (arithmetic progressions), one after another: what rises by the same
 * from thing to thing takes one line. */
#ifndef FTH_TRACE_COLUMNS_PROGRESSIONS_H
#define FTH_TRACE_COLUMNS_PROGRESSIONS_H

#include <stdint.h>

/* `count` numbers, the first one of thing `at`; that of thing i is first + step * (i - at). */
struct fth_line {
    uint32_t count, at;
    int64_t first, step;
};
struct fth_lines {
    struct fth_line *lines;
    uint32_t count, limit; /* limit 0, but not count: the one line stands in memory of others */
};
/* The lines may become one line less: what continues the last one becomes part of it. */
void fth_lines_add(struct fth_lines *lines, struct fth_line line);
void fth_lines_free(struct fth_lines *lines);

#endif
