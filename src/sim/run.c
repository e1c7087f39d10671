/* From a cluster and a program to processes on nodes in a network, and through time. */
#include "sim/world.h"

#include "base/memory.h"

/* A star: processes at sockets, sockets at nodes, nodes at a switch. Ranks go round the nodes, then round the sockets of each. */
static void build_star(struct fth_sim_world *world)
{
    const struct fth_sim_cluster *cluster = world->cluster;
    struct fth_sim_network *network = world->network;
    uint32_t ranks = world->program->ranks;
    uint32_t hub =
        fth_sim_network_node(network, cluster->hub.name, FTH_SIM_NODE, &cluster->hub.speed);
    uint32_t *sockets = fth_new((size_t)world->node_count * cluster->sockets, sizeof *sockets);
    for (uint32_t i = 0; i < world->node_count; i++) {
        uint32_t node =
            fth_sim_network_node(network, cluster->node.name, FTH_SIM_NODE, &cluster->node.speed);
        fth_sim_network_link(network, cluster->node_edge.name, node, hub,
                             &cluster->node_edge.speed);
        for (uint32_t j = 0; j < cluster->sockets && i + j * world->node_count < ranks; j++) {
            uint32_t socket = fth_sim_network_node(network, cluster->socket.name, FTH_SIM_NODE,
                                                   &cluster->socket.speed);
            fth_sim_network_link(network, cluster->socket_edge.name, socket, node,
                                 &cluster->socket_edge.speed);
            sockets[i * cluster->sockets + j] = socket;
        }
    }
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t node = rank % world->node_count;
        uint32_t socket = rank / world->node_count % cluster->sockets;
        uint32_t nic =
            fth_sim_network_node(network, cluster->nic.name, FTH_SIM_NIC, &cluster->nic.speed);
        fth_sim_network_link(network, cluster->nic_edge.name, nic,
                             sockets[node * cluster->sockets + socket], &cluster->nic_edge.speed);
        world->processes[rank].nic = nic;
        world->processes[rank].processor = &world->processors[node];
    }
    free(sockets);
}

static uint32_t processors_of(const struct fth_sim_world *world, uint32_t node)
{
    if (world->cluster->cores)
        return world->cluster->cores * world->cluster->sockets;
    uint32_t ranks = world->program->ranks;
    return ranks / world->node_count + (node < ranks % world->node_count);
}

struct fth_sim_world *fth_sim_world_new(const struct fth_sim_cluster *cluster,
                                        const struct fth_sim_program *program,
                                        struct fth_error **error)
{
    struct fth_sim_world *world = fth_new(1, sizeof *world);
    struct fth_sim_network_user mail = fth_sim_mail;
    mail.user = world;
    world->cluster = cluster;
    world->program = program;
    world->node_count = cluster->nodes < program->ranks ? cluster->nodes : program->ranks;
    world->network = fth_sim_network_new(&world->engine, cluster->packet, cluster->overhead, &mail);
    world->processes = fth_new(program->ranks, sizeof *world->processes);
    world->processors = fth_new(world->node_count, sizeof *world->processors);
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
        world->methods[verb] =
            cluster->methods[verb] ? cluster->methods[verb] : fth_sim_method(verb, NULL);
    for (uint32_t i = 0; i < world->node_count; i++)
        fth_sim_processor_init(&world->processors[i], &world->engine, processors_of(world, i),
                               cluster->instructions);
    for (uint32_t rank = 0; rank < program->ranks; rank++) {
        struct fth_sim_process *process = &world->processes[rank];
        process->rank = rank;
        process->world = world;
        process->last_post = &process->posts;
        process->last_letter = &process->letters;
    }
    build_star(world);
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
    fth_sim_network_free(world->network);
    fth_sim_engine_free(&world->engine);
    free(world->processes);
    free(world->processors);
    free(world);
}

void fth_sim_world_use(struct fth_sim_world *world, const struct fth_sim_method *method)
{
    world->methods[method->verb] = method;
}

void fth_sim_world_run(struct fth_sim_world *world)
{
    for (uint32_t rank = 0; rank < world->program->ranks; rank++)
        fth_sim_process_start(&world->processes[rank]);
    fth_sim_engine_run(&world->engine);
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
    if (bytes)
        *bytes = world->message_bytes;
    return world->messages;
}

const struct fth_sim_network *fth_sim_world_network(const struct fth_sim_world *world)
{
    return world->network;
}

int64_t fth_sim_world_end(const struct fth_sim_world *world, uint32_t rank, char *text, size_t size)
{
    const struct fth_sim_process *process = &world->processes[rank];
    if (!process->activity)
        return process->end;
    fth_sim_describe_wait(process, text, size);
    return -1;
}
