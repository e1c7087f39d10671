/* Servers: what becomes of requests that arrive, of their data, and of what the disk has done. */
#include "sim/io/server.h"

#include "base/memory.h"
#include "sim/plan/cluster.h"

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

void fth_sim_server_send(struct fth_sim_request *request, struct fth_sim_message *message,
                         enum fth_sim_direction direction)
{
    if (fth_sim_request_is_local(request)) {
        fth_sim_local_send(request, message);
        return;
    }
    struct fth_sim_storage *storage = request->server->storage;
    bool is_up = direction == FTH_SIM_TO_SERVER;
    uint32_t from = is_up ? request->client_nic : request->server->nic;
    uint32_t to = is_up ? request->server->nic : request->client_nic;
    storage->messages++;
    storage->message_bytes += message->bytes;
    if (storage->forwarder_count)
        request->relay = fth_sim_forward(storage, from, request->via, to, message);
    else
        fth_sim_network_send(storage->network, from, to, message);
}

static void answered(void *user, struct fth_sim_message *message)
{
    (void)user;
    fth_sim_request_over(FTH_SIM_REQUEST_OF(message, answer));
}

void fth_sim_server_acknowledge(struct fth_sim_request *request)
{
    static const struct fth_sim_network_user acknowledgements = {
        .left = nothing, .announced = nothing, .arrived = answered};
    request->answer =
        (struct fth_sim_message){.bytes = FTH_SIM_ACKNOWLEDGEMENT_BYTES, .user = &acknowledgements};
    fth_sim_server_send(request, &request->answer, FTH_SIM_FROM_SERVER);
}

/* ---- tasks and the disk ---- */

void fth_sim_server_add_task(struct fth_sim_server *server, enum fth_sim_operation operation,
                             const struct fth_sim_task *wanted)
{
    struct fth_sim_storage *storage = server->storage;
    struct fth_sim_task *task = storage->free_tasks;
    if (task)
        storage->free_tasks = task->next;
    else
        task = fth_sim_new(storage->engine, sizeof *task);
    *task = *wanted;
    task->number = server->arrived++;
    if (++server->done.queued > server->done.most_queued)
        server->done.most_queued = server->done.queued;
    server->done.waited -= (double)storage->engine->now;
    struct fth_sim_tasks *tasks = &server->waiting[operation];
    if (tasks->count++)
        tasks->last->next = task;
    else
        tasks->first = task;
    tasks->last = task;
    if (operation == FTH_SIM_WRITE && server->cache->overwrites)
        fth_sim_dirty_add(&server->writes.dirty, task);
}

static struct fth_sim_batch *new_batch(struct fth_sim_server *server)
{
    struct fth_sim_batch *batch = server->storage->free_batches;
    if (batch)
        server->storage->free_batches = batch->next;
    else
        batch = fth_sim_new(server->storage->engine, sizeof *batch);
    batch->server = server;
    return batch;
}

static void free_batch(struct fth_sim_batch *batch)
{
    struct fth_sim_storage *storage = batch->server->storage;
    batch->next = storage->free_batches;
    storage->free_batches = batch;
}

static void batch_done(struct fth_sim_engine *engine, struct fth_sim_io *io);

static void note_peak(struct fth_sim_server *server)
{
    if (server->used > server->done.peak)
        server->done.peak = server->used;
}

static void leave_queue(struct fth_sim_server *server, const struct fth_sim_batch *batch)
{
    for (const struct fth_sim_task *task = batch->tasks; task; task = task->next) {
        server->done.queued--;
        server->done.waited += (double)server->storage->engine->now;
    }
}

double fth_sim_server_queue(const struct fth_sim_server *server, int64_t now)
{
    double waited = server->done.waited + (double)server->done.queued * (double)now;
    return now ? waited / (double)now : 0;
}

void fth_sim_server_schedule(struct fth_sim_server *server)
{
    note_peak(server);
    while (server->at_disk < server->most_at_disk) {
        struct fth_sim_batch *batch = new_batch(server);
        if (!server->cache->take(server, batch)) {
            free_batch(batch);
            return;
        }
        note_peak(server);
        leave_queue(server, batch);
        batch->io.done = batch_done;
        server->at_disk++;
        fth_sim_disk_submit(&server->disk, &batch->io);
    }
}

/* ---- flushes ---- */

static void flushed(struct fth_sim_engine *engine, struct fth_sim_io *io)
{
    (void)engine;
    struct fth_sim_batch *batch = (struct fth_sim_batch *)io;
    fth_sim_server_acknowledge(batch->flush);
    free_batch(batch);
}

