/* The steps of a trace: commands that a script, a shell, `make` or an engine of workflows started;
 * or the one command that was recorded. */
#ifndef FTH_WORKFLOW_TRACE_STEPS_H
#define FTH_WORKFLOW_TRACE_STEPS_H

#include "base/error.h"
#include "workflow/workflow.h"

#include <fathom/trace.h>

/* Reads all calls of the trace with so many threads (0: one for each processor), and adds its steps
 * and what they did to files. `path` is how it is named. -1: *error is set, and nothing was
 * added. */
int fth_workflow_add_trace(struct fth_workflow *workflow, struct fth_trace *trace, const char *path,
                           unsigned threads, struct fth_error **error);
/* By process of a trace: its step, as fth_workflow_add_trace numbers the steps if there were none
 * before. *count: how many steps are no scripts. To be freed. */
uint32_t *fth_workflow_steps_of(struct fth_trace *trace, size_t *count);
/* By process of a trace: is it of the step? `owners`: from fth_workflow_steps_of. NULL: it is not
 * the trace that the step is from, but another one of that name. To be freed. */
bool *fth_workflow_processes_of(const struct fth_trace *trace, const uint32_t *owners,
                                const struct fth_workflow_step *step);

#endif
