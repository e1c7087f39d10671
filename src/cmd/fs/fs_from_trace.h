/* For each file the weakest model that a recorded run says is enough. */
#ifndef FTH_CMD_FS_FROM_TRACE_H
#define FTH_CMD_FS_FROM_TRACE_H

#include "fs/protocol/instance.h"

/* Adds a rule with its reason for each file of the trace that is below; where it is not known what
 * is enough, posix. -1: *error is set, the trace cannot be read, or no file of it is below. */
int fth_cmd_fs_from_trace(const char *trace, struct fth_fs_instance *instance,
                          struct fth_error **error);

#endif
