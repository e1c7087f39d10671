/* The cost of commands on files on the processor of their process: a call, copying bytes
 * between its memory and that of the system, and the work of the MPI library. This cost comes
 * before a write or a request is sent, and after a read has arrived. If the cluster says so,
 * processes that write to one file, or that change names, alternate. */
#include "sim/io/storage.h"

#include "sim/plan/cluster.h"
#include "sim/world/world.h"

/* ---- how long it takes ---- */

static int64_t time_of_bytes(const struct fth_sim_servers *servers,
                             const struct fth_sim_ranges *ranges, bool is_write)
{
    uint64_t throughput = is_write ? servers->write_copy : servers->read_copy;
    int64_t time = is_write ? servers->write_call : servers->read_call;
    return throughput ? time + fth_sim_time_of(fth_sim_ranges_total(ranges), throughput) : time;
}

static bool is_created(const struct fth_sim_activity *activity)
{
    const struct fth_sim_storage *storage = activity->process->world->storage;
    const struct fth_sim_command *command = &activity->command;
    return fth_sim_opens(command->verb) && command->creates &&
           !storage->files[command->file].is_there;
}

static int64_t time_of_name(const struct fth_sim_activity *activity)
{
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    switch (activity->command.name) {
    case FTH_SIM_NAME_STAT:
        return servers->stat_call;
    case FTH_SIM_NAME_RENAME:
        return servers->rename_call;
    case FTH_SIM_NAME_DELETE:
        return servers->delete_call;
    case FTH_SIM_NAME_SOMEHOW:
        break;
    }
    return 0;
}

static int64_t time_of_system(const struct fth_sim_activity *activity)
{
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    const struct fth_sim_command *command = &activity->command;
    if (fth_sim_opens(command->verb))
        return is_created(activity) ? servers->create_call : servers->open_call;
    if (fth_sim_closes(command->verb))
        return servers->close_call;
    if (command->verb == FTH_SIM_FILE_LOOKUP)
        return time_of_name(activity);
    if (command->verb == FTH_SIM_FILE_SYNC)
        return servers->sync_call;
    /* Of those who access a file together only some do it, for all: see fth_sim_copy. */
    bool is_own = command->verb == FTH_SIM_FILE_READ || command->verb == FTH_SIM_FILE_WRITE;
    return is_own ? time_of_bytes(servers, &command->ranges, fth_sim_writes(command->verb)) : 0;
}

static bool is_of_library(const struct fth_sim_command *command)
{
    return command->is_mpiio || command->verb >= FTH_SIM_FILE_OPEN_ALL;
}

static int64_t time_of_library(const struct fth_sim_activity *activity)
{
    const struct fth_sim_cluster *cluster = activity->process->world->cluster;
    enum fth_sim_verb verb = activity->command.verb;
    if (!is_of_library(&activity->command))
        return 0;
    if (fth_sim_opens(verb))
        return cluster->file_open + (activity->process->has_opened ? 0 : cluster->first_file_open);
    return fth_sim_closes(verb) ? cluster->file_close : cluster->file_access;
}

/* ---- whose turn it is ---- */

/* NULL: nobody's. */
static struct fth_sim_turns *turns_of(const struct fth_sim_activity *activity)
{
    struct fth_sim_storage *storage = activity->process->world->storage;
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    const struct fth_sim_command *command = &activity->command;
    bool changes_names = is_created(activity) || command->name == FTH_SIM_NAME_RENAME ||
                         command->name == FTH_SIM_NAME_DELETE;
    if (servers->names_in_turn && changes_names)
        return &storage->names;
    if (servers->writers_in_turn && command->verb == FTH_SIM_FILE_WRITE)
        return &storage->files[command->file].writers;
    return NULL;
}

static void note_name(struct fth_sim_activity *activity)
{
    const struct fth_sim_command *command = &activity->command;
    bool *is_there = &activity->process->world->storage->files[command->file].is_there;
    if (fth_sim_opens(command->verb))
        *is_there = true;
    else if (command->name == FTH_SIM_NAME_DELETE || command->name == FTH_SIM_NAME_RENAME)
        *is_there = false;
}

