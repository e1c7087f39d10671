/* The OTF2 library, as long as it can write. Where it cannot (a full disk), it says so, goes on
 * with memory that it has freed, and crashes (3.0). So all calls of it are made in functions that
 * are left where it complains, by all threads and for good. */
#ifndef FTH_EXPORT_OTF2_LIBRARY_H
#define FTH_EXPORT_OTF2_LIBRARY_H

#ifdef FATHOM_OTF2
#include "base/error.h"

#include <otf2/otf2.h>

#include <stdatomic.h>

struct fth_otf2_library {
    OTF2_Archive *archive;
    const char *folder; /* that it is in */
    _Atomic bool has_failed;
    const char *complaint; /* the first one: there before it has failed */
};

/* An archive in this folder, open for events. -1: *error is set. */
int fth_otf2_open(struct fth_otf2_library *library, const char *folder, struct fth_error **error);
/* -1: *error is set: it has failed, now or before. What `function` holds when it is left, is
 * lost. */
int fth_otf2_use(struct fth_otf2_library *library, void (*function)(void *argument), void *argument,
                 struct fth_error **error);
/* The same. */
int fth_otf2_close(struct fth_otf2_library *library, struct fth_error **error);

#endif
#endif
