/* Inner header: the tree of calls of a process, and of the run, while calls come. */
#ifndef FTH_OVERVIEW_PROFILE_H
#define FTH_OVERVIEW_PROFILE_H

#include "base/indexed.h"
#include "overview/lane_bins.h"

/* All zero but for `axis`: no calls yet. */
struct fth_overview_profile {
    const struct fth_overview_axis *axis; /* of the parts of nodes */
    struct fth_indexed nodes;             /* of struct fth_overview_growing_node */
};

/* The node of a function called in that of `parent`; FTH_OVERVIEW_ROOT: called in none. `source`:
 * number of the line that calls it plus 1; 0: none. With
 * FTH_OVERVIEW_NODES of them no more are made: a call counts at its parent, or nowhere
 * (FTH_OVERVIEW_ROOT). */
uint32_t fth_overview_node(struct fth_overview_profile *profile, uint32_t parent, uint32_t function,
                           uint32_t source);
/* A call of this node, which moved moved[0] bytes by reading, moved[1] by writing. */
void fth_overview_spend(struct fth_overview_profile *profile, uint32_t node, int64_t start,
                        int64_t end, const uint64_t moved[2], bool failed);
/* Adds what process `proc` did, and frees it. sources[number]: what a source is in the run. */
void fth_overview_profile_merge(struct fth_overview_profile *into,
                                struct fth_overview_profile *from, uint32_t proc,
                                const uint32_t *sources);
/* Gives the overview its nodes, and frees the profile. */
void fth_overview_profile_collect(struct fth_overview_profile *profile,
                                  struct fth_overview *overview);

#endif
