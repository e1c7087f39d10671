/* Which programs of a run were not seen, as far as the others show. */
#ifndef FTH_TRACE_MERGE_UNSEEN_PROGRAMS_H
#define FTH_TRACE_MERGE_UNSEEN_PROGRAMS_H

#include "trace/file/blind_spots.h"
#include "trace/spill/spill_files.h"

/* Adds programs that processes of the folder started and that left nothing behind: what was started
 * and why it was not seen; and what a process itself says that it could not see. Each is said once.
 * Returns how many processes still run that have left nothing yet, which it adds, too; where the
 * run `is_over`, none is looked for. */
size_t fth_unseen_programs(const struct fth_spill_folder *folder, bool is_over,
                           struct fth_blind_spots *spots);

#endif
