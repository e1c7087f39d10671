/* Was Fathom built with the OTF2 library? */
#ifndef FTH_EXPORT_OTF2_OTF2_H
#define FTH_EXPORT_OTF2_OTF2_H

#include <stdbool.h>

extern const bool fth_otf2_is_built_in;

#endif
