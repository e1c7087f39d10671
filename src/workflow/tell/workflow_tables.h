/* The tables and findings of a workflow. */
#ifndef FTH_WORKFLOW_TABLES_H
#define FTH_WORKFLOW_TABLES_H

#include "analysis/survey/survey.h"
#include "workflow/tell/workflow_facts.h"

enum { FTH_WORKFLOW_STEP_COLUMN = 0 }; /* of the table `steps`: the number of the step */

/* Adds the tables `graph` (boxes), `critical_programs`, `critical_path`, `steps`, `edges`,
 * `files`, `jobs`, `handovers` and `what_if`, and those of simulated_tables.h. Times are ns since
 * the workflow started. */
void fth_workflow_tables(const struct fth_workflow_facts *facts, struct fth_results *results);
/* Adds findings, sorted. */
void fth_workflow_findings(const struct fth_workflow_facts *facts, struct fth_results *results);

#endif
