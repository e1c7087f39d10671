/* Processes that have a table of descriptors or a current folder in common, and threads that have
 * their own. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_SHARINGS_H
#define FTH_VERIFY_GATHER_SHARINGS_H

#include "verify/gather/run_accesses.h"

/* Whose descriptors or names may stand for other files than they are taken for does not access
 * certain bytes of them: sets `forgotten` of these situations. */
void fth_sharings_doubt(struct fth_run_accesses *accesses, const struct fth_runs *runs,
                        bool *forgotten);

#endif
