/* Stripes of the files of a run, on file systems that spread files over servers. */
#ifndef FTH_CMD_RUN_RUN_STRIPES_H
#define FTH_CMD_RUN_RUN_STRIPES_H

#include "cmd/run/run_mounts.h"

/* Asks for those of this node's processes, and adds them to the trace, which is whole. Where a
 * server does not answer in time there are none. Costs nothing where nothing of that kind is
 * mounted. */
void fth_run_add_stripes(const struct fth_cmd_run *run, const struct fth_run_mounts *mounts);

#endif
