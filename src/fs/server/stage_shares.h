/* Pieces of a file that is written to the folder below. Inner header of the fs room. */
#ifndef FTH_FS_STAGE_SHARES_H
#define FTH_FS_STAGE_SHARES_H

#include "fs/server/stage_state.h"

/* The shares of the file that has been begun; and some of what is left of them.
 * false: there is more. */
void fth_stage_shares_begin(struct fth_staging *staging);
bool fth_stage_shares_write(struct fth_staging *staging, uint64_t *left);
/* Is there nothing to do before another server has answered? */
bool fth_stage_shares_wait(const struct fth_staging *staging);

#endif
