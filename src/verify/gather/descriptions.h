/* Which open file each opening of a run is: what a process found open when it began was opened by
 * one of those that it comes from. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_DESCRIPTIONS_H
#define FTH_VERIFY_GATHER_DESCRIPTIONS_H

#include "verify/gather/run_accesses.h"

#define FTH_NO_DESCRIPTION UINT32_MAX /* it may be several */

struct fth_descriptions {
    uint32_t count;
    uint32_t *of_opening; /* number, or FTH_NO_DESCRIPTION */
    /* by number: the process that opened it, where it stood at 0; or FTH_NO_DESCRIPTION */
    uint32_t *openers;
};

/* Of those openings that have a interval. */
void fth_descriptions_find(struct fth_descriptions *descriptions,
                           const struct fth_run_accesses *accesses, const struct fth_runs *runs);
void fth_descriptions_free(struct fth_descriptions *descriptions);

#endif
