/* Calls of several processes that race for names: what they find, or whether they succeed, depends
 * on which of them comes first, and nothing orders them. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_RACES_H
#define FTH_VERIFY_REPORT_RACES_H

#include "verify/gather/run_accesses.h"
#include "verify/verify.h"

/* Fills verdict->races and its groups. Their orders are settled. */
void fth_races_find(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                    const struct fth_runs *runs);

#endif
