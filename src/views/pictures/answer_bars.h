/* The answer of a query as a picture: a bar for each row of its tables. */
#ifndef FTH_VIEWS_ANSWER_BARS_H
#define FTH_VIEWS_ANSWER_BARS_H

#include "analysis/query/query.h"
#include "base/sink.h"

/* Appends the document. `query`: as it was asked. */
void fth_views_draw_answer(const struct fth_answer *answer, const char *query, struct fth_sink *to);

#endif
