/* The sampler: a process of Fathom's own on each node of a run, which notes every so often what the
 * node's counters say, and those of the recorded processes there. */
#ifndef FTH_MACHINE_SAMPLER_H
#define FTH_MACHINE_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

struct fth_sampling {
    const char *spill;  /* folder of the processes to watch */
    const char *output; /* where the samples go, a file; it is replaced again and again */
    int64_t interval;   /* ns, FTH_SHORTEST_INTERVAL or more */
    /* a descriptor that hangs up when the run is over; -1: it is when no process is left in the
     * folder, or ... */
    int run;
    const char *stop; /* this file is there; NULL: none */
};
#define FTH_SHORTEST_INTERVAL INT64_C(10000000)
#define FTH_LONGEST_INTERVAL INT64_C(3600000000000)

/* Samples until the run is over. Takes 1 % of a core at most: where a sample costs more, they are
 * taken less often. */
void fth_sample_run(const struct fth_sampling *sampling);
/* For a process that is to become a sampler: a session and descriptors of its own, but for `kept`
 * (-1: none). */
void fth_sampler_step_aside(int kept);

#endif
