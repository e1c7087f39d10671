/* A file of the folder below into which attached bytes are written. */
#ifndef FTH_FS_STAGE_TARGET_H
#define FTH_FS_STAGE_TARGET_H

#include "fs/protocol/buffer_file.h"
#include "fs/protocol/instance.h"
#include "fs/server/published.h"

#include <time.h>

struct fth_stage_target {
    char path[PATH_MAX]; /* its name when it is whole */
    char part[PATH_MAX]; /* its name until then; "": it has its own */
    bool is_kept;        /* under that name, where it does not become whole */
    int file;
    uint8_t *piece;           /* bytes on their way */
    struct timespec times[2]; /* that it keeps, for futimens */
};

/* -1: *error is set. */
int fth_stage_target_open(struct fth_stage_target *target, const struct fth_published_file *file,
                          int under, const char *path, bool at_end, struct fth_error **error);
enum { FTH_STAGE_GONE = -2, FTH_STAGE_LOST = -3 };

/* Writes the bytes from `from` to `to` of an interval of a client of this node. FTH_STAGE_LOST:
 * they are not in its buffer any more. -1: another failure. *error is set in both cases. */
int fth_stage_target_write(struct fth_stage_target *target, const struct fth_fs_instance *instance,
                           struct fth_keyed *buffers, const struct fth_interval *interval,
                           uint64_t from, uint64_t to, struct fth_error **error);
/* Between these two, nothing is written for a while: its times are those that its program gave it,
 * and the program may give it others. */
void fth_stage_target_rest(const struct fth_stage_target *target);
void fth_stage_target_resume(struct fth_stage_target *target);
/* The file is at least as long. */
int fth_stage_target_lengthen(const struct fth_stage_target *target, uint64_t end,
                              struct fth_error **error);
/* `whole`: it gets its name; else nothing is left of what is new. */
int fth_stage_target_close(struct fth_stage_target *target, int under, bool whole,
                           struct fth_error **error);
/* Writes what another server asks for: file, name below (or "": it is held here), end, intervals of
 * clients of this node. The bytes; FTH_STAGE_GONE: it is not held, as it was not found by a server
 * that was started again; FTH_STAGE_LOST: some bytes are not in the buffers any more, maybe
 * as others were attached over them; -1: *error is set. */
int64_t fth_stage_target_part(struct fth_published *published,
                              const struct fth_fs_instance *instance, struct fth_view *fields,
                              struct fth_error **error);

#endif
