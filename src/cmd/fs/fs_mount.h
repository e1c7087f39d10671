/* The prefix of an instance as a mount on this node: a process that is mounted there, for programs
 * that nothing can be preloaded into (fs/protocol/mount_note.h). */
#ifndef FTH_CMD_FS_MOUNT_H
#define FTH_CMD_FS_MOUNT_H

#include "fs/protocol/instance.h"
#include "fs/protocol/mount_note.h"

/* AUTO: where it can be; the reason why not is kept for `status`. */
enum fth_cmd_fs_mount { FTH_CMD_FS_MOUNT_AUTO, FTH_CMD_FS_MOUNT_YES, FTH_CMD_FS_MOUNT_NO };

extern const bool fth_cmd_fs_mount_is_built_in;

/* Mounts the prefix of a new instance. What a dead instance has left there is removed. -1: *error
 * is set, as it has to be mounted and cannot be. */
int fth_cmd_fs_mount(const struct fth_fs_instance *instance, enum fth_cmd_fs_mount choice,
                     struct fth_error **error);
/* The same where it was mounted and its process is gone. 1: it is mounted again; 0: there was
 * nothing to do; -1: *error is set. Not while files of one that somebody has unmounted are open. */
int fth_cmd_fs_mount_again(const struct fth_fs_instance *instance, struct fth_error **error);
/* All that was written through the mount is attached; who still uses it gets errors, and a message
 * says so. `is_lost`: nothing can be attached any more, so nobody is waited for. */
void fth_cmd_fs_unmount(const struct fth_fs_instance *instance, bool is_lost);
/* Removes the instance, and the folder that was made for the mount. Not before it has ended on all
 * nodes: who removes a folder unmounts what others have there. */
void fth_cmd_fs_remove(const struct fth_fs_instance *instance);

enum fth_cmd_fs_mount_state {
    FTH_CMD_FS_NOT_MOUNTED, /* `text` says why, if anybody has tried */
    FTH_CMD_FS_MOUNTED,     /* `text` says where */
    FTH_CMD_FS_UNMOUNTED,   /* by somebody else, while files there were open, which still are */
    FTH_CMD_FS_MOUNT_ENDED, /* its process was killed, or somebody else has unmounted it */
};
enum fth_cmd_fs_mount_state fth_cmd_fs_mount_state(const struct fth_fs_instance *instance,
                                                   char text[FTH_MOUNT_TEXT]);

#endif
