/* From a trace to a small program in C that does the same I/O: `fathom proxy`.
 *
 * What a process called becomes a grammar, whose rules become loops and functions; processes with
 * the same grammar share them. Numbers become expressions of loop counters and the rank, or, where
 * there is no rule in them, tables beside the program. */
#ifndef FTH_PROXY_PROXY_H
#define FTH_PROXY_PROXY_H

#include "base/error.h"

#include <fathom/trace.h>

struct fth_proxy_settings {
    const char *folder; /* to be made; or there, and empty */
    bool anonymous;     /* names of files and objects become numbers */
    int64_t process;    /* without MPI: the number of the process to repeat; -1: all */
    bool grows;         /* the program takes how many times as large its sizes are */
    bool spins;         /* computes between calls as long as the run did, on average */
    bool drawn;         /* numbers without a rule are drawn from their histogram */
};

/* Calls that the program leaves out, and why. */
struct fth_proxy_left_out {
    const char *why;
    const struct fth_function *function;
    uint64_t calls;
};

struct fth_proxy_summary {
    size_t processes;    /* that it stands for: with those that others of them start */
    size_t threads;      /* of these, besides the first one of each */
    size_t roots;        /* that nothing starts: with MPI the ranks */
    size_t groups;       /* of roots: how many different ones */
    size_t others;       /* processes that are left out, without launchers */
    size_t *other_procs; /* which, in ascending order */
    size_t proc;         /* without MPI: the process that it begins with */
    uint64_t calls;      /* that it makes, of all processes */
    uint64_t run_calls;  /* that the run made, of the kinds that are repeated or left out */
    size_t statements;   /* different calls, in all groups together */
    size_t lines;        /* of proxy.c */
    int64_t least_ranks, most_ranks; /* that the program can run with; INT64_MAX: any */
    char *why_ranks;                 /* it cannot run with others; or NULL */
    bool prepares;                   /* files have to be there before: prepare.sh makes them */
    size_t foreign;                  /* but so many, of libraries: it only names them */
    bool with_mpi;
    size_t left_out_count;
    struct fth_proxy_left_out *left_out;
};

/* Writes the program into the folder. Returns 0, or -1 with *error: calls are missing in the trace,
 * there are none to repeat, the folder is not empty or cannot be written to. Before an error of the
 * first kinds nothing is made. `summary` is to be freed in any case. */
int fth_proxy_write(struct fth_trace *trace, const struct fth_proxy_settings *settings,
                    struct fth_proxy_summary *summary, struct fth_error **error);
void fth_proxy_summary_free(struct fth_proxy_summary *summary);

#endif
