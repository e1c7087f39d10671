/* What each process spends its time on: see the source. */
#ifndef FTH_SIM_WORLD_SPLIT_H
#define FTH_SIM_WORLD_SPLIT_H

#include "sim/plan/program_commands.h"

struct fth_sim_process;
struct fth_sim_world;

/* ns; together the time up to the end of the process. */
struct fth_sim_split {
    int64_t computing, messages, io, waiting;
};

/* After the run. */
const struct fth_sim_split *fth_sim_world_split(const struct fth_sim_world *world, uint32_t rank);

static inline bool fth_sim_is_io(enum fth_sim_verb verb)
{
    return verb >= FTH_SIM_FILE_OPEN;
}

/* A command of the program begins, and is over. */
void fth_sim_split_begin(struct fth_sim_process *process);
void fth_sim_split_end(struct fth_sim_process *process, enum fth_sim_verb verb, int64_t elapsed);

#endif
