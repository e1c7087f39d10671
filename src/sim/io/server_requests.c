/* Requests to servers: made of the ranges that a process or a buffer asks for, and ended when
 * all pieces have come. */
#include "sim/io/storage.h"

#include "base/memory.h"
#include "sim/io/buffers.h"
#include "sim/world/world.h"

struct fth_sim_storage *fth_sim_storage_of(const struct fth_sim_activity *activity)
{
    return activity->process->world->storage;
}

struct fth_sim_stored_file *fth_sim_stored_file_of(const struct fth_sim_activity *activity)
{
    return &fth_sim_storage_of(activity)->files[activity->command.file];
}

/* Clients of neighbouring ranks share a forwarder, and so do burst buffers: which one, of `count`
 * of them. */
static uint32_t forwarder_of(const struct fth_sim_storage *storage, uint64_t number, uint64_t count)
{
    return storage->forwarder_count ? storage->forwarders[number * storage->forwarder_count / count]
                                    : 0;
}

/* Who asks: a process, or a burst buffer with a piece of what was written. */
struct asking {
    struct fth_sim_activity *activity;
    struct fth_sim_chunk *chunk;
    uint32_t nic, via, file;
};

static struct asking process_asks(struct fth_sim_activity *activity)
{
    return (struct asking){.activity = activity,
                           .nic = activity->process->nic,
                           .via =
                               forwarder_of(fth_sim_storage_of(activity), activity->process->rank,
                                            activity->process->world->program->ranks),
                           .file = activity->command.file};
}

/* A request for the file's server of that index. */
static struct fth_sim_request *new_request(struct fth_sim_storage *storage,
                                           const struct asking *asking,
                                           enum fth_sim_request_kind kind, uint32_t index)
{
    uint32_t first = storage->files[asking->file].layout.first;
    struct fth_sim_request *request = storage->free_requests;
    if (request)
        storage->free_requests = request->next;
    else
        request = fth_sim_new(storage->engine, sizeof *request);
    bool is_new = !request->server;
    *request = (struct fth_sim_request){
        .kind = kind,
        .server = &storage->servers[(first + index) % storage->server_count],
        .client = asking->activity,
        .chunk = asking->chunk,
        .client_nic = asking->nic,
        .via = asking->via,
        .file = asking->file,
        .pieces = request->pieces,
        .piece_limit = request->piece_limit,
        .made_before = is_new ? storage->made_last : request->made_before};
    if (is_new)
        storage->made_last = request;
    return request;
}

static void free_request(struct fth_sim_request *request)
{
    struct fth_sim_storage *storage = request->server->storage;
    request->next = storage->free_requests;
    storage->free_requests = request;
}

static void start(struct fth_sim_request *request)
{
    if (request->client)
        request->client->pending++;
    fth_sim_request_send(request);
}

void fth_sim_request_over(struct fth_sim_request *request)
{
    struct fth_sim_activity *client = request->client;
    struct fth_sim_chunk *chunk = request->chunk;
    free_request(request);
    if (client)
        fth_sim_operation_over(client);
    else
        fth_sim_chunk_over(chunk);
}

/* What touches in the server's part of the file is one piece. */
static void add_piece(struct fth_sim_request *request, uint64_t from, uint64_t to)
{
    struct fth_sim_extent *last =
        request->piece_count ? &request->pieces[request->piece_count - 1] : NULL;
    request->bytes += to - from;
    if (last && last->offset + last->bytes == from) {
        last->bytes += to - from;
        return;
    }
    request->pieces = fth_reach(request->pieces, &request->piece_limit, request->piece_count,
                                sizeof *request->pieces);
    request->pieces[request->piece_count++] = (struct fth_sim_extent){from, to - from};
}

/* One request to each server that has any of the ranges below `limit`; how many these are. */
static uint32_t access(struct fth_sim_storage *storage, const struct asking *asking,
                       enum fth_sim_request_kind kind, const struct fth_sim_ranges *ranges,
                       uint64_t limit)
{
    const struct fth_sim_layout *layout = &storage->files[asking->file].layout;
    uint32_t count = 0;
    for (uint32_t index = 0; index < layout->servers; index++) {
        struct fth_sim_request *request = new_request(storage, asking, kind, index);
        for (uint64_t i = 0; i < ranges->count; i++) {
            struct fth_sim_extent range = fth_sim_range(ranges, i);
            uint64_t end = range.offset + range.bytes;
            if (range.offset >= limit)
                continue;
            uint64_t from = fth_sim_layout_before(layout, index, range.offset);
            uint64_t to = fth_sim_layout_before(layout, index, end < limit ? end : limit);
            if (to > from)
                add_piece(request, from, to);
        }
        if (request->bytes) {
            start(request);
            count++;
        } else {
            free_request(request);
        }
    }
    return count;
}

void fth_sim_read_from_servers(struct fth_sim_activity *activity,
                               const struct fth_sim_ranges *ranges)
{
    struct asking asking = process_asks(activity);
    access(fth_sim_storage_of(activity), &asking, FTH_SIM_REQUEST_READ, ranges,
           fth_sim_stored_file_of(activity)->size);
}

void fth_sim_write_to_servers(struct fth_sim_activity *activity,
                              const struct fth_sim_ranges *ranges)
{
    struct asking asking = process_asks(activity);
    access(fth_sim_storage_of(activity), &asking, FTH_SIM_REQUEST_WRITE, ranges, UINT64_MAX);
}

uint32_t fth_sim_drain_to_servers(struct fth_sim_storage *storage, struct fth_sim_chunk *chunk)
{
    const struct fth_sim_buffer *buffer = fth_sim_chunk_buffer(chunk);
    struct asking asking = {
        .chunk = chunk,
        .nic = buffer->nic,
        .via = forwarder_of(storage, (uint64_t)(buffer - storage->buffers), storage->buffer_count),
        .file = fth_sim_chunk_file(chunk)};
    struct fth_sim_ranges ranges = fth_sim_chunk_ranges(chunk);
    return access(storage, &asking, FTH_SIM_REQUEST_WRITE, &ranges, UINT64_MAX);
}

void fth_sim_flush_servers(struct fth_sim_activity *activity)
{
    struct asking asking = process_asks(activity);
    for (uint32_t index = 0; index < fth_sim_stored_file_of(activity)->layout.servers; index++)
        start(new_request(fth_sim_storage_of(activity), &asking, FTH_SIM_REQUEST_FLUSH, index));
}

/* Names are looked up at the server that has the first byte. */
static struct fth_sim_request *new_lookup(struct fth_sim_activity *activity, int64_t work)
{
    struct asking asking = process_asks(activity);
    struct fth_sim_request *request =
        new_request(fth_sim_storage_of(activity), &asking, FTH_SIM_REQUEST_LOOKUP, 0);
    request->work = work;
    return request;
}

void fth_sim_lookup(struct fth_sim_activity *activity)
{
    start(new_lookup(activity, fth_sim_storage_of(activity)->cluster->servers.lookup));
}

void fth_sim_exchange_ranges(struct fth_sim_activity *activity, uint64_t ranges)
{
    struct fth_sim_request *request =
        new_lookup(activity, fth_sim_storage_of(activity)->cluster->servers.tell);
    request->exchanged = ranges;
    start(request);
}
