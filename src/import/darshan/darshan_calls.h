/* The accesses of DXT as calls: each process is a rank, and its accesses in order of time are those
 * of its threads. */
#ifndef FTH_IMPORT_DARSHAN_CALLS_H
#define FTH_IMPORT_DARSHAN_CALLS_H

#include "import/darshan/darshan_log.h"
#include "import/shared/importer.h"

struct fth_darshan_doubts {
    uint64_t regions;  /* accesses of MPI-IO of which it is not known with what call */
    uint64_t overlaps; /* ranks of which accesses overlap in time */
};

/* 0, or -1 with *error. The accesses are sorted. */
int fth_darshan_make_calls(const char *path, struct fth_darshan_log *log,
                           struct fth_imported_run *run, struct fth_imported *imported,
                           struct fth_darshan_doubts *doubts, struct fth_error **error);

#endif
