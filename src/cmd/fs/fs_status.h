/* What an instance holds, as a page. */
#ifndef FTH_CMD_FS_STATUS_H
#define FTH_CMD_FS_STATUS_H

#include "cmd/shared/page_options.h"
#include "fs/protocol/instance.h"

int fth_cmd_fs_status(const struct fth_fs_instance *instance, const struct fth_cmd_page *page,
                      struct fth_error **error);

#endif
