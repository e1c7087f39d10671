/* Which jobs had to wait for which, as the batch system knows. */
#ifndef FTH_WORKFLOW_JOB_EDGES_H
#define FTH_WORKFLOW_JOB_EDGES_H

#include "workflow/workflow.h"

struct fth_job_edge {
    uint32_t from, to; /* steps: the last of one job to end, the first of the other to start */
};

/* *count of them, by `to`; to be freed. jobs[i]: the job of step i, or FTH_NO_STEP. */
struct fth_job_edge *fth_job_edges(const struct fth_workflow *workflow, const uint32_t *jobs,
                                   uint32_t *count);

/* By job: does it have steps here, or is it needed by one that is meant? An accounting file has
 * many others. To be freed. */
bool *fth_jobs_meant(const struct fth_workflow *workflow, const uint32_t *jobs);
/* By job: does this one need it, perhaps through others? To be freed. */
bool *fth_jobs_needed(const struct fth_workflow *workflow, uint32_t job);

#endif
