/* Communicators and windows of a trace: their members, neighbours, and the epochs of windows.
 * Inner header of the sim room. */
#ifndef FTH_SIM_REPLAY_GROUPS_H
#define FTH_SIM_REPLAY_GROUPS_H

#include "base/error.h"
#include "base/keyed.h"
#include "fathom/trace.h"
#include "sim/plan/communicator.h"

#include <string.h>

enum fth_sim_group_kind { FTH_SIM_GROUP_UNKNOWN, FTH_SIM_GROUP_SELF, FTH_SIM_GROUP_KNOWN };

/* For each epoch the number of a list of ranks; FTH_SIM_NO_LIST: it is not known. */
#define FTH_SIM_NO_LIST UINT32_MAX
struct fth_sim_epochs {
    uint32_t *lists, count;
};

/* What a communicator, window or file is to a process. Of an intercommunicator the program's
 * communicator has both sides, one behind the other. */
struct fth_sim_replay_group {
    enum fth_sim_group_kind kind;
    bool is_used, is_world; /* calls are on it; it is MPI_COMM_WORLD itself */
    uint32_t communicator;  /* of the program; 0: all processes in their order */
    uint32_t group;         /* a number that all members have, and nobody else */
    bool has_sides;
    uint32_t own, other, other_size; /* ranks where the own side and the other one begin; else 0 */
    /* Ranks of neighbours: those that one hears of as calls name them (UINT32_MAX: nobody), and
     * behind them those that hear of oneself. */
    bool has_neighbours, is_disordered;
    uint32_t neighbours, source_count, destination_count; /* in `ranks` of all groups */
    struct fth_sim_epochs reaches, exposed;
};

struct fth_sim_groups {
    bool are_known; /* somebody asked for them */
    struct fth_sim_communicator *communicators;
    uint32_t count, group_count;
    struct fth_keyed places; /* struct fth_sim_replay_group, by rank and number of the handle */
    uint32_t *ranks, rank_count;
    struct fth_intern lists; /* of ranks of all processes, in epochs */
};

/* Does a communicator have all processes, in their order? */
static inline bool fth_sim_group_is_all(const struct fth_handle *group, uint32_t rank,
                                        uint32_t ranks)
{
    if (group->group_name && !strcmp(group->group_name, "MPI_COMM_WORLD"))
        return true;
    return group->group_size == ranks && group->group_rank == rank;
}

/* Whether the call cannot be replayed by who does not know more of its communicator than its
 * size. */
bool fth_sim_groups_needed(const struct fth_call *call, uint32_t rank, uint32_t ranks);
/* Makes all of them out. `procs` of the trace are the ranks. */
int fth_sim_groups_make(struct fth_sim_groups *groups, struct fth_trace *trace, const size_t *procs,
                        uint32_t ranks, struct fth_error **error);
/* What a handle is to a process; NULL: it is not known. */
struct fth_sim_replay_group *fth_sim_groups_find(const struct fth_sim_groups *groups, uint32_t rank,
                                                 uint64_t handle);
/* The ranks of a list, of which it has *count. */
const uint32_t *fth_sim_groups_list(const struct fth_sim_groups *groups, uint32_t list,
                                    uint32_t *count);
void fth_sim_groups_drop(struct fth_sim_groups *groups);

#endif
