/* Jobs of a batch system: the table, and what is found about them. */
#ifndef FTH_WORKFLOW_JOB_TABLES_H
#define FTH_WORKFLOW_JOB_TABLES_H

#include "analysis/survey/survey.h"
#include "workflow/tell/workflow_facts.h"

/* What the recorded steps of a job did. */
struct fth_job_use {
    uint32_t steps;
    int64_t start, end; /* of these steps */
    int64_t busy;       /* ns of their threads at most, without what is known to be waiting */
};

/* By job; to be freed. */
struct fth_job_use *fth_job_uses(const struct fth_workflow_facts *facts);
struct fth_table *fth_workflow_job_table(const struct fth_workflow_facts *facts);
/* Adds findings. */
void fth_workflow_job_findings(const struct fth_workflow_facts *facts, struct fth_results *results);

#endif
