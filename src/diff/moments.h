/* Moments of a run in names of files: log-20240131-143205.txt. */
#ifndef FTH_DIFF_MOMENTS_H
#define FTH_DIFF_MOMENTS_H

#include <fathom/trace.h>
#include <stddef.h>
#include <stdint.h>

/* When runs went on, seconds since 1970. */
struct fth_diff_spans {
    size_t count;
    struct fth_diff_span {
        int64_t first, last;
    } * list;
};
void fth_diff_spans_add(struct fth_diff_spans *spans, const struct fth_trace *trace);
void fth_diff_spans_free(struct fth_diff_spans *spans);

/* How many characters of the text, which begins with a digit, are such a moment in any time zone: a
 * date, a date with a time of day, or seconds, ms, us or ns since 1970. 0: it does not begin with
 * one. `spans` may be NULL. */
size_t fth_diff_moment_length(const struct fth_diff_spans *spans, const char *text);

#endif
