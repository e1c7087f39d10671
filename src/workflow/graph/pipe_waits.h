/* Which of two steps that a pipe joins waited for the other one: a writer waits until its reader
 * makes room in the pipe, a reader until its writer gives it bytes. */
#ifndef FTH_WORKFLOW_PIPE_WAITS_H
#define FTH_WORKFLOW_PIPE_WAITS_H

#include "workflow/graph/data_flow.h"

/* Which of the two waited longer. */
enum fth_pipe_waiter {
    FTH_PIPE_NOT_KNOWN, /* or files join the two, too, or they did not run at the same time */
    FTH_PIPE_WRITER,
    FTH_PIPE_READER,
};

struct fth_pipe_waits {
    enum fth_pipe_waiter *waiter; /* by edge */
    int64_t *time;                /* ns that this one spent in calls on pipes between the two */
    uint32_t *full;               /* edges whose writer waited longer, by writer */
    uint32_t *first;              /* by step, and one behind: its edges in `full` */
};

void fth_pipe_waits_make(struct fth_pipe_waits *waits, const struct fth_workflow_graph *graph);
void fth_pipe_waits_free(struct fth_pipe_waits *waits);

#endif
