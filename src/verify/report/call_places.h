/* Where the calls of findings are made. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_CALL_PLACES_H
#define FTH_VERIFY_REPORT_CALL_PLACES_H

#include "verify/gather/runs.h"

/* One for each finding of the run's order, or NULL where it is not known; of traces that were
 * recorded with --lines. Its processes that have findings are gone through once more. The caller
 * frees all. */
char **fth_finding_places(const struct fth_run *run);
void fth_finding_places_free(char **places, const struct fth_run *run);

#endif
