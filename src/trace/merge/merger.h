/* A merge in progress: merge.c merges the processes of a spill folder, merge_parts.c copies the
 * parts that MPI worlds have merged. Inner header. */
#ifndef FTH_TRACE_MERGE_MERGER_H
#define FTH_TRACE_MERGE_MERGER_H

#include "trace/merge/counted_bytes.h"
#include "trace/merge/gather_image.h"
#include "trace/file/container.h"
#include "trace/merge/merge.h"
#include "trace/spill/part_files.h"
#include "trace/file/unkept_section.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct fth_merger {
    int file;
    uint64_t at; /* end of what is written */
    const char *path;
    uint64_t processes_at, frame_bytes; /* of the PRCS being written */
    struct fth_bytes *facts;            /* of its processes */
    uint32_t facts_count;
    XXH64_state_t *hash;
    bool *used; /* functions */
    struct fth_bytes buffer;
    uint32_t parts;
    struct fth_part_process *merged; /* of the parts that are there already: their facts */
    size_t merged_count;
    struct fth_part copied; /* strings and signatures of the part that is being copied */
    struct fth_places places;
    struct fth_counted_image *counted; /* of the processes that were gathered */
    size_t counted_count;
    struct fth_unkept_list unkept, summed;
    struct fth_watched_list watched;
    struct fth_image_walk walk; /* of the processes of which nothing was done ahead */
    struct fth_part part;       /* theirs, and what was done ahead */
};

/* Appends bytes to the trace. */
static inline int fth_merger_write(struct fth_merger *merger, const void *bytes, size_t length,
                                   struct fth_error **error)
{
    if (fth_write_at(merger->file, bytes, length, merger->at, merger->path, error))
        return -1;
    merger->at += length;
    return 0;
}
/* Copies the parts in these files, each with its number in this trace. */
int fth_merger_copy_parts(struct fth_merger *merger, const struct fth_part_files *files,
                          struct fth_error **error);

#endif
