/* What a faster file system, or another order of the steps, would save. */
#ifndef FTH_WORKFLOW_WHAT_IF_TABLE_H
#define FTH_WORKFLOW_WHAT_IF_TABLE_H

#include "analysis/survey/survey.h"
#include "workflow/tell/workflow_facts.h"

struct fth_table *fth_workflow_what_if_table(const struct fth_workflow_facts *facts);
/* Adds a finding if I/O holds much of the workflow. */
void fth_workflow_what_if_findings(const struct fth_workflow_facts *facts,
                                   struct fth_results *results);

#endif
