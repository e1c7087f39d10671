/* What one process did before another one, as certain as the calls of those that started them and
 * waited for them. */
#ifndef FTH_WORKFLOW_PROCESS_ORDER_H
#define FTH_WORKFLOW_PROCESS_ORDER_H

#include "workflow/workflow.h"

/* Two processes meet in the nearest process that is one of them, or started both, perhaps through
 * others. `over`: when that one knew of the end of the first process, or FTH_NEVER if it is the
 * first one itself. `begun`: when it began to start the second one; FTH_NEVER: it is that. */
struct fth_process_meeting {
    int64_t over, begun;
};

/* false: it is not known where they meet, or that one has several threads, whose calls may have
 * been in any order. */
bool fth_process_meet(const struct fth_workflow *workflow, uint32_t first, uint32_t second,
                      struct fth_process_meeting *meeting);

#endif
