/* Rounds of calls that do not come again by themselves (model/calls/loops.h): what their calls
 * access, and where they leave the files that stay open. Inner header of the model room. */
#ifndef FTH_MODEL_RANGES_OPENING_ROUNDS_H
#define FTH_MODEL_RANGES_OPENING_ROUNDS_H

#include "model/ranges/following.h"

/* The call that came last has been followed. */
void fth_opening_rounds_keep(struct fth_accesses *accesses);
/* Do the last calls come again, in rounds? Then these are taken. */
bool fth_opening_rounds_come(struct fth_accesses *accesses);

#endif
