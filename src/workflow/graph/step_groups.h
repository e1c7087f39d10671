/* Steps that something joins: one trace, one job, and what their user joins beside these. */
#ifndef FTH_WORKFLOW_STEP_GROUPS_H
#define FTH_WORKFLOW_STEP_GROUPS_H

#include "workflow/workflow.h"

/* By step; to be freed. Those of one trace or job are joined. */
uint32_t *fth_step_groups_new(const struct fth_workflow *workflow);
void fth_step_groups_join(uint32_t *groups, uint32_t one, uint32_t other);
/* The lowest step of the group of a step. */
uint32_t fth_step_group(uint32_t *groups, uint32_t step);

#endif
