/* Calls that share the position of an open file and come in no order: where one of them accesses
 * data depends on whether another one has moved the position. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_POSITION_RACES_H
#define FTH_VERIFY_REPORT_POSITION_RACES_H

#include "verify/gather/file_identity.h"
#include "verify/gather/run_accesses.h"
#include "verify/verify.h"

/* Fills verdict->position_races. Counts in accesses->turn_names how often threads read and write
 * by turns at a position that nobody sets. Orders are settled, files are known. */
void fth_position_races_find(struct fth_verdict *verdict, struct fth_run_accesses *accesses,
                             const struct fth_files *files, const struct fth_runs *runs);

#endif
