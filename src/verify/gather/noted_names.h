/* Names below symbolic links that were there before the run. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_NOTED_NAMES_H
#define FTH_VERIFY_GATHER_NOTED_NAMES_H

#include "verify/gather/run_accesses.h"

/* Once those of all processes are joined. */
void fth_noted_names_follow(struct fth_run_accesses *accesses, const struct fth_runs *runs);

#endif
