/* From the buffers of clients to the folder below: what is attached and not there yet. */
#ifndef FTH_FS_STAGE_OUT_H
#define FTH_FS_STAGE_OUT_H

#include "fs/protocol/instance.h"
#include "fs/server/published.h"

struct fth_stage_out {
    uint64_t files, bytes; /* that were written */
};

/* Which attached bytes: those of `owner` (0: of anybody) of the file `path` (NULL: of all). */
struct fth_stage_out_of {
    uint32_t owner;
    const char *path;
    size_t length;
    bool at_end; /* of the instance: programs do not open files by their names any more */
};

/* Writes what is attached and not clean. A file that is new in the folder below gets its name when all
 * its bytes are there; at the end, a file that has its name already is called otherwise until then, and
 * stays so where it could not be written whole. Goes on after a failure with the next
 * file; -1: *error is set, with the first one. */
int fth_stage_out(struct fth_published *published, const struct fth_fs_instance *instance,
                  const struct fth_stage_out_of *of, struct fth_stage_out *done,
                  struct fth_error **error);

#endif
