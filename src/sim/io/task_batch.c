/* How tasks become a batch: see the header. */
#include "sim/io/task_batch.h"

bool fth_sim_server_fits(const struct fth_sim_server *server, uint64_t bytes)
{
    return !server->used ||
           (server->used <= server->memory && bytes <= server->memory - server->used);
}

bool fth_sim_may_read(const struct fth_sim_server *server, const struct fth_sim_task *task)
{
    return task->is_kept || fth_sim_server_fits(server, task->bytes);
}

static uint64_t end_of(const struct fth_sim_batch *batch)
{
    return batch->io.offset + batch->io.bytes;
}

/* Memory for what is written was taken when it entered; on the way to the disk nobody changes it
 * any more. */
static void leave(struct fth_sim_server *server, enum fth_sim_operation operation,
                  struct fth_sim_task *task)
{
    if (operation == FTH_SIM_READ)
        server->used += task->is_kept ? 0 : task->bytes;
    else if (server->cache->overwrites)
        fth_sim_dirty_remove(&server->writes.dirty, task);
}

void fth_sim_batch_begin(struct fth_sim_server *server, struct fth_sim_batch *batch,
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
bool fth_sim_batch_joins(const struct fth_sim_server *server, const struct fth_sim_batch *batch,
                         const struct fth_sim_task *task)
{
    uint64_t end = task->offset + task->bytes;
    if (task->file != batch->io.file || task->offset > end_of(batch) || end < batch->io.offset)
        return false;
    uint64_t from = task->offset < batch->io.offset ? task->offset : batch->io.offset;
    uint64_t to = end > end_of(batch) ? end : end_of(batch);
    return to - from <= server->granularity &&
           (batch->io.operation != FTH_SIM_READ || fth_sim_may_read(server, task));
}

/* What two of them have in common is read or written once. */
void fth_sim_batch_join(struct fth_sim_server *server, struct fth_sim_batch *batch,
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
