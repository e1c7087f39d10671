/* From what is read of a log of Darshan to calls, and to sentences on what is missing. */
#ifndef FTH_IMPORT_DARSHAN_H
#define FTH_IMPORT_DARSHAN_H

#include "import/darshan/darshan_log.h"
#include "import/shared/importer.h"

/* 0, or -1 with *error. The accesses of the log are sorted. */
int fth_darshan_make_trace(const char *path, struct fth_darshan_log *log,
                           struct fth_imported_run *run, struct fth_imported *imported,
                           struct fth_error **error);

#endif
