/* A folder that is renamed takes all below it along. */
#ifndef FTH_WORKFLOW_FOLDER_RENAMES_H
#define FTH_WORKFLOW_FOLDER_RENAMES_H

#include "workflow/workflow.h"

/* Adds a change of the name of each known file below a renamed folder, at the time and of the step
 * of the rename. Once, when all inputs are added, and before the graph is made. Notes what is left
 * out of hostile or very large inputs. */
void fth_workflow_spread_renames(struct fth_workflow *workflow);
/* How long the name of a folder is without slashes at its end. */
size_t fth_workflow_folder_length(const char *name);

#endif
