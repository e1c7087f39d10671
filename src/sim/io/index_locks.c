/* POSIX consistency by locks on an instance of `fathom fs`: each access gets a token of its process
 * from the home of the file, and asks who has the bytes it reads; what is written is attached at
 * once, so that the home can take a token away without asking who has it. The home grants as far as
 * no other process has a token, and takes from the first wanted block on. */
#include "sim/io/index_servers.h"
#include "sim/io/storage.h"
#include "sim/world/world.h"

#include "base/memory.h"

static struct fth_lock_tokens *tokens_of(const struct fth_sim_activity *activity)
{
    struct fth_sim_storage *storage = fth_sim_storage_of(activity);
    struct fth_sim_token_managers *managers = &storage->tokens;
    if (!managers->files) {
        managers->file_count = storage->file_count;
        managers->files = fth_new(managers->file_count, sizeof *managers->files);
    }
    return &managers->files[activity->command.file];
}

static void get_token(struct fth_sim_activity *activity, struct fth_sim_extent range)
{
    const struct fth_sim_command *command = &activity->command;
    struct fth_lock_tokens *tokens = tokens_of(activity);
    struct fth_sim_token_managers *managers = &fth_sim_storage_of(activity)->tokens;
    uint64_t *counts[] = {[FTH_TOKEN_GRANTED] = &managers->granted,
                          [FTH_TOKEN_LOCAL] = &managers->local,
                          [FTH_TOKEN_CONFLICT] = &managers->conflicts};
    if (!range.bytes)
        return;
    ++*counts[fth_lock_tokens_request(
        tokens, activity->process->rank, range.offset, range.offset + range.bytes,
        fth_sim_reads(command->verb) ? FTH_TOKEN_READ : FTH_TOKEN_WRITE, FTH_GRANT_EXTEND,
        FTH_GIVE_SPLIT, NULL)];
    fth_sim_index_lock(activity);
}

static int under_locks(struct fth_sim_activity *activity, int step)
{
    enum { LOCK, QUERY, COMMAND, ATTACH };
    const struct fth_sim_command *command = &activity->command;
    uint64_t *range = fth_sim_state(activity);
    switch (step) {
    case LOCK:
        if (*range < command->ranges.count) {
            get_token(activity, fth_sim_range(&command->ranges, (*range)++));
            return LOCK;
        }
        return QUERY;
    case QUERY:
        if (fth_sim_reads(command->verb))
            fth_sim_index_query(activity, &command->ranges);
        return COMMAND;
    case COMMAND:
        fth_sim_call(activity, command);
        return ATTACH;
    default:
        if (fth_sim_writes(command->verb)) {
            fth_sim_index_note(activity, &command->ranges);
            fth_sim_index_attach(activity);
        }
        return FTH_SIM_OVER;
    }
}

const struct fth_sim_method fth_sim_under_index_locks = {0, "under locks", under_locks, NULL};
