/* The consistency that programs get which know nothing of the file system. */
#ifndef FTH_CMD_FS_MODEL_H
#define FTH_CMD_FS_MODEL_H

#include "fs/protocol/instance.h"

/* Finds the model, a name or a file with one, and sets what the instance says of it: when others
 * have to see what a process writes, and when it has to see what they wrote. Where that cannot be
 * known, always. -1: *error is set. */
int fth_cmd_fs_model(const char *model, struct fth_fs_instance *instance, struct fth_error **error);
/* What programs are to have in LD_PRELOAD; to be freed. -1: *error is set. */
int fth_cmd_fs_preload(char **preload, struct fth_error **error);

#endif
