/* Functions that can be called again, by whoever repeats a run. */
#ifndef FTH_REPEAT_KNOWN_ROW_H
#define FTH_REPEAT_KNOWN_ROW_H

#include "catalog/catalog.h"

/* The row of Fathom's own catalogue for the same function with the same meaning and prototype.
 * NULL: it has none. A trace may name any function, of a plug-in, of another version or of who made
 * it to do harm: nobody calls these. */
const struct fth_row *fth_repeat_known_row(const struct fth_row *of_trace);

#endif
