/* What the files of a staging share: the file that is being written, and failures. Inner header of
 * the fs room. */
#ifndef FTH_FS_STAGE_STATE_H
#define FTH_FS_STAGE_STATE_H

#include "fs/server/stage_out.h"

static inline struct fth_published_file *fth_staging_file(const struct fth_staging *staging)
{
    return fth_keyed_item(&staging->published->files, staging->file);
}
void fth_staging_fail(struct fth_staging *staging, struct fth_error *error);
static inline void fth_staging_spend(uint64_t *left, uint64_t bytes)
{
    enum { TURN = 4096 /* bytes that it counts as to look at a file, or at an interval */ };
    uint64_t cost = bytes > TURN ? bytes : TURN;
    *left = *left > cost ? *left - cost : 0;
}
static inline bool fth_staging_is_here(const struct fth_staging *staging,
                                       const struct fth_interval *interval)
{
    return fth_server_of(interval->owner) == staging->instance->server;
}
/* The file that is written here: false: it cannot be opened, and it has failed. */
bool fth_staging_open(struct fth_staging *staging);

#endif
