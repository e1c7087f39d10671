/* A list of counts in a trace: how long the runs of a symbol are that have length 0 in a grammar,
 * one after another. Either lines (a loop that goes around once more each time is one) or bytes,
 * whichever is shorter. */
#ifndef FTH_TRACE_GRAMMAR_COUNT_COLUMNS_H
#define FTH_TRACE_GRAMMAR_COUNT_COLUMNS_H

#include "trace/columns/columns.h"
#include "trace/columns/progressions.h"

/* Varint counts, varint lines; for each varint count, signed first, signed step; without lines a
 * packed column. */
void fth_count_column_put(struct fth_bytes *to, const uint32_t *counts, size_t count);

struct fth_count_column {
    uint64_t count, sum;
    struct fth_line *lines; /* NULL: packed */
    uint32_t line_count;
    struct fth_packed_column packed; /* its planes stay where they were read from */
};
/* False: damaged; to be freed also then. O(bytes): no more counts are looked at than there are
 * lines or bytes. */
bool fth_count_column_read(struct fth_count_column *column, struct fth_view *view);
void fth_count_column_free(struct fth_count_column *column);

/* Count number `place`, below column->count. *line, 0 at first, makes asking in order cheap. */
uint32_t fth_count_column_at(const struct fth_count_column *column, uint64_t place, uint32_t *line);

#endif
