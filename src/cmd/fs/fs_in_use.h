/* Other instances of this user that serve the same files. */
#ifndef FTH_CMD_FS_IN_USE_H
#define FTH_CMD_FS_IN_USE_H

#include "fs/protocol/instance.h"

/* Two instances that buffer the same files would give their programs different bytes. 0; -1: *error
 * is set, another instance has this folder below or this prefix, or one inside the other, and one
 * of the two is for programs that know nothing of the file system. `parent`: the folder of all
 * instances; `own`: the name of this one. */
int fth_cmd_fs_check_use(const struct fth_fs_instance *instance, const char *parent,
                         const char *own, struct fth_error **error);

#endif
