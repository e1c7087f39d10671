/* The processes that a program repeats. With MPI: the ranks of the first world, and what they
 * started. Without: all that make calls which are repeated, or the one that was asked for. Inner
 * header of the proxy room. */
#ifndef FTH_PROXY_PROXY_PROCESSES_H
#define FTH_PROXY_PROXY_PROCESSES_H

#include "proxy/sequence.h"

struct fth_proxy_processes {
    struct fth_trace *trace;
    /* Roots, in order of ranks; behind them what they started; behind all their other threads. */
    struct fth_proxy_process *list;
    size_t root_count, process_count, count;
    bool in_mpi;
    struct fth_proxy_scope scope;
    struct fth_repeat_ways *ways;     /* of the scope */
    struct fth_repeat_places *places; /* the same */
    uint32_t programs;                /* of those that are started */
};

/* Chooses them. `process`: without MPI this one alone; -1: all. What `processes` has is freed by
 * fth_proxy_processes_free in any case. */
int fth_proxy_processes_choose(struct fth_proxy_processes *processes, struct fth_trace *trace,
                               int64_t process, struct fth_error **error);
void fth_proxy_processes_free(struct fth_proxy_processes *processes);

/* Reads all of them, in each case anew. */
int fth_proxy_processes_read(struct fth_proxy_processes *processes, enum fth_proxy_split split,
                             struct fth_proxy_summary *summary, struct fth_error **error);

#endif
