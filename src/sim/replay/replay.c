/* From calls to commands: see the header. */
#include "sim/replay/actor.h"

#include "base/memory.h"
#include "model/handles/node_processors.h"
#include "trace/record/builtin.h"
#include "trace/record/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- calls of a process ---- */

static bool is_inside(struct actor *actor, const struct fth_call *call)
{
    if (call->starter &&
        fth_layer_is(call->starter->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
        return true;
    actor->covering =
        fth_reach(actor->covering, &actor->thread_limit, call->thread, sizeof *actor->covering);
    uint32_t *covering = &actor->covering[call->thread];
    if (*covering && call->depth >= *covering)
        return true;
    *covering = 0;
    return false;
}

static int open_calls(struct replay *replay, size_t proc, struct fth_calls **calls,
                      struct fth_accesses **accesses, struct fth_error **error)
{
    *calls = fth_calls_with_handles(replay->trace, proc, error);
    if (!*calls)
        return -1;
    *accesses = fth_accesses_open(replay->trace, proc, *calls);
    return 0;
}

static void close_calls(struct actor *actor)
{
    if (actor->accesses)
        fth_accesses_close(actor->accesses);
    if (actor->calls)
        fth_calls_close(actor->calls);
    actor->accesses = NULL;
    actor->calls = NULL;
}

/* Reads on until there is a command. */
static void read_on(struct replay *replay, struct actor *actor)
{
    struct fth_access access;
    if (!actor->accesses && !actor->ended && !replay->error) {
        open_calls(replay, actor->proc, &actor->calls, &actor->accesses, &replay->error);
        if (!replay->is_mpi) /* it was not there before */
            fth_sim_actor_idle(replay, actor, fth_trace_process(replay->trace, actor->proc)->start);
    }
    while (actor->queue_at == actor->queue_end && !actor->ended) {
        int result =
            replay->error ? 0 : fth_accesses_next(actor->accesses, &access, &replay->error);
        if (result <= 0) {
            actor->ended = true;
            if (!result)
                fth_sim_actor_compute(replay, actor,
                                      fth_trace_process(replay->trace, actor->proc)->end);
            close_calls(actor);
            return;
        }
        if (is_inside(actor, &access.call))
            continue;
        const struct fth_sim_semantics *semantics = fth_sim_semantics_of(
            replay->semantics_table, replay->semantics_count, access.call.function);
        if (semantics && fth_sim_actor_call(replay, actor, semantics, &access))
            actor->covering[access.call.thread] = access.call.depth + 1;
    }
}

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    (void)cursor;
    struct replay *replay = (struct replay *)(uintptr_t)program;
    struct actor *actor = &replay->actors[rank];
    read_on(replay, actor);
    if (actor->queue_at == actor->queue_end)
        return false;
    *command = actor->queue[actor->queue_at++];
    return true;
}

/* ---- before it begins ---- */

/* A file that is opened, named, or that bytes are moved to or from; it is at least as long as what
 * is read of it. */
static void note_access(struct replay *replay, struct fth_accesses *accesses,
                        const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const struct fth_sim_semantics *semantics =
        fth_sim_semantics_of(replay->semantics_table, replay->semantics_count, call->function);
    bool is_about_file = semantics && semantics->what == FTH_SIM_IS_FILE && !call->error_number;
    struct fth_range range;
    const char *path = fth_sim_path_of(call);
    if ((access->kind != FTH_ACCESS_BYTES && !is_about_file) || !path ||
        (replay->options.stays && replay->options.stays(path)))
        return;
    uint32_t number = fth_intern(&replay->names, path, strlen(path));
    replay->files = fth_reach(replay->files, &replay->file_limit, number, sizeof *replay->files);
    for (size_t i = 0; access->kind == FTH_ACCESS_BYTES && call->reads && i < FTH_SIM_MOST_RANGES &&
                       fth_accesses_range(accesses, &range);
         i++)
        if (range.offset <= FTH_SIM_MOST_POSITION && range.length <= FTH_SIM_MOST_BYTES &&
            range.offset + range.length > replay->files[number].size)
            replay->files[number].size = range.offset + range.length;
}

static int find_groups(struct replay *replay, struct fth_error **error)
{
    uint32_t ranks = replay->program.ranks;
    size_t *procs = fth_new(ranks, sizeof *procs);
    for (uint32_t rank = 0; rank < ranks; rank++)
        procs[rank] = replay->actors[rank].proc;
    int result = fth_sim_groups_make(&replay->groups, replay->trace, procs, ranks, error);
    free(procs);
    replay->program.communicators = replay->groups.communicators;
    replay->program.communicator_count = replay->groups.count;
    return result;
}

/* Looks through all calls before: for files, and for communicators that do not have all processes,
 * which are made out in another pass. */
static int look_through(struct replay *replay, struct fth_error **error)
{
    bool has_groups = false;
    struct fth_calls *calls;
    struct fth_accesses *accesses;
    struct fth_access access;
    int result = 0;
    for (uint32_t rank = 0; rank < replay->program.ranks && !result; rank++) {
        if (open_calls(replay, replay->actors[rank].proc, &calls, &accesses, error))
            return -1;
        while ((result = fth_accesses_next(accesses, &access, error)) > 0) {
            note_access(replay, accesses, &access);
            has_groups |= fth_sim_groups_needed(&access.call, rank, replay->program.ranks);
        }
        fth_accesses_close(accesses);
        fth_calls_close(calls);
    }
    for (uint32_t i = 0; i < replay->names.count; i++) {
        size_t length;
        const uint8_t *name = fth_interned(&replay->names, i, &length);
        char *copy = fth_new(length + 1, 1);
        memcpy(copy, name, length);
        replay->files[i].name = copy;
    }
    if (!result && has_groups && !replay->options.without_messages)
        result = find_groups(replay, error);
    replay->file_count = replay->names.count;
    if (replay->options.without_files)
        return result;
    replay->program.files = replay->files;
    replay->program.file_count = replay->file_count;
    return result;
}

static bool is_asked_for(const struct replay *replay, size_t proc)
{
    return !replay->options.procs || replay->options.procs[proc];
}

/* The world with the most processes; without MPI all processes. */
static int64_t world_of(const struct replay *replay)
{
    int64_t best = FTH_NO_WORLD, most = 0;
    for (size_t i = 0; i < fth_trace_process_count(replay->trace); i++) {
        const struct fth_process *process = fth_trace_process(replay->trace, i);
        if (is_asked_for(replay, i) && process->rank != FTH_NO_RANK && process->size > most) {
            best = process->world;
            most = process->size;
        }
    }
    return best;
}

static bool takes_part(const struct fth_process *process, int64_t world)
{
    if (world != FTH_NO_WORLD)
        return process->world == world && process->rank != FTH_NO_RANK;
    return !process->launcher && process->calls;
}

/* Who waits for a message polls, so that all ranks of a node always want a processor. */
static void note_oversubscription(struct replay *replay)
{
    for (uint32_t i = 0; i < replay->program.ranks; i++) {
        struct actor *actor = &replay->actors[i];
        const char *host = fth_trace_process(replay->trace, actor->proc)->host;
        uint64_t processors = fth_node_processors(replay->trace, host), ranks = 0;
        actor->ranks = actor->processors = 1;
        for (uint32_t j = 0; replay->is_mpi && processors && j < replay->program.ranks; j++) {
            const char *other = fth_trace_process(replay->trace, replay->actors[j].proc)->host;
            ranks += other && !strcmp(host, other);
        }
        if (ranks > processors) {
            actor->ranks = (uint32_t)ranks;
            actor->processors = (uint32_t)processors;
        }
    }
}

static int find_actors(struct replay *replay, struct fth_error **error)
{
    int64_t most = (int64_t)fth_trace_process_count(replay->trace);
    int64_t world = world_of(replay), start = INT64_MAX;
    replay->is_mpi = world != FTH_NO_WORLD;
    uint32_t count = 0, limit = 0;
    for (size_t i = 0; i < fth_trace_process_count(replay->trace); i++) {
        const struct fth_process *process = fth_trace_process(replay->trace, i);
        if (!is_asked_for(replay, i) || !takes_part(process, world))
            continue;
        int64_t rank = replay->is_mpi ? process->rank : (int64_t)count;
        if (rank < 0 || rank >= most)
            return fth_fail(error, "there is a rank %lld, but not all ranks below it",
                            (long long)rank);
        replay->actors = fth_reach(replay->actors, &limit, (uint32_t)rank, sizeof *replay->actors);
        struct actor *actor = &replay->actors[rank];
        if (actor->is_there)
            return fth_fail(error, "there are two processes with rank %lld", (long long)rank);
        actor->proc = i;
        actor->rank = (uint32_t)rank;
        actor->is_there = true;
        if (process->start < start)
            start = process->start;
        if ((uint32_t)rank >= replay->program.ranks)
            replay->program.ranks = (uint32_t)rank + 1;
        count++;
    }
    if (!count)
        return fth_fail(error, "no process made a known call");
    for (uint32_t rank = 0; rank < replay->program.ranks; rank++) {
        if (!replay->actors[rank].is_there)
            return fth_fail(error, "rank %u was not recorded", rank);
        struct actor *actor = &replay->actors[rank];
        actor->last = start;
        actor->idles =
            !replay->is_mpi && fth_trace_process(replay->trace, actor->proc)->thread_count == 1;
    }
    note_oversubscription(replay);
    return 0;
}

bool fth_sim_is_trace(const char *path)
{
    char begin[sizeof FTH_TRACE_MAGIC - 1];
    struct stat status; /* of a pipe nothing is read: it may be a program */
    if (stat(path, &status) || !S_ISREG(status.st_mode))
        return false;
    FILE *opened = fopen(path, "re");
    bool is_trace = opened && fread(begin, 1, sizeof begin, opened) == sizeof begin &&
                    !memcmp(begin, FTH_TRACE_MAGIC, sizeof begin);
    if (opened)
        fclose(opened);
    return is_trace;
}

struct fth_sim_program *fth_sim_replay_open(const char *path,
                                            const struct fth_sim_replay_options *options,
                                            struct fth_error **error)
{
    struct replay *replay = fth_new(1, sizeof *replay);
    replay->program.next = next;
    replay->program.numbers = "call";
    replay->options = *options;
    replay->trace = options->trace ? options->trace : fth_trace_open(path, error);
    if (!replay->trace) {
        fth_sim_replay_free(&replay->program);
        return NULL;
    }
    if (fth_trace_info(replay->trace)->end > FTH_SIM_MOST_TIME) {
        fth_fail(error, "cannot replay '%s': it lasts longer than 11 days", path);
        fth_sim_replay_free(&replay->program);
        return NULL;
    }
    replay->semantics_table = fth_sim_all_semantics(replay->trace, &replay->semantics_count);
    replay->losses = fth_new(replay->semantics_count + 1, sizeof *replay->losses);
    replay->recorded = fth_new(FTH_SIM_VERBS, sizeof *replay->recorded);
    if (find_actors(replay, error) || look_through(replay, error)) {
        fth_fail_in(error, "cannot replay '%s'", path);
        fth_sim_replay_free(&replay->program);
        return NULL;
    }
    return &replay->program;
}

const struct fth_trace *fth_sim_replay_trace(const struct fth_sim_program *program)
{
    return ((const struct replay *)program)->trace;
}

size_t fth_sim_replay_cut_off(const struct fth_sim_program *program, const char **how)
{
    const struct replay *replay = (const struct replay *)program;
    size_t count = 0;
    for (size_t i = 0; i < program->ranks; i++) {
        const struct fth_process *process =
            fth_trace_process(replay->trace, replay->actors[i].proc);
        bool lacks =
            process->lost > process->only_counted || (process->summed && !process->only_watched);
        if ((process->cut_off || lacks) && !count++)
            *how = process->cut_off ? process->how_ended
                   : process->lost  ? "calls were lost"
                                    : "calls are in sums only";
    }
    return count;
}

size_t fth_sim_replay_watched(const struct fth_sim_program *program)
{
    const struct replay *replay = (const struct replay *)program;
    size_t count = 0;
    for (size_t i = 0; i < program->ranks; i++) {
        const struct fth_process *process =
            fth_trace_process(replay->trace, replay->actors[i].proc);
        count += process->only_watched || process->only_counted;
    }
    return count;
}

void fth_sim_replay_span(const struct fth_sim_program *program, int64_t *start, int64_t *end)
{
    const struct replay *replay = (const struct replay *)program;
    *start = INT64_MAX;
    *end = INT64_MIN;
    for (uint32_t i = 0; i < program->ranks; i++) {
        const struct fth_process *process =
            fth_trace_process(replay->trace, replay->actors[i].proc);
        *start = process->start < *start ? process->start : *start;
        *end = process->end > *end ? process->end : *end;
    }
}

bool fth_sim_replay_loss(const struct fth_sim_program *program, size_t index,
                         struct fth_sim_loss *loss)
{
    const struct replay *replay = (const struct replay *)program;
    for (size_t i = 0; i < replay->semantics_count; i++)
        for (unsigned why = 0; why < FTH_SIM_LOSSES; why++) {
            if (!replay->losses[i][why] || index--)
                continue;
            *loss = (struct fth_sim_loss){replay->semantics_table[i].function->name,
                                          (enum fth_sim_loss_kind)why, replay->losses[i][why]};
            return true;
        }
    return false;
}

const struct fth_sim_spent *fth_sim_replay_recorded(const struct fth_sim_program *program,
                                                    enum fth_sim_verb verb)
{
    return &((const struct replay *)program)->recorded[verb];
}

int64_t fth_sim_replay_recorded_time(const struct fth_sim_program *program)
{
    const struct replay *replay = (const struct replay *)program;
    int64_t longest = 0;
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        if (replay->actors[rank].recorded > longest)
            longest = replay->actors[rank].recorded;
    return longest;
}

bool fth_sim_replay_leaves_out(const struct fth_sim_program *program)
{
    const struct replay *replay = (const struct replay *)program;
    bool meets = false;
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        meets |= replay->actors[rank].meets;
    return meets;
}

int fth_sim_replay_check(struct fth_sim_program *program, struct fth_error **error)
{
    struct replay *replay = (struct replay *)program;
    if (!replay->error)
        return 0;
    *error = replay->error;
    replay->error = NULL;
    return fth_fail_in(error, "cannot replay all of it");
}

void fth_sim_replay_free(struct fth_sim_program *program)
{
    struct replay *replay = (struct replay *)program;
    if (!replay)
        return;
    for (uint32_t i = 0; replay->actors && i < replay->program.ranks; i++) {
        struct actor *actor = &replay->actors[i];
        close_calls(actor);
        free(actor->covering);
        free(actor->queue);
        free(actor->extents);
        free(actor->slots);
        for (uint32_t j = 0; j < actor->persistent_count; j++)
            free((void *)(uintptr_t)actor->persistent[j].ranges.list);
        free(actor->persistent);
        free(actor->matched);
        free(actor->operations);
        free(actor->windows);
    }
    for (uint32_t i = 0; i < replay->file_count; i++)
        free((void *)(uintptr_t)replay->files[i].name);
    free(replay->files);
    fth_sim_groups_drop(&replay->groups);
    free(replay->actors);
    free(replay->semantics_table);
    free(replay->losses);
    free(replay->recorded);
    fth_intern_free(&replay->names);
    fth_error_free(replay->error);
    if (!replay->options.trace)
        fth_trace_close(replay->trace);
    free(replay);
}
