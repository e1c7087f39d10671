/* Calls of one thread that cut a file off, counted by where they begin. Inner header of the verify
 * room. */
#ifndef FTH_VERIFY_COMPARE_CUT_RUNS_H
#define FTH_VERIFY_COMPARE_CUT_RUNS_H

#include "verify/gather/run_accesses.h"

/* A call that cuts off. */
struct fth_cut_call {
    uint32_t situation, file;
    uint32_t behind; /* of the first one of a thread: place behind the last one of it */
    uint64_t start;
};

/* Runs of cuts of one thread that come one behind the other, and differ in nothing but when they
 * were and where they begin: what is in no order with all of a run has the same verdict with each
 * of them. */
struct fth_cut_runs;
/* Of cuts by file, thread and call, which stay where they are. */
struct fth_cut_runs *fth_cut_runs_new(const struct fth_situation *situations,
                                      const struct fth_cut_call *cuts, size_t count);
void fth_cut_runs_free(struct fth_cut_runs *runs);

/* Place behind the last cut of the run that this one is of. */
size_t fth_cut_runs_end(const struct fth_cut_runs *runs, size_t at);
/* How many of the cuts [from, to) begin below `end`; the first one of them that does, and that
 * begins above `start`; or `to`. */
uint64_t fth_cut_runs_below(const struct fth_cut_runs *runs, size_t from, size_t to, uint64_t end);
size_t fth_cut_runs_first_below(const struct fth_cut_runs *runs, size_t from, size_t to,
                                uint64_t end);
size_t fth_cut_runs_first_above(const struct fth_cut_runs *runs, size_t from, size_t to,
                                uint64_t start);

#endif
