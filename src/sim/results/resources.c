/* Resources of a simulated run, one after the other: see the header. */
#include "sim/io/server.h"
#include "sim/results/resources.h"

#include "sim/io/buffers.h"
#include "sim/world/world.h"

#include <stdio.h>

struct listing {
    void (*found)(void *context, const struct fth_sim_resource *resource);
    void *context;
};

static void report_disk(const struct listing *listing, const char *name,
                        const struct fth_sim_disk *disk, double queue, uint64_t longest)
{
    listing->found(listing->context, &(struct fth_sim_resource){.name = name,
                                                                .kind = FTH_SIM_DISK,
                                                                .busy = disk->busy,
                                                                .operations = disk->operations,
                                                                .bytes = disk->bytes,
                                                                .queue = queue,
                                                                .longest_queue = longest});
}

static void report_processors(const struct listing *listing, uint32_t node,
                              const struct fth_sim_processor *processor)
{
    char name[64];
    snprintf(name, sizeof name, "processors of node %u", node);
    listing->found(listing->context,
                   &(struct fth_sim_resource){.name = name,
                                              .kind = FTH_SIM_PROCESSORS,
                                              .busy = fth_sim_processor_busy(processor)});
}

void fth_sim_each_resource(const struct fth_sim_world *world,
                           void (*found)(void *context, const struct fth_sim_resource *resource),
                           void *context)
{
    const struct listing listing = {found, context};
    const struct fth_sim_network *network = fth_sim_world_network(world);
    const struct fth_sim_server *server;
    const struct fth_sim_buffer *buffer;
    int64_t time = fth_sim_world_time(world);
    char name[64];
    for (uint32_t i = 0; i < world->node_count; i++)
        report_processors(&listing, i, &world->processors[i]);
    for (size_t i = 0; i < fth_sim_network_components(network); i++) {
        const struct fth_sim_component *component = fth_sim_network_component(network, i);
        found(context, &(struct fth_sim_resource){.name = component->name,
                                                  .kind = FTH_SIM_NETWORK,
                                                  .busy = component->busy,
                                                  .operations = component->packets,
                                                  .bytes = component->bytes,
                                                  .queue = fth_sim_component_queue(component, time),
                                                  .longest_queue = component->most});
    }
    for (uint32_t i = 0; (server = fth_sim_world_server(world, i)); i++) {
        snprintf(name, sizeof name, "disk of server %u", i);
        report_disk(&listing, name, &server->disk, fth_sim_server_queue(server, time),
                    server->done.most_queued);
    }
    for (uint32_t i = 0; (buffer = fth_sim_world_buffer(world, i)); i++) {
        snprintf(name, sizeof name, "disk of burst buffer %u", i);
        report_disk(&listing, name, &buffer->disk, 0, 0);
    }
}

struct search {
    int64_t most;
    char *name;
    size_t size;
};

static void look_at(void *context, const struct fth_sim_resource *resource)
{
    struct search *search = context;
    if (resource->busy <= search->most)
        return;
    search->most = resource->busy;
    snprintf(search->name, search->size, "%s", resource->name);
}

int64_t fth_sim_busiest(const struct fth_sim_world *world, char *name, size_t size)
{
    struct search search = {0, name, size};
    *name = 0;
    fth_sim_each_resource(world, look_at, &search);
    return search.most;
}
