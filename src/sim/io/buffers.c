/* Burst buffers: see the header. */
#include "sim/plan/nodes.h"
#include "sim/io/buffers.h"

#include "base/memory.h"
#include "sim/io/server.h"
#include "sim/world/world.h"

enum { MOST_IN_CHUNK = 1 << 20 };

/* A piece of a write, or a flush: from the client to the buffer, onto its disk, back to the client;
 * then on to servers. */
struct fth_sim_chunk {
    struct fth_sim_message in, answer;
    struct fth_sim_io io;
    struct fth_sim_buffer *buffer;
    struct fth_sim_activity *client;
    uint32_t client_nic, file, requests;
    uint64_t bytes; /* 0: it is a flush */
    bool reads;     /* the client reads it */
    struct fth_sim_extent *extents;
    uint32_t count, limit;
    struct fth_sim_chunk *next; /* that waits to go on; that is free */
    struct fth_sim_chunk *made_before;
};

#define CHUNK_OF(part, member)                                                                     \
    ((struct fth_sim_chunk *)(void *)((char *)(part)-offsetof(struct fth_sim_chunk, member)))

/* Who waits to flush until servers have all of a file. */
struct fth_sim_held_up {
    struct fth_sim_held_up *next;
    struct fth_sim_activity *activity;
};

static struct fth_sim_storage *storage_of(const struct fth_sim_activity *activity)
{
    return activity->process->world->storage;
}

/* ---- all of them ---- */

uint32_t fth_sim_buffers_count(const struct fth_sim_storage *storage, uint32_t ranks)
{
    const struct fth_sim_cluster *cluster = storage->cluster;
    uint32_t per_node = cluster->instance.per_node ? cluster->instance.per_node : 1;
    return cluster->buffers.local ? per_node * fth_sim_nodes_used(cluster, ranks)
                                  : cluster->buffers.count;
}

void fth_sim_buffers_init(struct fth_sim_storage *storage, uint32_t ranks)
{
    const struct fth_sim_buffers *buffers = &storage->cluster->buffers;
    storage->buffer_count = fth_sim_buffers_count(storage, ranks);
    storage->buffers = fth_new(storage->buffer_count + 1, sizeof *storage->buffers);
    for (uint32_t i = 0; i < storage->buffer_count; i++) {
        struct fth_sim_buffer *buffer = &storage->buffers[i];
        buffer->storage = storage;
        buffer->capacity = buffers->capacity;
        buffer->most_draining = buffers->in_memory ? 0 : buffers->at_once;
        if (!buffers->in_memory)
            fth_sim_disk_init(&buffer->disk, storage->engine, buffers->disk.model,
                              &buffers->disk.speed);
    }
}

void fth_sim_buffers_free(struct fth_sim_storage *storage)
{
    for (struct fth_sim_chunk *chunk = storage->made_chunk; chunk; chunk = chunk->made_before)
        free(chunk->extents);
    fth_sim_held_free(&storage->held);
    free(storage->missing);
    free(storage->buffers);
}

static struct fth_sim_buffer *buffer_of(const struct fth_sim_activity *activity)
{
    const struct fth_sim_process *process = activity->process;
    const struct fth_sim_world *world = process->world;
    struct fth_sim_storage *storage = world->storage;
    if (world->cluster->buffers.in_memory)
        return &storage->buffers[process->server];
    if (world->cluster->buffers.local)
        return &storage->buffers[process->processor - world->processors];
    uint64_t ranks = world->program->ranks;
    return &storage->buffers[process->rank * (uint64_t)storage->buffer_count / ranks];
}

static struct fth_sim_chunk *new_chunk(struct fth_sim_activity *activity,
                                       struct fth_sim_buffer *buffer)
{
    struct fth_sim_storage *storage = buffer->storage;
    struct fth_sim_chunk *chunk = storage->free_chunks;
    if (chunk) {
        storage->free_chunks = chunk->next;
    } else {
        chunk = fth_sim_new(storage->engine, sizeof *chunk);
        chunk->made_before = storage->made_chunk;
        storage->made_chunk = chunk;
    }
    *chunk = (struct fth_sim_chunk){.buffer = buffer,
                                    .client = activity,
                                    .client_nic = activity->process->nic,
                                    .file = activity->command.file,
                                    .extents = chunk->extents,
                                    .limit = chunk->limit,
                                    .made_before = chunk->made_before};
    return chunk;
}

