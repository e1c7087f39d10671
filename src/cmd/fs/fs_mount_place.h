/* Where an instance is mounted: whether it may be, and how it is unmounted. */
#ifndef FTH_CMD_FS_MOUNT_PLACE_H
#define FTH_CMD_FS_MOUNT_PLACE_H

#include "fs/protocol/instance.h"

#include <sys/types.h>

struct fth_cmd_fs_place {
    char path[PATH_MAX]; /* without links in it */
    bool was_made;       /* the folder was not there */
};

/* Finds or makes the folder of the prefix, and unmounts what a dead instance has left there.
 * `is_wanted`: files that are there are hidden. false: `why` (`room` bytes) says what is wrong. */
bool fth_cmd_fs_place_find(const struct fth_fs_instance *instance, bool is_wanted,
                           struct fth_cmd_fs_place *place, char *why, size_t room);
/* The path of a folder that need not be there, and may be a mount that does not answer any more.
 * false: errno is set. */
bool fth_cmd_fs_place_resolve(const char *prefix, char path[PATH_MAX]);
/* Is one of ours there for this process? Where that cannot be seen, it is. */
bool fth_cmd_fs_place_is_mounted(const char *path, pid_t process);
/* Unmounts it; who uses it keeps what it has open, but cannot come back. `asks`: first without
 * that, as long as somebody who ends may need. false: it was in use. */
bool fth_cmd_fs_place_leave(const char *path, bool asks);
/* Unmounts all that an instance has left there, and nothing else. */
void fth_cmd_fs_place_clear(const char *path);

#endif
