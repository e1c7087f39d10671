/* What each process spends its time on. Computing: commands that compute, and what it reduces.
 * Waiting: being idle. I/O:
 * commands on files, and waiting for those that were begun. Of commands that send or receive:
 * messages, while any is on its way from the process or to it; waiting, the rest, when it is others
 * who have not come so far. A command is divided when it is over, so that the parts of a process
 * add up to its end. */
#include "sim/world/split.h"

#include "sim/world/world.h"

static int64_t moved_until_now(const struct fth_sim_process *process)
{
    int64_t now = process->world->engine.now;
    return process->moved + (process->moving ? now - process->moving_since : 0);
}

void fth_sim_split_begin(struct fth_sim_process *process)
{
    process->moved_before = moved_until_now(process);
    process->reduced_before = process->reduced;
    process->has_begun_io = process->begun_io > 0;
}

void fth_sim_split_end(struct fth_sim_process *process, enum fth_sim_verb verb, int64_t elapsed)
{
    struct fth_sim_split *split = &process->split;
    if (verb == FTH_SIM_COMPUTE) {
        split->computing += elapsed;
        return;
    }
    if (verb == FTH_SIM_IDLE) {
        split->waiting += elapsed;
        return;
    }
    if (fth_sim_is_io(verb)) {
        split->io += elapsed;
        return;
    }
    int64_t reduced = process->reduced - process->reduced_before;
    reduced = reduced < elapsed ? reduced : elapsed;
    int64_t moved = moved_until_now(process) - process->moved_before;
    moved = moved < elapsed - reduced ? moved : elapsed - reduced;
    split->computing += reduced;
    split->messages += moved;
    if (fth_sim_is_wait(verb) && process->has_begun_io)
        split->io += elapsed - reduced - moved;
    else
        split->waiting += elapsed - reduced - moved;
}

const struct fth_sim_split *fth_sim_world_split(const struct fth_sim_world *world, uint32_t rank)
{
    return &world->processes[rank].split;
}
