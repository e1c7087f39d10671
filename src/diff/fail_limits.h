/* Limits of a comparison (--fail-on): 'time(posix) > 10%', 'calls(fsync) > 0', 'findings > 0'. */
#ifndef FTH_DIFF_LIMITS_H
#define FTH_DIFF_LIMITS_H

#include "base/error.h"
#include "diff/diff.h"

enum fth_diff_measure {
    FTH_DIFF_OF_CALLS,
    FTH_DIFF_OF_READ,
    FTH_DIFF_OF_WRITTEN,
    FTH_DIFF_OF_TIME,
    FTH_DIFF_OF_BYTES, /* read and written */
    FTH_DIFF_OF_ELAPSED,
    FTH_DIFF_OF_FINDINGS, /* that came */
};

struct fth_diff_limit {
    const char *text;
    enum fth_diff_measure measure;
    char *name; /* of what; NULL: of all calls, or there is nothing to choose */
    enum { FTH_DIFF_ABOVE, FTH_DIFF_FROM, FTH_DIFF_BELOW, FTH_DIFF_UP_TO } comparison;
    bool percent;
    double number; /* percent, calls, bytes, ns */
};

/* -1: *error says what is wrong at which column. */
int fth_diff_limit_parse(const char *text, struct fth_diff_limit *limit, struct fth_error **error);
void fth_diff_limit_free(struct fth_diff_limit *limit);

struct fth_diff_outcome {
    bool known; /* something has that name */
    bool holds; /* B fails */
    bool noise; /* it is beyond the limit, but the test takes it for noise */
    int64_t a, b;
    double p;
};
struct fth_diff_outcome fth_diff_limit_check(const struct fth_diff_limit *limit,
                                             const struct fth_diff *diff);

#endif
