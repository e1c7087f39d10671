/* Servers in the kernel of a node, which its processes reach without a network: what is sent has
 * arrived. */
#include "sim/io/server.h"

#include "sim/plan/cluster.h"
#include "sim/world/world.h"

bool fth_sim_request_is_local(const struct fth_sim_request *request)
{
    const struct fth_sim_server *server = request->server;
    if (!server->storage->cluster->servers.in_kernel || !request->client)
        return false;
    const struct fth_sim_process *process = request->client->process;
    return fth_sim_world_node(process->world, process->rank) == server->node;
}

/* Data enter in parts, so that a full memory can make the rest wait. */
static void send_in_parts(struct fth_sim_request *request, struct fth_sim_message *message)
{
    uint64_t left = message->bytes, most = request->server->granularity;
    while (left) {
        uint64_t part = left < most ? left : most;
        left -= part; /* with the last one the request may be over */
        message->user->part_arrived(message->user->user, message, part);
    }
}

void fth_sim_local_send(struct fth_sim_request *request, struct fth_sim_message *message)
{
    if (message->withheld)
        return; /* it comes as it is appended */
    if (message->in_parts)
        send_in_parts(request, message);
    else
        message->user->arrived(message->user->user, message);
}

void fth_sim_local_append(struct fth_sim_request *request, uint64_t bytes)
{
    struct fth_sim_message *message = &request->data;
    request->stored += bytes;
    bool is_over = request->stored == message->bytes;
    message->user->part_left(message->user->user, message, bytes);
    if (is_over)
        message->user->arrived(message->user->user, message);
}
