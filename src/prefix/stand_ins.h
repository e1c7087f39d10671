/* What the stand-ins for libc tell the rest of the library. */
#ifndef FTH_PREFIX_STAND_INS_H
#define FTH_PREFIX_STAND_INS_H

#include <stdbool.h>

/* Is it a descriptor of ours, which the program knows nothing of? */
bool fth_prefix_is_own(int descriptor);

#endif
