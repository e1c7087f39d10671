/* The sampler of this node, from the side of `fathom record`. */
#ifndef FTH_CMD_RUN_START_SAMPLER_H
#define FTH_CMD_RUN_START_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct fth_sampler {
    pid_t pid; /* 0: none of ours */
    int run;   /* closed, the run is over */
};

/* Starts it. It ends with us, or, where several `fathom record` share the spill folder, when
 * nothing is recorded on this node any more; then one of them starts it for all. When it cannot be
 * started there are no samples; says so. */
void fth_sampler_start(struct fth_sampler *sampler, const char *spill, int64_t interval,
                       bool for_several);
/* Ends it and waits until it has written what it has. */
void fth_sampler_end(struct fth_sampler *sampler);
/* The same for those of this spill folder that were started for several: of this node, and of
 * others that see the folder. */
void fth_sampler_end_shared(const char *spill);

/* `fathom sample-node SPILL FOLDER INTERVAL`: the sampler of another node, started by the first
 * process that is recorded there. */
int fth_cmd_sample_node(int argc, char **argv);

#endif
