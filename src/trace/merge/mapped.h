/* Files that a process has mapped so that what it stores to memory becomes part of them: stores are
 * no calls, and nobody sees them. */
#ifndef FTH_TRACE_MERGE_MAPPED_H
#define FTH_TRACE_MERGE_MAPPED_H

#include "trace/file/blind_spots.h"
#include "trace/state/call_meaning.h"
#include "trace/spill/spill_files.h"

struct fth_mapped_file {
    uint32_t path;  /* of the process's texts */
    uint64_t bytes; /* of its largest mapping */
};

struct fth_mapped {
    struct fth_mapped_file *files;
    size_t count;
};

/* Does the call map a file so? The values are resolved. */
bool fth_maps_to_store(const struct fth_meaning *meaning, const struct fth_signature *signature,
                       const int64_t *values);
void fth_mapped_add(struct fth_mapped *mapped, uint32_t path, uint64_t bytes);

/* A blind spot for each of the files, which may be those that the process has noted
 * (FTH_MAPPED_KEY), too; of many files the rest is one. */
void fth_mapped_report(const struct fth_mapped *mapped, const struct fth_intern *texts,
                       const struct fth_spill_process *process, struct fth_blind_spots *spots);

#endif
