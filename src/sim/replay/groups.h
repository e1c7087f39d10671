/* Communicators of a trace that do not have all processes: who is in them. Inner header of the sim room. */
#ifndef FTH_SIM_GROUPS_OF_TRACE_H
#define FTH_SIM_GROUPS_OF_TRACE_H

#include "base/error.h"
#include "base/keyed.h"
#include "fathom/trace.h"
#include "sim/communicator.h"

#include <string.h>

struct fth_sim_groups {
    struct fth_sim_communicator *communicators;
    uint32_t count;
    struct fth_keyed numbers; /* by rank and number of the handle: of the communicator, plus 1 */
};

/* Does a communicator have all processes, in their order? */
static inline bool fth_sim_group_is_all(const struct fth_handle *group, uint32_t rank,
                                        uint32_t ranks)
{
    if (group->group_name && !strcmp(group->group_name, "MPI_COMM_WORLD"))
        return true;
    return group->group_size == ranks && group->group_rank == rank;
}

static inline bool fth_sim_group_is_part(const struct fth_call *call, uint32_t rank, uint32_t ranks)
{
    return call->group && call->group->group_size != 1 &&
           !fth_sim_group_is_all(call->group, rank, ranks);
}

/* Makes them out from which collective calls belong together: a communicator without any stays unknown. `procs` of the trace are the ranks. */
int fth_sim_groups_make(struct fth_sim_groups *groups, struct fth_trace *trace, const size_t *procs,
                        uint32_t ranks, struct fth_error **error);
/* The number of a communicator of a process, counted from 1; 0: it is not known. */
uint32_t fth_sim_groups_find(const struct fth_sim_groups *groups, uint32_t rank, uint64_t handle);
void fth_sim_groups_drop(struct fth_sim_groups *groups);

#endif
