/* Pipes between steps of which only one end is seen. Inner header of src/workflow/gather. */
#ifndef FTH_WORKFLOW_PIPE_ENDS_H
#define FTH_WORKFLOW_PIPE_ENDS_H

#include "workflow/gather/step_uses.h"

/* Says which pipes were made in this trace, and written by a step, but read by nobody who was seen;
 * or the other way round. `uses`: the table of uses of files. `made`: by the name of a pipe. */
void fth_pipe_ends_note(struct fth_gathered_trace *gathering, const struct fth_table *uses,
                        const struct fth_keyed *made);

#endif