static void free_chunk(struct fth_sim_chunk *chunk)
{
    struct fth_sim_storage *storage = chunk->buffer->storage;
    chunk->next = storage->free_chunks;
    storage->free_chunks = chunk;
}

/* ---- on to servers ---- */

uint32_t fth_sim_chunk_file(const struct fth_sim_chunk *chunk)
{
    return chunk->file;
}

const struct fth_sim_buffer *fth_sim_chunk_buffer(const struct fth_sim_chunk *chunk)
{
    return chunk->buffer;
}

struct fth_sim_ranges fth_sim_chunk_ranges(const struct fth_sim_chunk *chunk)
{
    return (struct fth_sim_ranges){.count = chunk->count, .list = chunk->extents};
}

static void to_servers(struct fth_sim_chunk *chunk)
{
    chunk->requests = fth_sim_drain_to_servers(chunk->buffer->storage, chunk);
}

static void was_read(struct fth_sim_engine *engine, struct fth_sim_io *io)
{
    (void)engine;
    to_servers(CHUNK_OF(io, io));
}

static void drain(struct fth_sim_buffer *buffer)
{
    while (buffer->first && buffer->draining < buffer->most_draining) {
        struct fth_sim_chunk *chunk = buffer->first;
        buffer->first = chunk->next;
        buffer->draining++;
        if (buffer->storage->cluster->buffers.in_memory) {
            to_servers(chunk);
            continue;
        }
        chunk->io = (struct fth_sim_io){.operation = FTH_SIM_READ,
                                        .file = chunk->file,
                                        .offset = chunk->extents[0].offset,
                                        .bytes = chunk->bytes,
                                        .done = was_read};
        fth_sim_disk_submit(&buffer->disk, &chunk->io);
    }
}

/* Nothing of the file is in a buffer any more. */
static void let_go(struct fth_sim_storage *storage, struct fth_sim_buffered *buffered)
{
    struct fth_sim_held_up *held_up = buffered->first, *next;
    buffered->first = NULL;
    for (; held_up; held_up = next) {
        next = held_up->next;
        struct fth_sim_activity *activity = held_up->activity;
        fth_sim_flush_servers(activity);
        held_up->next = storage->free_held_up;
        storage->free_held_up = held_up;
        fth_sim_operation_over(activity);
    }
}

/* What servers have can still be read, until there is no room for it. */
static void keep(struct fth_sim_chunk *chunk)
{
    struct fth_sim_buffer *buffer = chunk->buffer;
    buffer->spare += chunk->bytes;
    chunk->next = NULL;
    if (buffer->oldest)
        buffer->newest->next = chunk;
    else
        buffer->oldest = chunk;
    buffer->newest = chunk;
}

static void make_room(struct fth_sim_buffer *buffer, uint64_t bytes)
{
    while (buffer->spare && bytes > buffer->capacity - buffer->used - buffer->spare) {
        struct fth_sim_chunk *chunk = buffer->oldest;
        buffer->oldest = chunk->next;
        buffer->spare -= chunk->bytes;
        for (uint32_t i = 0; i < chunk->count; i++)
            fth_sim_held_forget(&buffer->storage->held, chunk->file, chunk->extents[i], chunk);
        free_chunk(chunk);
    }
}

void fth_sim_chunk_over(struct fth_sim_chunk *chunk)
{
    struct fth_sim_buffer *buffer = chunk->buffer;
    struct fth_sim_storage *storage = buffer->storage;
    struct fth_sim_buffered *buffered = &storage->files[chunk->file].buffered;
    if (--chunk->requests)
        return;
    buffer->used -= chunk->bytes;
    buffer->draining--;
    keep(chunk);
    if (!--buffered->chunks)
        let_go(storage, buffered);
    drain(buffer);
}

/* ---- to the buffer and back ---- */

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

static void send(struct fth_sim_chunk *chunk, struct fth_sim_message *message, bool is_answer)
{
    struct fth_sim_storage *storage = chunk->buffer->storage;
    uint32_t client = chunk->client_nic, buffer = chunk->buffer->nic;
    storage->messages++;
    storage->message_bytes += message->bytes;
    fth_sim_network_send(storage->network, is_answer ? buffer : client, is_answer ? client : buffer,
                         message);
}

static void wait_for_servers(struct fth_sim_chunk *chunk)
{
    struct fth_sim_buffer *buffer = chunk->buffer;
    chunk->next = NULL;
    if (buffer->first)
        buffer->last->next = chunk;
    else
        buffer->first = chunk;
    buffer->last = chunk;
}

