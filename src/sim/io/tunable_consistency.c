/* Tunable consistency: when what a process wrote is made known to others, and when it asks what
 * others wrote. The server with the first byte of a file keeps who wrote what; it is notified, or
 * asked, with one request for all ranges, and works on one after the other.
 *
 * When, the text of a model says (consistency/model_moments.h), as for the file system: it asks
 * before a read, an open, a sync, and notifies after a write, before a sync, a close, an open is
 * done. (Wang 2022, table 5.5: a POSIX, a commit and a session file system made of the same
 * messages.) It notifies only when something was written since the last time. On an instance of
 * `fathom fs` its servers are asked and notified (index_servers.h), also when a file is opened.
 * POSIX by locks is in token_managers.h and index_locks.c. */
#include "sim/io/storage.h"

#include "base/memory.h"
#include "sim/plan/cluster.h"
#include "sim/world/world.h"

struct writer {
    uint32_t process, file;
};

/* Ranges that a process wrote to a file, and nobody was notified of. */
static uint64_t *unpublished(struct fth_sim_activity *activity)
{
    struct writer writer = {activity->process->rank, activity->command.file};
    struct fth_keyed *unpublished = &activity->process->world->storage->unpublished;
    unpublished->size = sizeof(uint64_t);
    return fth_keyed_get(unpublished, &writer, sizeof writer);
}

static bool is_on_instance(const struct fth_sim_activity *activity)
{
    return activity->process->world->cluster->instance.per_node > 0;
}

static void announce_writes(struct fth_sim_activity *activity)
{
    if (is_on_instance(activity)) {
        fth_sim_index_attach(activity);
        return;
    }
    uint64_t *ranges = unpublished(activity);
    if (*ranges)
        fth_sim_exchange_ranges(activity, *ranges);
    *ranges = 0;
}

/* What a command is, of the moments but the accesses themselves. */
static unsigned moment_of(enum fth_sim_verb verb)
{
    return fth_sim_opens(verb)         ? FTH_AT_OPEN
           : fth_sim_closes(verb)      ? FTH_AT_CLOSE
           : verb == FTH_SIM_FILE_SYNC ? FTH_AT_SYNC
                                       : 0;
}

/* Who has the bytes of a command, or of the whole file. */
static void ask_ranges(struct fth_sim_activity *activity)
{
    if (!is_on_instance(activity))
        fth_sim_exchange_ranges(activity, activity->command.ranges.count);
    else if (fth_sim_index_may_know(activity))
        fth_sim_index_query(activity, &activity->command.ranges);
}

static void ask_file(struct fth_sim_activity *activity)
{
    if (!is_on_instance(activity))
        fth_sim_exchange_ranges(activity, 1);
    else if (fth_sim_index_may_know(activity))
        fth_sim_index_query_file(activity);
}

static void before(struct fth_sim_activity *activity, const struct fth_moments *moments)
{
    const struct fth_sim_command *command = &activity->command;
    unsigned moment = moment_of(command->verb);
    if (fth_sim_reads(command->verb) && (moments->fetches & FTH_AT_ACCESS) && command->ranges.count)
        ask_ranges(activity);
    if ((moments->fetches & moment) || (is_on_instance(activity) && fth_sim_opens(command->verb)))
        ask_file(activity);
    if (moments->publishes & moment)
        announce_writes(activity);
}

static void behind(struct fth_sim_activity *activity, const struct fth_moments *moments)
{
    const struct fth_sim_command *command = &activity->command;
    if (!fth_sim_writes(command->verb))
        return;
    if (is_on_instance(activity))
        fth_sim_index_note(activity, &command->ranges);
    else
        *unpublished(activity) += command->ranges.count;
    if (moments->publishes & FTH_AT_ACCESS)
        announce_writes(activity);
}

static int around(struct fth_sim_activity *activity, int step)
{
    enum { BEFORE, COMMAND, BEHIND };
    const struct fth_moments *moments = &activity->process->world->cluster->servers.moments;
    switch (step) {
    case BEFORE:
        before(activity, moments);
        return COMMAND;
    case COMMAND:
        fth_sim_call(activity, &activity->command);
        return BEHIND;
    default:
        behind(activity, moments);
        return FTH_SIM_OVER;
    }
}

const struct fth_sim_method *fth_sim_visibly(const struct fth_sim_world *world,
                                             enum fth_sim_verb verb)
{
    static const struct fth_sim_method method = {0, "around", around, NULL};
    bool is_about_bytes = fth_sim_opens(verb) || fth_sim_closes(verb) || fth_sim_reads(verb) ||
                          fth_sim_writes(verb) || verb == FTH_SIM_FILE_SYNC;
    enum fth_sim_consistency consistency = world->cluster->servers.consistency;
    if (!world->storage || consistency == FTH_SIM_NO_CONSISTENCY || !is_about_bytes)
        return world->methods[verb];
    if (consistency != FTH_SIM_BY_LOCKS)
        return &method;
    return world->cluster->instance.per_node ? &fth_sim_under_index_locks : &fth_sim_under_tokens;
}
