/* Inner header of the sim room: writes that wait in a cache, found by their place, so that who
 * writes the same bytes again takes no more memory. */
#ifndef FTH_SIM_DIRTY_H
#define FTH_SIM_DIRTY_H

#include "sim/io/task.h"

/* A zeroed one is ready for use. */
struct fth_sim_dirty {
    struct fth_sim_task **buckets;
    uint32_t limit, count;
};

bool fth_sim_dirty_has(const struct fth_sim_dirty *dirty, const struct fth_sim_task *place);
void fth_sim_dirty_add(struct fth_sim_dirty *dirty, struct fth_sim_task *task);
void fth_sim_dirty_remove(struct fth_sim_dirty *dirty, struct fth_sim_task *task);
void fth_sim_dirty_free(struct fth_sim_dirty *dirty);

#endif
