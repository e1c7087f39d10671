/* What reads and writes cost the processor of the process that makes them: a call, and copying bytes between its memory and that of the system. Copying comes
 * before what is written sets out, and after what is read has come. */
#include "sim/io/storage.h"

#include "sim/cluster.h"
#include "sim/world.h"

static bool reads(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_READ || verb == FTH_SIM_FILE_READ_ALL;
}
static bool writes(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_WRITE || verb == FTH_SIM_FILE_WRITE_ALL;
}

static void copy(struct fth_sim_activity *activity)
{
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    const struct fth_sim_ranges *ranges = &activity->command.ranges;
    bool is_write = writes(activity->command.verb);
    uint64_t throughput = is_write ? servers->write_copy : servers->read_copy;
    struct fth_sim_command work = {.verb = FTH_SIM_COMPUTE,
                                   .nanoseconds =
                                       is_write ? servers->write_call : servers->read_call};
    if (throughput)
        work.nanoseconds += fth_sim_time_of(fth_sim_ranges_total(ranges), throughput);
    if (work.nanoseconds)
        fth_sim_call(activity, &work);
}

/* The access itself, with what consistency demands. */
static void access(struct fth_sim_activity *activity)
{
    const struct fth_sim_command *command = &activity->command;
    fth_sim_call_by(activity, command, fth_sim_visibly(activity->process->world, command->verb));
}

static int around(struct fth_sim_activity *activity, int step)
{
    enum { BEFORE, BEHIND };
    if ((step == BEFORE) == writes(activity->command.verb))
        copy(activity);
    else
        access(activity);
    return step == BEFORE ? BEHIND : FTH_SIM_OVER;
}

const struct fth_sim_method *fth_sim_copying(const struct fth_sim_world *world,
                                             enum fth_sim_verb verb)
{
    static const struct fth_sim_method method = {0, "copying", around, NULL};
    const struct fth_sim_servers *servers = &world->cluster->servers;
    bool costs = (writes(verb) && (servers->write_call || servers->write_copy)) ||
                 (reads(verb) && (servers->read_call || servers->read_copy));
    return world->storage && costs ? &method : fth_sim_visibly(world, verb);
}
