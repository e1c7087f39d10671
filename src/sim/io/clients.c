/* Clients' side of files over servers: which servers a command needs, and what it asks of each. */
#include "sim/io/clients.h"

#include "base/memory.h"
#include "sim/io/buffers.h"
#include "sim/io/server.h"
#include "sim/world/world.h"

struct fth_sim_storage *fth_sim_storage_new(struct fth_sim_engine *engine,
                                            struct fth_sim_network *network,
                                            const struct fth_sim_cluster *cluster,
                                            const struct fth_sim_program *program)
{
    if (!cluster->servers.count || !program->file_count)
        return NULL;
    struct fth_sim_storage *storage = fth_new(1, sizeof *storage);
    storage->engine = engine;
    storage->network = network;
    storage->cluster = cluster;
    storage->server_count = cluster->servers.count;
    storage->forwarder_count = cluster->servers.forwarders;
    if (storage->forwarder_count)
        storage->forwarders = fth_new(storage->forwarder_count, sizeof(uint32_t));
    storage->file_count = program->file_count;
    storage->files = fth_new(storage->file_count, sizeof *storage->files);
    for (uint32_t i = 0; i < storage->file_count; i++) {
        const struct fth_sim_file *file = &program->files[i];
        uint32_t servers = file->servers ? file->servers : storage->server_count;
        storage->files[i].size = file->size;
        storage->files[i].layout = (struct fth_sim_layout){
            .stripe = file->stripe ? file->stripe : cluster->servers.stripe,
            .servers = servers < storage->server_count ? servers : storage->server_count,
            .first = file->first % storage->server_count};
    }
    storage->servers = fth_new(storage->server_count, sizeof *storage->servers);
    for (uint32_t i = 0; i < storage->server_count; i++)
        fth_sim_server_init(&storage->servers[i], storage);
    fth_sim_buffers_init(storage, program->ranks);
    fth_sim_index_init(storage);
    return storage;
}

void fth_sim_storage_free(struct fth_sim_storage *storage)
{
    if (!storage)
        return;
    for (uint32_t i = 0; i < storage->server_count; i++)
        fth_sim_server_free(&storage->servers[i]);
    for (struct fth_sim_request *request = storage->made_last; request;
         request = request->made_before)
        free(request->pieces);
    fth_sim_buffers_free(storage);
    fth_keyed_free(&storage->unpublished);
    fth_sim_index_free(&storage->index);
    fth_sim_token_managers_free(&storage->tokens);
    free(storage->servers);
    free(storage->forwarders);
    free(storage->files);
    free(storage);
}

/* ---- past burst buffers, where there are any ---- */

void fth_sim_read(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    if (fth_sim_storage_of(activity)->buffer_count)
        fth_sim_buffers_read(activity, ranges);
    else
        fth_sim_read_from_servers(activity, ranges);
}

void fth_sim_write(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    if (fth_sim_storage_of(activity)->buffer_count)
        fth_sim_buffers_write(activity, ranges);
    else
        fth_sim_write_to_servers(activity, ranges);
}

void fth_sim_written(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    struct fth_sim_extent hull = fth_sim_ranges_hull(ranges);
    struct fth_sim_stored_file *file = fth_sim_stored_file_of(activity);
    if (hull.offset + hull.bytes > file->size)
        file->size = hull.offset + hull.bytes;
}

void fth_sim_flush(struct fth_sim_activity *activity)
{
    if (fth_sim_storage_of(activity)->buffer_count)
        fth_sim_buffers_flush(activity);
    else
        fth_sim_flush_servers(activity);
}
