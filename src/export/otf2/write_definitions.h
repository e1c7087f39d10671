/* Writes the definitions of an archive. */
#ifndef FTH_EXPORT_OTF2_WRITE_DEFINITIONS_H
#define FTH_EXPORT_OTF2_WRITE_DEFINITIONS_H

#ifdef FATHOM_OTF2
#include "export/otf2/referred.h"
#include "export/otf2/library.h"

/* When all events are written. -1: *error is set. */
int fth_otf2_write_definitions(const struct fth_otf2_definitions *definitions,
                               struct fth_otf2_library *library, struct fth_error **error);

#endif
#endif
