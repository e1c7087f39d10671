/* Instances on several nodes: how many servers, which of them this one is, and coming together. */
#ifndef FTH_CMD_FS_NODES_H
#define FTH_CMD_FS_NODES_H

#include "fs/protocol/instance.h"

/* Sets instance->server_count. `nodes`: what the user said, a number or names of nodes with commas
 * between; NULL: what the launcher that started this process says, which may be one. *self: which
 * of the servers this one is; -1: the first that nobody is. -1: *error is set. */
int fth_cmd_fs_count_nodes(struct fth_fs_instance *instance, const char *nodes, int64_t *self,
                           struct fth_error **error);
/* Meets the others: under_path, prefix, rules and what fth_cmd_fs_count_nodes found are set. Sets
 * instance->server and instance->secret. */
int fth_cmd_fs_meet(struct fth_fs_instance *instance, const char *path, int64_t self,
                    struct fth_error **error);
/* This one does not come. */
void fth_cmd_fs_miss(struct fth_fs_instance *instance);

#endif
