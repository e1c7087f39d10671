/* Cache layers: see the header. */
#include "sim/io/batch.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- in the order of arrival ---- */

/* Reads first; one for which there is no memory lets a write go, which gives some back. */
static bool take_in_order(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    struct fth_sim_tasks *reads = &server->waiting[FTH_SIM_READ];
    struct fth_sim_tasks *writes = &server->waiting[FTH_SIM_WRITE];
    if (reads->count && fth_sim_may_read(server, reads->first))
        fth_sim_batch_begin(server, batch, FTH_SIM_READ, fth_sim_tasks_take(reads));
    else if (writes->count)
        fth_sim_batch_begin(server, batch, FTH_SIM_WRITE, fth_sim_tasks_take(writes));
    else
        return false;
    return true;
}

/* ---- what touches the oldest one ---- */

/* Goes through what waits once. True: something was added, so that more may touch now. */
static bool add_neighbours(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    struct fth_sim_tasks *tasks = &server->waiting[batch->io.operation];
    struct fth_sim_task *before = NULL;
    bool added = false;
    for (struct fth_sim_task *task = tasks->first, *next;
         task && batch->io.bytes < server->granularity; task = next) {
        next = task->next;
        if (!fth_sim_batch_joins(server, batch, task)) {
            before = task;
            continue;
        }
        if (before)
            before->next = next;
        else
            tasks->first = next;
        if (!next)
            tasks->last = before;
        tasks->count--;
        fth_sim_batch_join(server, batch, task);
        added = true;
    }
    return added;
}

static bool take_with_neighbours(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    if (!take_in_order(server, batch))
        return false;
    while (batch->io.bytes < server->granularity && add_neighbours(server, batch))
        continue;
    return true;
}

/* ---- in phases ---- */

/* Everything that waits of one kind; what arrives later waits for the next phase of its kind. */
static bool begin_phase(struct fth_sim_server *server, enum fth_sim_operation operation)
{
    struct fth_sim_tasks *tasks = &server->waiting[operation];
    if (!tasks->count)
        return false;
    server->phase_operation = operation;
    server->phase_at = 0;
    server->phase_end = tasks->count;
    server->phase =
        fth_reach(server->phase, &server->phase_limit, tasks->count, sizeof(struct fth_sim_task *));
    for (uint32_t i = 0; tasks->count; i++)
        server->phase[i] = fth_sim_tasks_take(tasks);
    qsort(server->phase, server->phase_end, sizeof(struct fth_sim_task *), fth_sim_tasks_by_place);
    return true;
}

static void end_phase(struct fth_sim_server *server)
{
    struct fth_sim_tasks *tasks = &server->waiting[server->phase_operation];
    while (server->phase_at < server->phase_end)
        fth_sim_tasks_append(tasks, server->phase[server->phase_at++]);
}

static bool take_in_phases(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    enum fth_sim_operation same = server->phase_operation;
    enum fth_sim_operation other = same == FTH_SIM_READ ? FTH_SIM_WRITE : FTH_SIM_READ;
    if (server->phase_at == server->phase_end && !begin_phase(server, other) &&
        !begin_phase(server, same))
        return false;
    if (server->phase_operation == FTH_SIM_READ &&
        !fth_sim_may_read(server, server->phase[server->phase_at])) {
        /* Memory comes back when something is written, or when what was read has been sent. */
        if (!server->waiting[FTH_SIM_WRITE].count)
            return false;
        end_phase(server);
        begin_phase(server, FTH_SIM_WRITE);
    }
    fth_sim_batch_begin(server, batch, server->phase_operation, server->phase[server->phase_at++]);
    while (server->phase_at < server->phase_end &&
           fth_sim_batch_joins(server, batch, server->phase[server->phase_at]))
        fth_sim_batch_join(server, batch, server->phase[server->phase_at++]);
    return true;
}

/* ---- the table ---- */

static bool accepts_if_none_is_there(const struct fth_sim_server *server, uint64_t bytes)
{
    (void)bytes;
    return !server->writing;
}

static const struct fth_sim_cache caches[] = {
    {"NoCache", accepts_if_none_is_there, take_in_order, false, false, false},
    {"WriteBehind", fth_sim_server_fits, take_in_order, false, false, false},
    {"Aggregation", fth_sim_server_fits, take_with_neighbours, true, false, false},
    {"AggregationReorder", fth_sim_server_fits, take_in_phases, true, false, false},
    {"ServerDirected", fth_sim_server_fits, take_in_phases, true, true, false},
    {"WriteBack", fth_sim_server_fits, fth_sim_write_back, true, false, true},
};
enum { CACHES = sizeof caches / sizeof *caches };

const struct fth_sim_cache *fth_sim_cache(const char *name)
{
    for (size_t i = 0; i < CACHES; i++)
        if (!strcmp(caches[i].name, name))
            return &caches[i];
    return NULL;
}

const char *fth_sim_cache_name(size_t index)
{
    return index < CACHES ? caches[index].name : NULL;
}
