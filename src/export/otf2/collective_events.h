/* The events of a collective call of MPI. */
#ifndef FTH_EXPORT_OTF2_COLLECTIVE_EVENTS_H
#define FTH_EXPORT_OTF2_COLLECTIVE_EVENTS_H

#ifdef FATHOM_OTF2
#include "export/otf2/location.h"
#include "export/otf2/referred.h"

/* Of the call that the location has just entered. */
void fth_otf2_put_collective(const struct fth_otf2_definitions *definitions,
                             struct fth_otf2_location *location, const struct fth_export_part *part,
                             const struct fth_call *call);

#endif
#endif
