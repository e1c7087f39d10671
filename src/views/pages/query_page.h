/* Answers of queries. The keys are described in docs/fathom-query.1.md. */
#ifndef FTH_VIEWS_QUERY_PAGE_H
#define FTH_VIEWS_QUERY_PAGE_H

#include "analysis/query/query.h"
#include "views/formats/writer.h"

enum { FTH_QUERY_LINE_DEPTH = 3 };

struct fth_answer_view {
    const char *trace_path, *query;
    size_t top; /* rows per table at most; 0: all */
    struct fth_incomplete incomplete;
};

void fth_views_answer(struct fth_writer *writer, const struct fth_answer *answer,
                      const struct fth_answer_view *view);

#endif
