/* What children do through mappings of files that they have from their parents. Inner header of the
 * verify room. */
#ifndef FTH_VERIFY_GATHER_INHERITED_MAPS_H
#define FTH_VERIFY_GATHER_INHERITED_MAPS_H

#include "verify/gather/run_accesses.h"

/* Adds an access of the child for each mapping that its parent had when it made the child, unless
 * the child became another program. When the accesses of all processes are together, and have
 * openings still. */
void fth_inherited_maps_add(struct fth_run_accesses *accesses, const struct fth_runs *runs);

#endif
