/* What became of files, in order of time: which steps wrote, read, renamed and deleted them. */
#ifndef FTH_WORKFLOW_FILE_HISTORY_H
#define FTH_WORKFLOW_FILE_HISTORY_H

#include "workflow/graph/data_flow.h"

/* Adds flows, in no order and some of them several times, and contents. */
void fth_workflow_follow_files(struct fth_workflow_graph *graph);

#endif
