/* Answers of queries, for people and for programs. */
#ifndef FTH_VIEWS_QUERY_H
#define FTH_VIEWS_QUERY_H

#include "analysis/query/query.h"
#include "analysis/select/select.h"
#include "views/output.h"

void fth_views_answer(struct fth_output *output, const struct fth_answer *answer, size_t top);
/* {"trace", "incomplete", "query", "layer", "tables": {NAME: [rows]}}; the manual page has the
 * keys. */
void fth_views_answer_json(struct fth_output *output, const struct fth_answer *answer,
                           const char *trace_path, const char *query,
                           const struct fth_incomplete *incomplete);

#endif
