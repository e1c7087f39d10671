/* What a workflow would take on clusters of the simulator. */
#ifndef FTH_WORKFLOW_SIMULATED_TABLES_H
#define FTH_WORKFLOW_SIMULATED_TABLES_H

#include "analysis/survey/survey.h"
#include "workflow/tell/workflow_facts.h"

/* Adds the tables `simulated`, `simulated_path` and `simulated_steps`; nothing if no cluster is
 * named. */
void fth_workflow_simulated_tables(const struct fth_workflow_facts *facts,
                                   struct fth_results *results);
/* What is not known of the simulated runs, as notes of the workflow. */
void fth_workflow_note_simulated(struct fth_workflow *workflow,
                                 const struct fth_simulated_workflow *simulated);
/* "On pvs, by simulation, they cost 300 ms of the 3.4 s ...": what files that pass from one step to
 * one other cost there; NULL: it is not known. To be freed. */
char *fth_workflow_passing_gain(const struct fth_workflow_facts *facts);

#endif
