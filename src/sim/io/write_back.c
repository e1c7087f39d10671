/* WriteBack, as the page cache of a kernel: what is written stays in memory until
 *
 *     somebody waits for it: a flush of its file, or a write or a read for which there is no memory
 *     more than `background` bytes are in memory, until there are no more than that
 *     its file has been waiting for the time `expire`
 *
 * Then what there is of the file goes to the disk, by offset, neighbours together. Files that are
 * flushed come first, in the order of flushes, then the one that has waited for longest. What is in
 * memory when everything else is over stays there, and nobody waits for it. (Linux,
 * admin-guide/sysctl/vm: dirty_ratio, dirty_background_ratio, dirty_expire_centisecs; writers are
 * not slowed down before memory is full.) */
#include "sim/io/task_batch.h"

#include "base/memory.h"
#include "sim/plan/cluster.h"
#include "sim/io/server.h"

#include <stdlib.h>

/* What waits of a file, but for what is in the phase. */
struct late_file {
    struct late_file *older, *newer; /* of those of which something waits */
    struct fth_sim_tasks tasks;
    int64_t since;
    bool waits;
};

struct fth_sim_write_back {
    struct fth_sim_reminder expiry;
    struct fth_sim_server *server;
    struct late_file *files, *oldest, *newest;
    struct late_file *phase; /* of which the server's phase is: tasks on their way, by offset */
    uint64_t bytes;          /* that wait, with those */
};

static void expired(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    struct fth_sim_write_back *late = (struct fth_sim_write_back *)target;
    fth_sim_server_schedule(late->server);
}

static struct fth_sim_write_back *late_of(struct fth_sim_server *server)
{
    if (server->writes.late)
        return server->writes.late;
    struct fth_sim_storage *storage = server->storage;
    server->writes.late = fth_sim_new(storage->engine, sizeof *server->writes.late);
    server->writes.late->files =
        fth_sim_new(storage->engine, storage->file_count * sizeof *server->writes.late->files);
    server->writes.late->expiry.target.happen = expired;
    server->writes.late->server = server;
    return server->writes.late;
}

/* ---- files ---- */

static void begin_to_wait(struct fth_sim_write_back *late, struct late_file *file)
{
    file->waits = true;
    file->since = late->server->storage->engine->now;
    file->newer = NULL;
    file->older = late->newest;
    *(late->newest ? &late->newest->newer : &late->oldest) = file;
    late->newest = file;
}

static void end_to_wait(struct fth_sim_write_back *late, struct late_file *file)
{
    file->waits = false;
    *(file->newer ? &file->newer->older : &late->newest) = file->older;
    *(file->older ? &file->older->newer : &late->oldest) = file->newer;
}

/* What has entered the cache since the last time. */
static void sort_out(struct fth_sim_write_back *late)
{
    struct fth_sim_tasks *tasks = &late->server->waiting[FTH_SIM_WRITE];
    while (tasks->count) {
        struct fth_sim_task *task = fth_sim_tasks_take(tasks);
        struct late_file *file = &late->files[task->file];
        if (!file->waits)
            begin_to_wait(late, file);
        fth_sim_tasks_append(&file->tasks, task);
        late->bytes += task->bytes;
    }
}

/* ---- which file is next ---- */

/* That of the oldest flush which waits for anything that is not at the disk; the newest flush is
 * the first of the list. */
static struct late_file *flushed_file(const struct fth_sim_write_back *late)
{
    struct late_file *found = NULL;
    for (const struct fth_sim_request *flush = late->server->flushes; flush; flush = flush->next)
        if (late->files[flush->file].waits)
            found = &late->files[flush->file];
    return found;
}

static bool is_pressed(const struct fth_sim_write_back *late)
{
    const struct fth_sim_server *server = late->server;
    return server->writes.held || server->waiting[FTH_SIM_READ].count ||
           late->bytes > server->storage->cluster->servers.background;
}

/* NULL: none has to go. */
static struct late_file *next_file(struct fth_sim_write_back *late)
{
    const struct fth_sim_storage *storage = late->server->storage;
    struct late_file *flushed = flushed_file(late), *oldest = late->oldest;
    if (flushed || !oldest)
        return flushed;
    int64_t expires = oldest->since + storage->cluster->servers.expire;
    if (expires <= storage->engine->now || is_pressed(late))
        return oldest;
    fth_sim_remind(storage->engine, &late->expiry, expires);
    return NULL;
}

/* ---- its phase ---- */

static bool has_phase(const struct fth_sim_write_back *late)
{
    return late->server->phase.at < late->server->phase.end;
}

static void begin_phase(struct fth_sim_write_back *late, struct late_file *file)
{
    struct fth_sim_server *server = late->server;
    uint32_t count = file->tasks.count;
    server->phase.tasks =
        fth_reach(server->phase.tasks, &server->phase.limit, count, sizeof *server->phase.tasks);
    for (uint32_t i = 0; i < count; i++)
        server->phase.tasks[i] = fth_sim_tasks_take(&file->tasks);
    qsort(server->phase.tasks, count, sizeof *server->phase.tasks, fth_sim_tasks_by_place);
    server->phase.at = 0;
    server->phase.end = count;
    late->phase = file;
}

/* Another file must go first. */
static void put_back(struct fth_sim_write_back *late)
{
    struct fth_sim_server *server = late->server;
    while (has_phase(late))
        fth_sim_tasks_append(&late->phase->tasks, server->phase.tasks[server->phase.at++]);
}

/* What was written meanwhile is as good as new. */
static void end_phase(struct fth_sim_write_back *late)
{
    end_to_wait(late, late->phase);
    if (late->phase->tasks.count)
        begin_to_wait(late, late->phase);
    late->phase = NULL;
}

static void take_neighbours(struct fth_sim_write_back *late, struct fth_sim_batch *batch)
{
    struct fth_sim_server *server = late->server;
    struct fth_sim_task *task = server->phase.tasks[server->phase.at++];
    fth_sim_batch_begin(server, batch, FTH_SIM_WRITE, task);
    late->bytes -= task->bytes;
    while (has_phase(late) &&
           fth_sim_batch_joins(server, batch, server->phase.tasks[server->phase.at])) {
        task = server->phase.tasks[server->phase.at++];
        fth_sim_batch_join(server, batch, task);
        late->bytes -= task->bytes;
    }
    if (!has_phase(late))
        end_phase(late);
}

bool fth_sim_write_back(struct fth_sim_server *server, struct fth_sim_batch *batch)
{
    struct fth_sim_write_back *late = late_of(server);
    struct fth_sim_tasks *reads = &server->waiting[FTH_SIM_READ];
    sort_out(late);
    if (reads->count && fth_sim_may_read(server, reads->first)) {
        fth_sim_batch_begin(server, batch, FTH_SIM_READ, fth_sim_tasks_take(reads));
        return true;
    }
    struct late_file *file = next_file(late);
    if (!file)
        return false;
    if (file != late->phase) {
        put_back(late);
        begin_phase(late, file);
    }
    take_neighbours(late, batch);
    return true;
}
