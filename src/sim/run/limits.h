/* How long a simulation may take: what a program is expected to cost before it starts, and an end
 * when it costs too much or nobody wants it any more. */
#ifndef FTH_SIM_RUN_LIMITS_H
#define FTH_SIM_RUN_LIMITS_H

#include "sim/run/run.h"

#include <signal.h>

/* So many events take minutes to an hour. */
#define FTH_SIM_USUAL_EVENTS UINT64_C(20000000000)

/* About how many events a program takes that was read from text, within a factor of a few; and the
 * command that takes most of them. */
struct fth_sim_estimate {
    double events, most;
    enum fth_sim_verb verb;
    uint32_t line;
};
struct fth_sim_estimate fth_sim_estimate(const struct fth_sim_program *program,
                                         const struct fth_sim_cluster *cluster);

struct fth_sim_limits {
    uint64_t most_events; /* by fth_sim_effort; 0: as many as it takes */
    double expected;      /* events; 0: not known */
    bool shows_progress;
    const volatile sig_atomic_t *is_interrupted; /* NULL: nobody interrupts it */
};

/* Whether what is expected is within the limit. -1: *error says which line takes most. */
int fth_sim_limits_check(const struct fth_sim_limits *limits,
                         const struct fth_sim_estimate *estimate, struct fth_error **error);
/* Runs the world to its end. -1: it was stopped before that, *error says when. */
int fth_sim_run_within(struct fth_sim_world *world, const struct fth_sim_limits *limits,
                       struct fth_error **error);

#endif
