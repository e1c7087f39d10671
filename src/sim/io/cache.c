/* Cache layers: see the header. */
#include "sim/io/cache.h"

#include "base/memory.h"
#include "sim/io/task_batch.h"

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

/* Tasks of a phase are a heap, the one that comes first in its file on top. */
static bool is_before(const struct fth_sim_server *server, uint32_t one, uint32_t other)
{
    return fth_sim_tasks_by_place(&server->phase.tasks[one], &server->phase.tasks[other]) < 0;
}

static void swap(struct fth_sim_server *server, uint32_t one, uint32_t other)
{
    struct fth_sim_task *task = server->phase.tasks[one];
    server->phase.tasks[one] = server->phase.tasks[other];
    server->phase.tasks[other] = task;
}

static void push(struct fth_sim_server *server, struct fth_sim_task *task)
{
    uint32_t at = server->phase.end++;
    server->phase.tasks = fth_reach(server->phase.tasks, &server->phase.limit, at, sizeof(task));
    server->phase.tasks[at] = task;
    for (; at && is_before(server, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(server, at, (at - 1) / 2);
}

static struct fth_sim_task *pop(struct fth_sim_server *server)
{
    struct fth_sim_task *first = server->phase.tasks[0];
    uint32_t end = --server->phase.end;
    server->phase.tasks[0] = server->phase.tasks[end];
    for (uint32_t at = 0, child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && is_before(server, child + 1, child))
            child++;
        if (!is_before(server, child, at))
            break;
        swap(server, child, at);
    }
    return first;
}

/* All that waits of the kind of the phase becomes part of it. */
static void join_phase(struct fth_sim_server *server)
{
    struct fth_sim_tasks *tasks = &server->waiting[server->phase.operation];
    while (tasks->count)
        push(server, fth_sim_tasks_take(tasks));
}

static bool begin_phase(struct fth_sim_server *server, enum fth_sim_operation operation)
{
    if (!server->waiting[operation].count)
        return false;
    server->phase.operation = operation;
    join_phase(server);
    return true;
}

static void end_phase(struct fth_sim_server *server)
{
    struct fth_sim_tasks *tasks = &server->waiting[server->phase.operation];
    while (server->phase.end)
        fth_sim_tasks_append(tasks, pop(server));
}

/* What arrives during a phase belongs to it, unless the other kind waits for its turn: always the
 * first one in the file, also when the disk has been behind it. (So the original does it, as its
 * figures show; Kunkel 2013, section 5.4.5, has all that arrives wait for the next phase.) */
static bool take_in_phases(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    enum fth_sim_operation same = server->phase.operation;
    enum fth_sim_operation other = same == FTH_SIM_READ ? FTH_SIM_WRITE : FTH_SIM_READ;
    if (!server->phase.end && !begin_phase(server, other) && !begin_phase(server, same))
        return false;
    if (!server->waiting[other].count)
        join_phase(server);
    if (server->phase.operation == FTH_SIM_READ &&
        !fth_sim_may_read(server, server->phase.tasks[0])) {
        /* Memory comes back when something is written, or when what was read has been sent. */
        if (!server->waiting[FTH_SIM_WRITE].count)
            return false;
        end_phase(server);
        begin_phase(server, FTH_SIM_WRITE);
    }
    fth_sim_batch_begin(server, batch, server->phase.operation, pop(server));
    while (server->phase.end && fth_sim_batch_joins(server, batch, server->phase.tasks[0]))
        fth_sim_batch_join(server, batch, pop(server));
    return true;
}

/* ---- the table ---- */

static bool accepts_if_none_is_there(const struct fth_sim_server *server, uint64_t bytes)
{
    (void)bytes;
    return !server->writes.writing;
}

static const struct fth_sim_cache caches[] = {
    {"NoCache", accepts_if_none_is_there, take_in_order, false, false, false},
    {"WriteBehind", fth_sim_server_fits, take_in_order, false, false, false},
    {"Aggregation", fth_sim_server_fits, take_with_neighbours, true, false, false},
    {"AggregationReorder", fth_sim_server_fits, take_in_phases, false, false, false},
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