static void answered(void *user, struct fth_sim_message *message)
{
    (void)user;
    struct fth_sim_chunk *chunk = CHUNK_OF(message, answer);
    struct fth_sim_buffer *buffer = chunk->buffer;
    struct fth_sim_activity *client = chunk->client;
    if (!chunk->bytes || chunk->reads) {
        free_chunk(chunk);
    } else {
        wait_for_servers(chunk);
        drain(buffer);
    }
    fth_sim_operation_over(client);
}

static void hold(struct fth_sim_chunk *chunk)
{
    for (uint32_t i = 0; i < chunk->count; i++)
        fth_sim_held_set(&chunk->buffer->storage->held, chunk->file, chunk->extents[i], chunk);
}

static void is_on_disk(struct fth_sim_engine *engine, struct fth_sim_io *io)
{
    static const struct fth_sim_network_user answers = {
        .left = nothing, .announced = nothing, .arrived = answered};
    struct fth_sim_chunk *chunk = CHUNK_OF(io, io);
    (void)engine;
    if (!chunk->reads)
        hold(chunk);
    chunk->answer = (struct fth_sim_message){
        .bytes = chunk->reads ? chunk->bytes : FTH_SIM_ACKNOWLEDGEMENT_BYTES, .user = &answers};
    send(chunk, &chunk->answer, true);
}

static void arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    struct fth_sim_chunk *chunk = CHUNK_OF(message, in);
    chunk->io = (struct fth_sim_io){.operation = !chunk->bytes  ? FTH_SIM_FLUSH
                                                 : chunk->reads ? FTH_SIM_READ
                                                                : FTH_SIM_WRITE,
                                    .file = chunk->file,
                                    .offset = chunk->count ? chunk->extents[0].offset : 0,
                                    .bytes = chunk->bytes,
                                    .done = is_on_disk};
    fth_sim_disk_submit(&chunk->buffer->disk, &chunk->io);
}

static void start(struct fth_sim_chunk *chunk)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = arrived};
    chunk->client->pending++;
    chunk->in = (struct fth_sim_message){.bytes = FTH_SIM_REQUEST_BYTES +
                                                  (chunk->reads ? 0 : chunk->bytes) +
                                                  (uint64_t)FTH_SIM_PIECE_BYTES * chunk->count,
                                         .user = &users};
    send(chunk, &chunk->in, false);
}

static void start_piece(struct fth_sim_chunk *chunk)
{
    chunk->buffer->storage->files[chunk->file].buffered.chunks++;
    if (!chunk->buffer->storage->cluster->buffers.in_memory) {
        start(chunk);
        return;
    }
    hold(chunk);
    wait_for_servers(chunk);
}

static void add_extent(struct fth_sim_chunk *chunk, uint64_t offset, uint64_t bytes)
{
    chunk->extents = fth_reach(chunk->extents, &chunk->limit, chunk->count, sizeof *chunk->extents);
    chunk->extents[chunk->count++] = (struct fth_sim_extent){offset, bytes};
    chunk->bytes += bytes;
}

void fth_sim_buffers_write(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    struct fth_sim_buffer *buffer = buffer_of(activity);
    struct fth_sim_chunk *chunk = NULL;
    uint64_t total = fth_sim_ranges_total(ranges);
    if (total > buffer->capacity - buffer->used) {
        buffer->past += total;
        for (uint64_t i = 0; i < ranges->count; i++)
            fth_sim_held_set(&buffer->storage->held, activity->command.file,
                             fth_sim_range(ranges, i), NULL);
        fth_sim_write_to_servers(activity, ranges);
        return;
    }
    make_room(buffer, total);
    buffer->used += total;
    buffer->written += total;
    if (buffer->used > buffer->peak)
        buffer->peak = buffer->used;
    for (uint64_t i = 0; i < ranges->count; i++) {
        struct fth_sim_extent range = fth_sim_range(ranges, i);
        while (range.bytes) {
            if (!chunk)
                chunk = new_chunk(activity, buffer);
            uint64_t room = MOST_IN_CHUNK - chunk->bytes;
            uint64_t part = range.bytes < room ? range.bytes : room;
            add_extent(chunk, range.offset, part);
            range.offset += part;
            range.bytes -= part;
            if (part == room) {
                start_piece(chunk);
                chunk = NULL;
            }
        }
    }
    if (chunk)
        start_piece(chunk);
}

/* ---- reads ---- */

