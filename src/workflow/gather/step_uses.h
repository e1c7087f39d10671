/* What the steps of one trace did, from tables of a survey of its calls. Inner header of
 * src/workflow/gather. */
#ifndef FTH_WORKFLOW_STEP_USES_H
#define FTH_WORKFLOW_STEP_USES_H

#include "workflow/gather/process_starts.h"

struct fth_gathered_trace {
    struct fth_workflow *workflow;
    struct fth_trace *trace;
    const char *path;
    int64_t epoch;       /* ns since 1970 when the run started */
    uint32_t *owners;    /* by process: its step */
    uint32_t first;      /* step of this trace */
    uint32_t *became;    /* by process: what it became by exec, if it had no other child; or 0 */
    uint32_t *processes; /* by process: its number in the workflow, with all that it became */
    char *job;
};

/* Adds uses of files, changes of names, and the times of steps. `processes` is filled. */
void fth_step_uses_add(struct fth_gathered_trace *gathering, const struct fth_results *results,
                       const struct fth_process_starts *tree);

#endif
