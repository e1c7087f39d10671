/* From a cluster and a program to processes on nodes in a network, and through time. */
#include "sim/run/run.h"
#include "sim/io/buffers.h"
#include "sim/io/clients.h"
#include "sim/io/storage.h"
#include "sim/plan/nodes.h"
#include "sim/world/begin_gates.h"
#include "sim/world/world.h"

#include "base/memory.h"

struct fth_sim_world *fth_sim_world_new(const struct fth_sim_cluster *cluster,
                                        const struct fth_sim_program *program,
                                        struct fth_error **error)
{
    if (program->file_count && !cluster->servers.count) {
        fth_fail(error, "the program works with files, and the cluster has no 'servers'");
        return NULL;
    }
    struct fth_sim_world *world = fth_new(1, sizeof *world);
    struct fth_sim_network_user mail = fth_sim_mail;
    mail.user = world;
    world->cluster = cluster;
    world->program = program;
    world->node_count = fth_sim_nodes_used(cluster, program->ranks);
    world->network = fth_sim_network_new(&world->engine, cluster->packet, cluster->overhead, &mail);
    fth_sim_network_frame(world->network, cluster->frame);
    world->storage = fth_sim_storage_new(&world->engine, world->network, cluster, program);
    world->processes = fth_new(program->ranks, sizeof *world->processes);
    world->processors = fth_new(world->node_count, sizeof *world->processors);
    world->instances = fth_new(program->communicator_count + 1, sizeof *world->instances);
    world->chains = fth_new(program->communicator_count + 1, sizeof *world->chains);
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
        world->methods[verb] =
            cluster->methods[verb] ? cluster->methods[verb] : fth_sim_method(verb, NULL);
    for (uint32_t rank = 0; rank < program->ranks; rank++) {
        struct fth_sim_process *process = &world->processes[rank];
        process->rank = rank;
        process->world = world;
        process->last_post = &process->posts;
        process->last_letter = &process->letters;
        process->last_begun = &process->begun;
    }
    world->around = fth_sim_copying;
    fth_sim_build(world);
    if (fth_sim_network_connect(world->network, error)) {
        fth_sim_world_free(world);
        return NULL;
    }
    return world;
}

void fth_sim_world_free(struct fth_sim_world *world)
{
    if (!world)
        return;
    for (uint32_t i = 0; i < world->program->ranks; i++)
        fth_sim_forget_lists(&world->processes[i]);
    fth_sim_storage_free(world->storage);
    fth_sim_network_free(world->network);
    fth_sim_fabric_free(world->fabric);
    fth_sim_engine_free(&world->engine);
    fth_sim_groups_free(world);
    free(world->sizes);
    free(world->processes);
    free(world->processors);
    free(world);
}

void fth_sim_world_use(struct fth_sim_world *world, const struct fth_sim_method *method)
{
    world->methods[method->verb] = method;
}

void fth_sim_world_play_all(struct fth_sim_world *world)
{
    fth_sim_network_play_all(world->network);
}

void fth_sim_world_watch(struct fth_sim_world *world, const struct fth_sim_watch *watch)
{
    world->watch = *watch;
}

void fth_sim_world_run(struct fth_sim_world *world)
{
    if (world->program->order)
        fth_sim_gates_open(world);
    for (uint32_t rank = 0; !world->program->order && rank < world->program->ranks; rank++)
        fth_sim_process_start(&world->processes[rank]);
    fth_sim_engine_run(&world->engine);
    if (world->storage && world->cluster->buffers.in_memory) {
        fth_sim_buffers_settle(world->storage);
        fth_sim_engine_run(&world->engine);
    }
}

int64_t fth_sim_world_time(const struct fth_sim_world *world)
{
    return world->engine.now;
}

uint64_t fth_sim_world_events(const struct fth_sim_world *world)
{
    return world->engine.events;
}

uint64_t fth_sim_world_messages(const struct fth_sim_world *world, uint64_t *bytes)
{
    const struct fth_sim_storage *storage = world->storage;
    if (bytes)
        *bytes = world->message_bytes + (storage ? storage->message_bytes : 0);
    return world->messages + (storage ? storage->messages : 0);
}

const struct fth_sim_spent *fth_sim_world_spent(const struct fth_sim_world *world,
                                                enum fth_sim_verb verb)
{
    return &world->spent[verb];
}

const struct fth_sim_network *fth_sim_world_network(const struct fth_sim_world *world)
{
    return world->network;
}

const struct fth_sim_server *fth_sim_world_server(const struct fth_sim_world *world, uint32_t index)
{
    const struct fth_sim_storage *storage = world->storage;
    return storage && index < storage->server_count ? &storage->servers[index] : NULL;
}

const struct fth_sim_buffer *fth_sim_world_buffer(const struct fth_sim_world *world, uint32_t index)
{
    const struct fth_sim_storage *storage = world->storage;
    return storage && index < storage->buffer_count ? &storage->buffers[index] : NULL;
}