/* ---- the method ---- */

static void compute(struct fth_sim_activity *activity, int64_t time)
{
    struct fth_sim_command work = {.verb = FTH_SIM_COMPUTE, .nanoseconds = time};
    if (time)
        fth_sim_call(activity, &work);
}

void fth_sim_copy(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges,
                  bool is_write)
{
    if (ranges->count)
        compute(activity,
                time_of_bytes(&activity->process->world->cluster->servers, ranges, is_write));
}

/* A command of one process has paid for one call and for all its bytes (time_of_system). */
void fth_sim_copy_some(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges,
                       bool is_first, bool is_write)
{
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    enum fth_sim_verb verb = activity->command.verb;
    if (verb == FTH_SIM_FILE_READ_ALL || verb == FTH_SIM_FILE_WRITE_ALL)
        fth_sim_copy(activity, ranges, is_write);
    else if (!is_first)
        compute(activity, is_write ? servers->write_call : servers->read_call);
}

static void work(struct fth_sim_activity *activity, bool has_waited)
{
    const struct fth_sim_servers *servers = &activity->process->world->cluster->servers;
    int64_t time = time_of_system(activity) + time_of_library(activity);
    if (has_waited)
        time += fth_sim_writes(activity->command.verb) ? servers->writers_handoff
                                                       : servers->names_handoff;
    note_name(activity);
    activity->process->has_opened |= is_of_library(&activity->command);
    compute(activity, time);
}

/* The command itself, with what consistency demands. */
static void command(struct fth_sim_activity *activity)
{
    const struct fth_sim_command *command = &activity->command;
    fth_sim_call_by(activity, command, fth_sim_visibly(activity->process->world, command->verb));
}

static int around(struct fth_sim_activity *activity, int step)
{
    enum { BEGIN, WORK, GIVE, COMMAND };
    uint64_t *state = fth_sim_state(activity);
    struct fth_sim_turns *turns = (void *)(uintptr_t)state[0];
    if (step == BEGIN && fth_sim_reads(activity->command.verb)) {
        command(activity);
        return WORK;
    }
    if (step == BEGIN && (turns = turns_of(activity)) != NULL) {
        state[0] = (uintptr_t)turns;
        state[1] = fth_sim_turn_take(turns, activity);
        return WORK;
    }
    if (step == BEGIN || step == WORK) {
        work(activity, state[1] != 0);
        return fth_sim_reads(activity->command.verb) ? FTH_SIM_OVER : turns ? GIVE : COMMAND;
    }
    if (step == GIVE)
        fth_sim_turn_give(turns);
    command(activity);
    return FTH_SIM_OVER;
}

static bool costs(const struct fth_sim_world *world, enum fth_sim_verb verb)
{
    const struct fth_sim_cluster *cluster = world->cluster;
    const struct fth_sim_servers *servers = &cluster->servers;
    if (fth_sim_opens(verb))
        return servers->open_call || servers->create_call || cluster->file_open ||
               cluster->first_file_open;
    if (fth_sim_closes(verb))
        return servers->close_call || cluster->file_close;
    if (verb == FTH_SIM_FILE_LOOKUP)
        return servers->stat_call || servers->rename_call || servers->delete_call;
    if (verb == FTH_SIM_FILE_SYNC)
        return servers->sync_call;
    if (fth_sim_writes(verb))
        return servers->write_call || servers->write_copy || cluster->file_access;
    return fth_sim_reads(verb) &&
           (servers->read_call || servers->read_copy || cluster->file_access);
}

const struct fth_sim_method *fth_sim_copying(const struct fth_sim_world *world,
                                             enum fth_sim_verb verb)
{
    static const struct fth_sim_method method = {0, "copying", around, NULL};
    return world->storage && costs(world, verb) ? &method : fth_sim_visibly(world, verb);
}
