/* How long a set of intervals of time is, where they may overlap. Memory grows with those that do
 * not. */
#ifndef FTH_ANALYSIS_SPANS_H
#define FTH_ANALYSIS_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct fth_span {
    int64_t start, end;
};
/* All zero is an empty set. */
struct fth_spans {
    size_t count, limit;
    struct fth_span *list;
};

void fth_spans_add(struct fth_spans *spans, int64_t start, int64_t end);
int64_t fth_spans_length(struct fth_spans *spans);
/* An array of sets. */
void fth_spans_free(struct fth_spans *spans, size_t count);

#endif
