/* The server of an instance as a process of its own, and what the command says to it. */
#ifndef FTH_CMD_FS_SERVER_H
#define FTH_CMD_FS_SERVER_H

#include "base/bytes.h"
#include "fs/protocol/unsaved.h"
#include "fs/protocol/instance.h"

/* Starts a server for the instance, which outlives this process: its messages go to the file `log`
 * of the instance. -1: *error is set. */
int fth_cmd_fs_start_server(const struct fth_fs_instance *instance, struct fth_error **error);
/* Asks it something without fields. The answer is in `answer`, and `view` is set to its fields. -1:
 * *error is set. */
int fth_cmd_fs_ask(const struct fth_fs_instance *instance, uint8_t kind, struct fth_bytes *answer,
                   struct fth_view *view, struct fth_error **error);
/* fth_unsaved_each over all servers that answer. */
void fth_cmd_fs_each_loss(const struct fth_fs_instance *instance,
                          void (*tell)(const struct fth_unsaved *process,
                                       const struct fth_unsaved_file *file, void *data),
                          void *data);

#endif
