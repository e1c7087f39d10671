/* Cache layers: see the header. */
#include "sim/io/cache.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool fth_sim_server_fits(const struct fth_sim_server *server, uint64_t bytes)
{
    return !server->used ||
           (server->used <= server->memory && bytes <= server->memory - server->used);
}

/* ---- tasks become a batch ---- */

static bool may_read(const struct fth_sim_server *server, const struct fth_sim_task *task)
{
    return task->is_kept || fth_sim_server_fits(server, task->bytes);
}

static uint64_t end_of(const struct fth_sim_batch *batch)
{
    return batch->io.offset + batch->io.bytes;
}

/* Memory for what is written was taken when it entered; on the way to the disk nobody changes it any more. */
static void leave(struct fth_sim_server *server, enum fth_sim_operation operation,
                  struct fth_sim_task *task)
{
    if (operation == FTH_SIM_READ)
        server->used += task->is_kept ? 0 : task->bytes;
    else if (server->cache->overwrites)
        fth_sim_dirty_remove(&server->dirty, task);
}

static void begin_batch(struct fth_sim_server *server, struct fth_sim_batch *batch,
                        enum fth_sim_operation operation, struct fth_sim_task *task)
{
    task->next = NULL;
    batch->tasks = task;
    batch->io.operation = operation;
    batch->io.file = task->file;
    batch->io.offset = task->offset;
    batch->io.bytes = task->bytes;
    leave(server, operation, task);
}

/* Whether a task overlaps what is in the batch or touches it, and may be added. */
static bool joins(const struct fth_sim_server *server, const struct fth_sim_batch *batch,
                  const struct fth_sim_task *task)
{
    uint64_t end = task->offset + task->bytes;
    if (task->file != batch->io.file || task->offset > end_of(batch) || end < batch->io.offset)
        return false;
    uint64_t from = task->offset < batch->io.offset ? task->offset : batch->io.offset;
    uint64_t to = end > end_of(batch) ? end : end_of(batch);
    return to - from <= server->granularity &&
           (batch->io.operation != FTH_SIM_READ || may_read(server, task));
}

/* What two of them have in common is read or written once. */
static void join(struct fth_sim_server *server, struct fth_sim_batch *batch,
                 struct fth_sim_task *task)
{
    uint64_t end = task->offset + task->bytes, old_end = end_of(batch);
    if (task->offset < batch->io.offset)
        batch->io.offset = task->offset;
    batch->io.bytes = (end > old_end ? end : old_end) - batch->io.offset;
    task->next = batch->tasks;
    batch->tasks = task;
    leave(server, batch->io.operation, task);
}

/* ---- in the order of arrival ---- */

static struct fth_sim_task *take_oldest(struct fth_sim_tasks *tasks)
{
    struct fth_sim_task *task = tasks->first;
    tasks->first = task->next;
    tasks->count--;
    return task;
}

/* Reads first; one for which there is no memory lets a write go, which gives some back. */
static bool take_in_order(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    struct fth_sim_tasks *reads = &server->waiting[FTH_SIM_READ];
    struct fth_sim_tasks *writes = &server->waiting[FTH_SIM_WRITE];
    if (reads->count && may_read(server, reads->first))
        begin_batch(server, batch, FTH_SIM_READ, take_oldest(reads));
    else if (writes->count)
        begin_batch(server, batch, FTH_SIM_WRITE, take_oldest(writes));
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
        if (!joins(server, batch, task)) {
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
        join(server, batch, task);
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

static int by_place(const void *one, const void *other)
{
    const struct fth_sim_task *a = *(struct fth_sim_task *const *)one;
    const struct fth_sim_task *b = *(struct fth_sim_task *const *)other;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

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
        server->phase[i] = take_oldest(tasks);
    qsort(server->phase, server->phase_end, sizeof(struct fth_sim_task *), by_place);
    return true;
}

static void end_phase(struct fth_sim_server *server)
{
    struct fth_sim_tasks *tasks = &server->waiting[server->phase_operation];
    while (server->phase_at < server->phase_end) {
        struct fth_sim_task *task = server->phase[server->phase_at++];
        task->next = NULL;
        if (tasks->count++)
            tasks->last->next = task;
        else
            tasks->first = task;
        tasks->last = task;
    }
}

static bool take_in_phases(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    enum fth_sim_operation same = server->phase_operation;
    enum fth_sim_operation other = same == FTH_SIM_READ ? FTH_SIM_WRITE : FTH_SIM_READ;
    if (server->phase_at == server->phase_end && !begin_phase(server, other) &&
        !begin_phase(server, same))
        return false;
    if (server->phase_operation == FTH_SIM_READ &&
        !may_read(server, server->phase[server->phase_at])) {
        /* Memory comes back when something is written, or when what was read has been sent. */
        if (!server->waiting[FTH_SIM_WRITE].count)
            return false;
        end_phase(server);
        begin_phase(server, FTH_SIM_WRITE);
    }
    begin_batch(server, batch, server->phase_operation, server->phase[server->phase_at++]);
    while (server->phase_at < server->phase_end &&
           joins(server, batch, server->phase[server->phase_at]))
        join(server, batch, server->phase[server->phase_at++]);
    return true;
}

/* ---- the table ---- */

static bool accepts_if_none_is_there(const struct fth_sim_server *server, uint64_t bytes)
{
    (void)bytes;
    return !server->writing;
}

static const struct fth_sim_cache caches[] = {
    {"NoCache", accepts_if_none_is_there, take_in_order, false, false},
    {"WriteBehind", fth_sim_server_fits, take_in_order, false, false},
    {"Aggregation", fth_sim_server_fits, take_with_neighbours, true, false},
    {"AggregationReorder", fth_sim_server_fits, take_in_phases, true, false},
    {"ServerDirected", fth_sim_server_fits, take_in_phases, true, true},
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
