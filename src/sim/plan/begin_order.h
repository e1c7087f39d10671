/* Groups of processes that begin when others have begun or ended: steps of a workflow. A group has
 * begun with its processes. It has ended with the last of them, but no earlier than is said. */
#ifndef FTH_SIM_PLAN_BEGIN_ORDER_H
#define FTH_SIM_PLAN_BEGIN_ORDER_H

#include <stdint.h>

enum fth_sim_behind {
    FTH_SIM_BEHIND_END,   /* `to` begins no earlier than `delay` behind the end of `from` */
    FTH_SIM_BEHIND_BEGIN, /* the same, behind its begin */
    FTH_SIM_ENDS_BEHIND,  /* `to` ends no earlier than `delay` behind the end of `from` */
    /* Processes of `to` get past a command that holds them no earlier than `delay` behind the end
     * of `from`: who reads a pipe to its end waits for those who write to it. */
    FTH_SIM_HOLDS,
};

/* Of two groups. Edges go in no circle: groups in one never begin. */
struct fth_sim_begin_edge {
    uint32_t from, to;
    enum fth_sim_behind kind;
    int64_t delay; /* ns, at least 0 */
};

struct fth_sim_begin_order {
    uint32_t group_count, edge_count;
    const struct fth_sim_begin_edge *edges; /* by `from` */
    /* By group, and one behind the last: its first process. */
    const uint32_t *first_process;
    const int64_t *begins;  /* by group: ns from the start of the run, no earlier than that */
    const int64_t *lengths; /* by group: ns that it lasts if it has no processes */
};

/* When a group began and ended; what its begin waited for last, and its end. */
struct fth_sim_group_times {
    int64_t begun, ended; /* ns; -1: it did not */
    /* Numbers of the edges; UINT32_MAX: of none. `held`: what its end, or a
     * process that was held, waited for last. */
    uint32_t behind, held;
};

#endif
