/* What the counters of a log of Darshan say, as tables. */
#ifndef FTH_IMPORT_DARSHAN_TABLES_H
#define FTH_IMPORT_DARSHAN_TABLES_H

#include "import/darshan/darshan_log.h"
#include "import/shared/importer.h"

/* -1: out of memory, *error says so. */
int fth_darshan_make_tables(const struct fth_darshan_log *log,
                            struct fth_imported_counters *counters, struct fth_error **error);

#endif