/* What it waited for is on the disk. */
static void flush_disk(struct fth_sim_request *request)
{
    struct fth_sim_batch *batch = new_batch(request->server);
    batch->io =
        (struct fth_sim_io){.operation = FTH_SIM_FLUSH, .file = request->file, .done = flushed};
    batch->flush = request;
    fth_sim_disk_submit(&request->server->disk, &batch->io);
}

static void flush(struct fth_sim_request *request)
{
    struct fth_sim_server *server = request->server;
    request->left = server->writes.writing_of[request->file];
    request->before = server->arrived;
    if (!request->left) {
        flush_disk(request);
        return;
    }
    request->next = server->flushes;
    server->flushes = request;
    fth_sim_server_schedule(server);
}

/* A write is on the disk, which flushes that came after it wait for. */
static void count_for_flushes(struct fth_sim_server *server, const struct fth_sim_task *task)
{
    for (struct fth_sim_request **at = &server->flushes; *at;) {
        struct fth_sim_request *request = *at;
        bool waits = request->file == task->file && task->number < request->before;
        if (!waits || --request->left) {
            at = &request->next;
            continue;
        }
        *at = request->next;
        flush_disk(request);
    }
}

/* ---- writes ---- */

bool fth_sim_server_store(struct fth_sim_server *server, uint32_t file, uint64_t offset,
                          uint64_t bytes)
{
    const struct fth_sim_task task = {.file = file, .offset = offset, .bytes = bytes};
    server->done.bytes_written += bytes;
    server->done.bytes_of[file] += bytes;
    if (server->cache->keeps && server->blocks.size)
        fth_sim_blocks_write(&server->blocks, file, offset, bytes);
    if (server->cache->overwrites && fth_sim_dirty_has(&server->writes.dirty, &task))
        return false;
    server->used += bytes;
    server->writes.writing++;
    server->writes.writing_of[file]++;
    fth_sim_server_add_task(server, FTH_SIM_WRITE, &task);
    return true;
}

/* So many bytes more of a request enter the cache. */
static void store(struct fth_sim_request *request, uint64_t bytes)
{
    request->stored += bytes;
    while (bytes) {
        const struct fth_sim_extent *piece = &request->pieces[request->piece];
        uint64_t left = piece->bytes - request->within;
        uint64_t part = bytes < left ? bytes : left;
        fth_sim_server_store(request->server, request->file, piece->offset + request->within, part);
        request->within += part;
        bytes -= part;
        if (part == left) {
            request->piece++;
            request->within = 0;
        }
    }
    if (request->stored == request->bytes)
        fth_sim_server_acknowledge(request);
}

static void hold(struct fth_sim_request *request, uint64_t bytes)
{
    struct fth_sim_server *server = request->server;
    if (!server->writes.held) {
        fth_sim_network_close(server->storage->network, server->nic);
        server->done.closed_since = server->storage->engine->now;
        server->writes.held = request;
    } else if (!request->held) {
        server->writes.last_held->next = request;
    }
    if (!request->held) {
        request->next = NULL;
        server->writes.last_held = request;
    }
    request->held += bytes;
}

static void data_arrived(void *user, struct fth_sim_message *message, uint64_t bytes)
{
    (void)user;
    struct fth_sim_request *request = FTH_SIM_REQUEST_OF(message, data);
    struct fth_sim_server *server = request->server;
    if (server->writes.held || !server->cache->accepts(server, bytes)) {
        hold(request, bytes);
        fth_sim_server_schedule(server);
        return;
    }
    store(request, bytes);
    fth_sim_server_schedule(server);
}

/* What came through the network is a few packets. */
static uint64_t next_part(const struct fth_sim_request *request)
{
    uint64_t most = request->server->granularity;
    return request->held > most && fth_sim_request_is_local(request) ? most : request->held;
}

void fth_sim_server_admit(struct fth_sim_server *server)
{
    if (server->cache->fetches)
        fth_sim_server_fetch(server);
    if (!server->writes.held)
        return;
    while (server->writes.held) {
        struct fth_sim_request *request = server->writes.held;
        uint64_t bytes = next_part(request);
        if (!server->cache->accepts(server, bytes))
            break;
        if (!(request->held -= bytes))
            server->writes.held = request->next;
        store(request, bytes);
    }
    if (server->writes.held)
        return;
    server->done.closed += server->storage->engine->now - server->done.closed_since;
    fth_sim_network_open(server->storage->network, server->nic);
}

/* ---- names ---- */

