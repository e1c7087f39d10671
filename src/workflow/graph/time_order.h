/* The order of steps as far as only times tell it. */
#ifndef FTH_WORKFLOW_TIME_ORDER_H
#define FTH_WORKFLOW_TIME_ORDER_H

#include "workflow/workflow.h"

/* By step, to be freed: the step that ended last before this one began, or FTH_NO_STEP. Of those
 * that the same script started; of the first ones of a script, among all steps of the same group
 * on the same node, by whose clock all of them are timed. */
uint32_t *fth_steps_before(const struct fth_workflow *workflow, uint32_t *groups);

#endif
