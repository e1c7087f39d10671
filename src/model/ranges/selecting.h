/* A door for who asks only which bytes calls access: what they select of datasets and variables is
 * not followed, which costs time. */
#ifndef FTH_MODEL_RANGES_SELECTING_H
#define FTH_MODEL_RANGES_SELECTING_H

#include <fathom/access.h>

/* `selected` of accesses is empty. Must be asked for before the first call. */
void fth_accesses_without_selections(struct fth_accesses *accesses);

#endif
