/* Findings about how steps share the processors and the time: phases of one processor, steps that
 * start late, steps of one kind that are unlike. */
#ifndef FTH_WORKFLOW_PHASE_FINDINGS_H
#define FTH_WORKFLOW_PHASE_FINDINGS_H

#include "analysis/survey/survey.h"
#include "workflow/tell/workflow_facts.h"

/* Adds findings. */
void fth_workflow_phase_findings(const struct fth_workflow_facts *facts,
                                 struct fth_results *results);

#endif
