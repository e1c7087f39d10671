/* The workflow of a run of many steps, for its page. */
#ifndef FTH_CMD_SHARED_WORKFLOW_PART_H
#define FTH_CMD_SHARED_WORKFLOW_PART_H

#include "base/error.h"
#include "base/sink.h"

#include <fathom/trace.h>

/* Reads all calls, and writes the workflow as the page wants it (docs/page.md); nothing if the run
 * is of one step. `path`: what the trace is called. `jobs`: threads, 0: one per processor. 0, or -1
 * with *error set. */
int fth_cmd_pack_workflow(struct fth_sink *to, struct fth_trace *trace, const char *path,
                          unsigned jobs, struct fth_error **error);

#endif
