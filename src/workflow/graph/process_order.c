/* Who knows of the end of a process knows, when it ends itself, what that process knew; and who is
 * started knows what its parent knew then. So ends go up the tree, and begins do (Lamport 1978). A
 * parent has a lower number than its children: the higher number goes up. */
#include "workflow/graph/process_order.h"

bool fth_process_meet(const struct fth_workflow *workflow, uint32_t first, uint32_t second,
                      struct fth_process_meeting *meeting)
{
    const struct fth_workflow_process *processes = workflow->processes;
    *meeting = (struct fth_process_meeting){FTH_NEVER, FTH_NEVER};
    if (first >= workflow->process_count || second >= workflow->process_count)
        return false;
    while (first != second) {
        uint32_t *up = first > second ? &first : &second;
        const struct fth_workflow_process *process = &processes[*up];
        int64_t time = up == &first ? process->gone : process->started;
        if (process->parent == FTH_NO_STEP || time == FTH_NEVER)
            return false;
        if (up == &first)
            meeting->over = time;
        else
            meeting->begun = time;
        *up = process->parent;
    }
    return processes[first].one_thread;
}
