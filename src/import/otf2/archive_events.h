/* What is done with the events of a location. */
#ifndef FTH_IMPORT_OTF2_ARCHIVE_EVENTS_H
#define FTH_IMPORT_OTF2_ARCHIVE_EVENTS_H

#ifdef FATHOM_OTF2
#include "import/otf2/archive_calls.h"

/* The callbacks for `OTF2_Reader_RegisterEvtCallbacks`, of which a struct fth_archive_reading is
 * the argument. */
OTF2_EvtReaderCallbacks *fth_archive_event_callbacks(void);

#endif
#endif
