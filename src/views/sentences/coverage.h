/* What of a run was recorded in full (`fathom record --select`), in words and for programs. */
#ifndef FTH_VIEWS_COVERAGE_H
#define FTH_VIEWS_COVERAGE_H

#include "analysis/tables/coverage_table.h"
#include "base/json.h"
#include "views/output/output.h"

/* "Of the 12.3 ms that the slowest process of each of 40 phases took, 92.3 % were recorded in full
 * ...". To be freed. */
char *fth_views_coverage(const struct fth_phase_coverage *coverage);
/* A key `coverage`; NULL: null. */
void fth_views_coverage_json(struct fth_json *json, const struct fth_phase_coverage *coverage);

#endif