/* Of memory: what is on the own node is read where it is, the rest comes from its server. */
static void start_reading(struct fth_sim_chunk *chunk)
{
    struct fth_sim_buffer *buffer = chunk->buffer;
    if (!buffer->storage->cluster->buffers.in_memory) {
        start(chunk);
        return;
    }
    if (buffer != buffer_of(chunk->client))
        fth_sim_index_fetch(chunk->client, (uint32_t)(buffer - buffer->storage->buffers),
                            chunk->count, chunk->bytes);
    free_chunk(chunk);
}

/* One request to each buffer, unless that is for more than a piece. */
static void read_from(struct fth_sim_activity *activity, struct fth_sim_buffer *buffer,
                      uint64_t offset, uint64_t bytes)
{
    if (!buffer->reading) {
        buffer->reading = new_chunk(activity, buffer);
        buffer->reading->reads = true;
    }
    add_extent(buffer->reading, offset, bytes);
    buffer->read += bytes;
    if (buffer->reading->bytes >= MOST_IN_CHUNK) {
        start_reading(buffer->reading);
        buffer->reading = NULL;
    }
}

/* What nobody has is put together for servers. */
static uint32_t read_range(struct fth_sim_activity *activity, struct fth_sim_extent range,
                           uint32_t missing)
{
    struct fth_sim_storage *storage = storage_of(activity);
    uint64_t end = range.offset + range.bytes, to;
    for (uint64_t from = range.offset; from < end; from = to) {
        const struct fth_sim_chunk *chunk = fth_sim_held_find(
            &storage->held, activity->command.file, (struct fth_sim_extent){from, end - from}, &to);
        if (chunk) {
            read_from(activity, chunk->buffer, from, to - from);
            continue;
        }
        if (missing &&
            storage->missing[missing - 1].offset + storage->missing[missing - 1].bytes == from) {
            storage->missing[missing - 1].bytes += to - from;
            continue;
        }
        storage->missing =
            fth_reach(storage->missing, &storage->missing_limit, missing, sizeof *storage->missing);
        storage->missing[missing++] = (struct fth_sim_extent){from, to - from};
    }
    return missing;
}

void fth_sim_buffers_read(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    struct fth_sim_storage *storage = storage_of(activity);
    uint64_t size = storage->files[activity->command.file].size;
    uint32_t missing = 0;
    for (uint64_t i = 0; i < ranges->count; i++) {
        struct fth_sim_extent range = fth_sim_range(ranges, i);
        if (range.offset >= size)
            continue;
        if (range.bytes > size - range.offset)
            range.bytes = size - range.offset;
        missing = read_range(activity, range, missing);
    }
    for (uint32_t i = 0; i < storage->buffer_count; i++) {
        if (storage->buffers[i].reading)
            start_reading(storage->buffers[i].reading);
        storage->buffers[i].reading = NULL;
    }
    if (missing)
        fth_sim_read_from_servers(
            activity, &(struct fth_sim_ranges){.count = missing, .list = storage->missing});
}

/* ---- flushes ---- */

/* Until servers have all of the file. */
static void hold_up(struct fth_sim_activity *activity)
{
    struct fth_sim_storage *storage = storage_of(activity);
    struct fth_sim_buffered *buffered = &storage->files[activity->command.file].buffered;
    struct fth_sim_held_up *held_up = storage->free_held_up;
    if (held_up)
        storage->free_held_up = held_up->next;
    else
        held_up = fth_sim_new(storage->engine, sizeof *held_up);
    *held_up = (struct fth_sim_held_up){.activity = activity};
    activity->pending++;
    if (buffered->first)
        buffered->last->next = held_up;
    else
        buffered->first = held_up;
    buffered->last = held_up;
}

void fth_sim_buffers_flush(struct fth_sim_activity *activity)
{
    struct fth_sim_storage *storage = storage_of(activity);
    struct fth_sim_buffer *buffer = buffer_of(activity);
    if (storage->cluster->buffers.in_memory)
        return;
    if (!storage->cluster->buffers.sync_to_servers) {
        start(new_chunk(activity, buffer));
        if (buffer->past)
            fth_sim_flush_servers(activity);
    } else if (storage->files[activity->command.file].buffered.chunks) {
        hold_up(activity);
    } else {
        fth_sim_flush_servers(activity);
    }
}

/* ---- the end of an instance ---- */

void fth_sim_buffers_settle(struct fth_sim_storage *storage)
{
    for (uint32_t i = 0; i < storage->buffer_count; i++) {
        storage->buffers[i].most_draining = storage->cluster->buffers.at_once;
        drain(&storage->buffers[i]);
    }
}
