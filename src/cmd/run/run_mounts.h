/* What was mounted on the nodes of a run. */
#ifndef FTH_CMD_RUN_RUN_MOUNTS_H
#define FTH_CMD_RUN_RUN_MOUNTS_H

#include "cmd/run/run.h"
#include "trace/file/mount_section.h"

struct fth_run_mounts {
    struct fth_mounts *nodes;
    size_t count;
};

/* This node's as they are, if it is that of the run, and other nodes' as their first process has
 * found them: HOST.mounts in the spill folder. */
void fth_run_take_mounts(const struct fth_cmd_run *run, struct fth_run_mounts *mounts);
void fth_run_forget_mounts(struct fth_run_mounts *mounts);

#endif
