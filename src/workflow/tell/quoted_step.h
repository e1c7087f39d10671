/* A step in a sentence. */
#ifndef FTH_WORKFLOW_QUOTED_STEP_H
#define FTH_WORKFLOW_QUOTED_STEP_H

#include "workflow/tell/workflow_facts.h"

/* "'sort -r a.txt' (step 2)"; to be freed. */
char *fth_workflow_quoted_step(const struct fth_workflow_facts *facts, uint32_t number);

#endif
