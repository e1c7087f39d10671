/* Communicators of a simulated program: each splits the processes into groups, whose members are
 * counted from 0. */
#ifndef FTH_SIM_PLAN_COMMUNICATOR_H
#define FTH_SIM_PLAN_COMMUNICATOR_H

#include <stdint.h>

enum { FTH_SIM_NO_COLOR = UINT32_MAX }; /* of processes that are in no group of it */

struct fth_sim_communicator {
    uint32_t *members; /* processes, group by group, each in the order of its ranks */
    uint32_t *first;   /* of each process: where its group begins there */
    uint32_t *size;    /* of each process: of its group; 0: it has none */
    uint32_t *rank;    /* of each process: its own in the group */
};

/* Processes of one color make a group, in the order of their keys, equal ones in that of their
 * numbers; `keys` may be NULL. */
void fth_sim_communicator_split(struct fth_sim_communicator *communicator, uint32_t processes,
                                const uint32_t *colors, const uint32_t *keys);
void fth_sim_communicator_free(struct fth_sim_communicator *communicator);

#endif
