/* Which truncations had nothing to remove, as the trace shows. Inner header of the verify room.
 *
 * Opening a file with O_CREAT and O_TRUNC says nothing of what was there. It made the file if the
 * name is known to have been missing: somebody looked for it in vain, or removed it, or made the
 * folder above it, and nobody may have made the name since, in any order of the calls. What made a
 * file removed nothing; neither did what cut it off while it was no longer than that. */
#ifndef FTH_VERIFY_GATHER_NEW_FILES_H
#define FTH_VERIFY_GATHER_NEW_FILES_H

#include "verify/gather/run_accesses.h"
#include "verify/gather/runs.h"

/* Sets `removes_nothing` and `perhaps_nothing` of situations, and takes `cuts` from the touches
 * that made files. Of accesses whose files are known; the order is settled, that between runs,
 * too. */
void fth_new_files_find(struct fth_run_accesses *accesses, uint32_t file_count,
                        const struct fth_runs *runs);

#endif
