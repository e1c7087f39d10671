/* Records of Recorder as calls of a process. */
#ifndef FTH_IMPORT_RECORDER_CALLS_H
#define FTH_IMPORT_RECORDER_CALLS_H

#include "import/recorder/recorder_trace.h"
#include "import/shared/importer.h"

struct fth_recorder_process {
    struct fth_imported_run *run;
    struct fth_imported_stream *stream;
    int64_t start; /* ns since 1970 */
    bool *open;    /* descriptors of which the open is known: FTH_SLOT_LIMIT of them */
    uint64_t regions;
};

/* The next record becomes a call. False: its arguments are not those of its function. */
bool fth_recorder_put(struct fth_recorder_process *process, const struct fth_recorder_trace *trace,
                      const struct fth_recorder_record *record);

#endif
