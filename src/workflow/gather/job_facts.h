/* What batch systems say of jobs, as text: `sacct -P`, `scontrol show job` and the completion file
 * (jobcomp/filetxt) of Slurm; `qstat -f` of PBS; `bjobs -o` of LSF with a bar between columns. */
#ifndef FTH_WORKFLOW_JOB_FACTS_H
#define FTH_WORKFLOW_JOB_FACTS_H

#include "base/error.h"
#include "workflow/workflow.h"

/* Adds the jobs of the file, or what it says more of those that are there. The file is untrusted;
 * what it lacks stays unknown. -1: *error is set. */
int fth_workflow_add_jobs(struct fth_workflow *workflow, const char *path,
                          struct fth_error **error);

#endif
