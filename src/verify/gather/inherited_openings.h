/* Which opening a descriptor comes from that a process found when it began. Inner header of the
 * verify room. */
#ifndef FTH_VERIFY_GATHER_INHERITED_OPENINGS_H
#define FTH_VERIFY_GATHER_INHERITED_OPENINGS_H

#include "verify/gather/run_accesses.h"

/* When a process was made, and whether that is known exactly: else it is when it was first seen. */
struct fth_made {
    int64_t time;
    bool exactly;
};
struct fth_made fth_made_at(const struct fth_run_accesses *accesses, const struct fth_runs *runs,
                            uint32_t proc, uint32_t parent);

/* By opening: that of the nearest process before this one which had the same descriptor by then,
 * plus 1; of a path of a descriptor ("/proc/123/fd/4") whose file has no name any more, that of the
 * descriptor. 0: it is not known, or this process has opened it itself. To be freed. */
uint32_t *fth_inherited_openings_find(const struct fth_run_accesses *accesses,
                                      const struct fth_runs *runs);

#endif
