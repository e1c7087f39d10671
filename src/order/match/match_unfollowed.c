/* Calls that communicate with another process in a way that cannot be followed. They are kept
 * for what may have come before (possible.c). */
#include "base/memory.h"
#include "order/match/match.h"

#include <stdio.h>
#include <string.h>

void fth_match_unfollowed(struct fth_matching *matching, const char *means,
                          struct fth_unfollowed call)
{
    call.means = fth_intern(&matching->unfollowed_means, means, strlen(means) + 1);
    FTH_GROW(matching->unfollowed, matching->unfollowed_count);
    matching->unfollowed[matching->unfollowed_count++] = call;
}

const char *fth_match_means(const struct fth_matching *matching, uint32_t number)
{
    size_t length;
    return (const char *)fth_interned(&matching->unfollowed_means, number, &length);
}

/* Who accesses the memory of another process may find there what somebody has left. */
void fth_match_remotes(struct fth_matching *matching)
{
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (size_t k = 0; k < process->mpi.remote_count; k++) {
            const struct fth_order_remote *remote = &process->mpi.remotes[k];
            uint32_t member = fth_order_operation(process, remote->operation).member;
            if (member >= process->mpi.member_count ||
                process->mpi.members[member].group == FTH_NO_GROUP)
                continue;
            char means[64];
            snprintf(means, sizeof means, "one-sided communication with window %u",
                     process->mpi.members[member].group);
            fth_match_unfollowed(matching, means,
                                 (struct fth_unfollowed){.proc = i,
                                                         .operation = remote->operation,
                                                         .start = remote->start,
                                                         .end = remote->end,
                                                         .releases = true,
                                                         .acquires = true});
        }
    }
}
