/* How each access is made: independent or collective, and what is asked of MPI-IO; with the reason.
 * Inner header of the room gen. */
#ifndef FTH_GEN_CHOOSE_H
#define FTH_GEN_CHOOSE_H

#include "gen/choose/simulate_access.h"

/* Chooses for all accesses of the model, and for its files; where there is a cluster, by what is
 * fastest on it. -1: processes write to the same
 * elements, or outside of a variable; *error is set. */
int fth_gen_choose(struct fth_gen_model *model, const struct fth_gen_clusters *clusters,
                   struct fth_error **error);

#endif
