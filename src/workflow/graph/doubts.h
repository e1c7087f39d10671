/* What a graph cannot tell: sentences for the notes of its workflow. */
#ifndef FTH_WORKFLOW_DOUBTS_H
#define FTH_WORKFLOW_DOUBTS_H

#include "workflow/graph/data_flow.h"

/* Are these several workflows, do clocks differ, is a file of one host that of another one? `graph`
 * is of this workflow, and stays as it is. */
void fth_workflow_note_doubts(struct fth_workflow *workflow,
                              const struct fth_workflow_graph *graph);

#endif
