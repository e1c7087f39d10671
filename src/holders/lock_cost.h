/* What lock tokens cost: how many requests of a workload the global manager grants (alpha), the
 * manager of the node answers (beta), and end in a conflict (gamma), per node; T = alpha Ts + beta
 * Tl + gamma Tc (C. Wang, 2022, 5.5). Workloads: each process makes `operations` requests of one
 * block in ascending order, and the processes of all nodes come in a random order at each step. */
#ifndef FTH_LOCK_COST_H
#define FTH_LOCK_COST_H

#include "holders/lock_tokens.h"

enum fth_workload {
    FTH_WORKLOAD_FPP,        /* a file for each process */
    FTH_WORKLOAD_CONTIGUOUS, /* one file; process j has blocks [j M, (j + 1) M) */
    FTH_WORKLOAD_STRIDED,    /* one file; the i-th request of process j is block i P + j */
};

struct fth_lock_work {
    enum fth_workload workload;
    enum fth_grant grant;
    enum fth_give give;
    uint32_t nodes, processes; /* of each node */
    uint32_t operations;       /* of each process */
    uint32_t runs;             /* random orders that the means are over */
    uint64_t seed;
};

/* Means per node and run. */
struct fth_lock_cost {
    double granted, local, conflicts;
};

struct fth_lock_cost fth_lock_cost(const struct fth_lock_work *work);

#endif