static void look_up(struct fth_sim_server *server)
{
    fth_sim_after(server->storage->engine, server->lookups->work, &server->looked_up);
}

static void looked_up(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    struct fth_sim_server *server =
        (void *)((char *)target - offsetof(struct fth_sim_server, looked_up));
    struct fth_sim_request *request = server->lookups;
    server->lookups = request->next;
    fth_sim_server_acknowledge(request);
    if (server->lookups)
        look_up(server);
}

static void queue_lookup(struct fth_sim_request *request)
{
    struct fth_sim_server *server = request->server;
    request->next = NULL;
    if (server->lookups) {
        server->last_lookup->next = request;
    } else {
        server->lookups = request;
        look_up(server);
    }
    server->last_lookup = request;
}

/* ---- what is over, and what begins ---- */

static void batch_done(struct fth_sim_engine *engine, struct fth_sim_io *io)
{
    (void)engine;
    struct fth_sim_batch *batch = (struct fth_sim_batch *)io;
    struct fth_sim_server *server = batch->server;
    struct fth_sim_storage *storage = server->storage;
    server->at_disk--;
    for (struct fth_sim_task *task = batch->tasks, *next; task; task = next) {
        next = task->next;
        if (io->operation == FTH_SIM_READ) {
            fth_sim_server_was_read(server, task);
        } else {
            server->used -= task->bytes;
            if (server->cache->fetches)
                server->fetched--;
            server->writes.writing--;
            server->writes.writing_of[task->file]--;
            count_for_flushes(server, task);
        }
        task->next = storage->free_tasks;
        storage->free_tasks = task;
    }
    free_batch(batch);
    fth_sim_server_admit(server);
    fth_sim_server_schedule(server);
}

static void request_arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    struct fth_sim_request *request = FTH_SIM_REQUEST_OF(message, asked);
    request->server->done.requests++;
    switch (request->kind) {
    case FTH_SIM_REQUEST_READ:
        fth_sim_server_read(request);
        return;
    case FTH_SIM_REQUEST_WRITE:
        if (request->server->cache->fetches)
            fth_sim_server_offer(request);
        return; /* else the data are behind it */
    case FTH_SIM_REQUEST_FLUSH:
        flush(request);
        return;
    case FTH_SIM_REQUEST_LOOKUP:
        queue_lookup(request);
        return;
    }
}

void fth_sim_request_send(struct fth_sim_request *request)
{
    static const struct fth_sim_network_user requests = {
        .left = nothing, .announced = nothing, .arrived = request_arrived};
    static const struct fth_sim_network_user data = {
        .left = nothing, .announced = nothing, .arrived = nothing, .part_arrived = data_arrived};
    request->asked = (struct fth_sim_message){
        .bytes = FTH_SIM_REQUEST_BYTES +
                 (uint64_t)FTH_SIM_PIECE_BYTES * (request->piece_count + request->exchanged),
        .user = &requests};
    fth_sim_server_send(request, &request->asked, FTH_SIM_TO_SERVER);
    if (request->kind != FTH_SIM_REQUEST_WRITE || request->server->cache->fetches)
        return;
    request->data =
        (struct fth_sim_message){.bytes = request->bytes, .user = &data, .in_parts = true};
    fth_sim_server_send(request, &request->data, FTH_SIM_TO_SERVER);
}

void fth_sim_server_init(struct fth_sim_server *server, struct fth_sim_storage *storage)
{
    const struct fth_sim_cluster *cluster = storage->cluster;
    *server = (struct fth_sim_server){.storage = storage,
                                      .cache = cluster->servers.cache,
                                      .memory = cluster->servers.memory,
                                      .granularity = cluster->servers.granularity,
                                      .most_at_disk = cluster->servers.at_once,
                                      .phase.operation = FTH_SIM_WRITE,
                                      .looked_up = {looked_up}};
    server->writes.writing_of = fth_new(storage->file_count, sizeof *server->writes.writing_of);
    server->done.bytes_of = fth_new(storage->file_count, sizeof *server->done.bytes_of);
    fth_sim_blocks_init(&server->blocks, cluster->servers.kept, cluster->servers.block,
                        cluster->servers.ahead);
    fth_sim_disk_init(&server->disk, storage->engine, cluster->disk.model, &cluster->disk.speed);
}

void fth_sim_server_free(struct fth_sim_server *server)
{
    free(server->writes.writing_of);
    free(server->done.bytes_of);
    free(server->phase.tasks);
    fth_sim_blocks_free(&server->blocks);
    fth_sim_dirty_free(&server->writes.dirty);
}
