/* The page of `fathom diff`. The keys are described in docs/fathom-diff.1.md. */
#ifndef FTH_VIEWS_DIFF_PAGE_H
#define FTH_VIEWS_DIFF_PAGE_H

#include "diff/fail_limits.h"
#include "views/formats/writer.h"

enum { FTH_DIFF_LINE_DEPTH = 3 };

struct fth_diff_view {
    bool shows[FTH_DIFF_PARTS];
    bool all;        /* also files that nobody asked for */
    size_t top;      /* rows of a table at most; 0: all */
    bool top_chosen; /* also for programs */
    bool same_file;  /* A and B are one file */
    size_t limit_count;
    const struct fth_diff_limit *limits;
    const struct fth_diff_outcome *outcomes;
};

void fth_views_diff(struct fth_writer *writer, const struct fth_diff *diff,
                    const struct fth_diff_view *view);

#endif
