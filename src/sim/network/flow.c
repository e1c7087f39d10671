/* Packets on their way through components: the inner loop of the simulator. */
#include "sim/network/trains.h"

#include "base/memory.h"

static uint32_t bytes_of_packet(const struct fth_sim_flow *flow, uint32_t number)
{
    if (fth_sim_is_surely_plain(flow, number))
        return flow->full;
    return flow->packets[number & (flow->ring - 1)].bytes;
}

static int64_t time_of_packet(const struct fth_sim_flow *flow, const struct fth_sim_hop *hop,
                              uint32_t bytes)
{
    if (bytes == flow->full)
        return hop->full;
    if (hop->is_scaled)
        return (int64_t)((unsigned __int128)hop->full * bytes / flow->full);
    const struct fth_sim_speed *speed = &hop->component->speed;
    return fth_sim_time_of(bytes, hop->is_local ? speed->local : speed->throughput);
}

static bool may_send(const struct fth_sim_hop *hop)
{
    return hop->is_unlimited || hop->ahead < hop->component->limit;
}

static bool is_refused(const struct fth_sim_hop *hop)
{
    return hop->is_last && hop->component->closed;
}

/* A hop is in its component's list if it has packets and may send. */
static void list(struct fth_sim_hop *hop)
{
    if (hop->listed || hop->arrived == hop->started || !may_send(hop))
        return;
    struct fth_sim_component *component = hop->component;
    hop->listed = true;
    hop->next_ready = NULL;
    if (component->ready)
        component->last_ready->next_ready = hop;
    else
        component->ready = hop;
    component->last_ready = hop;
}

static void start(struct fth_sim_engine *engine, struct fth_sim_component *component);

/* The component that sent a packet of `bytes` learns that it is being worked on. */
static void acknowledge(struct fth_sim_engine *engine, struct fth_sim_hop *sender, uint32_t bytes)
{
    if (sender->is_before_exit && fth_sim_train_moves(engine, sender))
        return;
    fth_sim_train_leave(engine, sender->component->train);
    sender->ahead -= time_of_packet(fth_sim_flow_of(sender), sender, bytes);
    list(sender);
    if (!sender->component->serving)
        start(engine, sender->component);
}

void fth_sim_flow_feed(struct fth_sim_engine *engine, struct fth_sim_flow *flow)
{
    struct fth_sim_hop *first = &flow->hops[0];
    if (flow->feeding || !flow->messages || first->arrived != first->started)
        return;
    flow->feeding = true;
    fth_sim_after(engine, 0, &first->arrival);
}

static void start(struct fth_sim_engine *engine, struct fth_sim_component *component)
{
    struct fth_sim_hop *hop;
    while ((hop = component->ready) && is_refused(hop)) {
        component->ready = hop->next_ready;
        hop->next_ready = component->refused;
        component->refused = hop;
    }
    if (!hop)
        return;
    component->ready = hop->next_ready;
    hop->listed = false;
    component->serving = hop;
    struct fth_sim_flow *flow = fth_sim_flow_of(hop);
    uint32_t bytes = bytes_of_packet(flow, hop->started++);
    int64_t duration = time_of_packet(flow, hop, bytes);
    if (!hop->is_last)
        hop->ahead += duration;
    component->waiting--;
    component->waited += (uint64_t)engine->now;
    component->busy += duration;
    component->packets++;
    component->bytes += bytes;
    fth_sim_after(engine, duration, &component->done);
    list(hop);
    if (hop->is_first)
        fth_sim_flow_feed(engine, flow);
    else
        acknowledge(engine, hop - 1, bytes);
}

/* Those that were refused come in the order in which they wanted to. */
void fth_sim_component_open(struct fth_sim_engine *engine, struct fth_sim_component *component)
{
    component->closed = false;
    for (struct fth_sim_hop *hop; (hop = component->refused);) {
        component->refused = hop->next_ready;
        if (!component->ready)
            component->last_ready = hop;
        hop->next_ready = component->ready;
        component->ready = hop;
    }
    if (!component->serving)
        start(engine, component);
}

static const struct fth_sim_network_user *user_of(const struct fth_sim_network *network,
                                                  const struct fth_sim_message *message)
{
    return message->user ? message->user : &network->user;
}

static uint64_t payload_of(const struct fth_sim_network *network,
                           const struct fth_sim_packet *packet)
{
    return packet->bytes - network->frame - (packet->first ? network->overhead : 0);
}

/* The last packet of a message has left the sender's NIC, or one of a message that is handled in
 * parts. */
static void notify_left(struct fth_sim_network *network, struct fth_sim_packet packet)
{
    const struct fth_sim_network_user *user = user_of(network, packet.message);
    if (packet.in_parts && user->part_left)
        user->part_left(user->user, packet.message, payload_of(network, &packet));
    if (packet.last)
        user->left(user->user, packet.message);
}

static void deliver(struct fth_sim_network *network, struct fth_sim_flow *flow)
{
    struct fth_sim_packet packet = flow->packets[flow->consumed++ & (flow->ring - 1)];
    if (!packet.first && !packet.last && !packet.in_parts)
        return;
    const struct fth_sim_network_user *user = user_of(network, packet.message);
    if (packet.first)
        user->announced(user->user, packet.message);
    if (packet.in_parts && user->part_arrived)
        user->part_arrived(user->user, packet.message, payload_of(network, &packet));
    if (packet.last) {
        network->under_way--;
        user->arrived(user->user, packet.message);
    }
}

void fth_sim_component_done(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_component *component = (struct fth_sim_component *)target;
    struct fth_sim_hop *hop = component->serving;
    struct fth_sim_flow *flow = fth_sim_flow_of(hop);
    component->serving = NULL;
    if (hop->is_first) {
        const struct fth_sim_packet *packet = &flow->packets[(hop->started - 1) & (flow->ring - 1)];
        if (packet->last || packet->in_parts)
            notify_left(component->network, *packet);
    }
    if (hop->is_last)
        deliver(component->network, flow);
    if (!component->serving)
        start(engine, component);
    if (hop->is_last)
        return;
    int64_t latency = hop->is_scaled ? flow->wire : component->speed.latency;
    if (hop->is_expected) {
        hop->is_expected = false;
    } else if (latency) {
        fth_sim_after(engine, latency, &hop[1].arrival);
    } else {
        engine->events++;
        fth_sim_hop_arrival(engine, &hop[1].arrival);
    }
}

static void grow_ring(struct fth_sim_flow *flow)
{
    uint32_t limit = flow->ring ? flow->ring * 2 : 8;
    struct fth_sim_packet *packets = fth_new(limit, sizeof *packets);
    for (uint32_t i = flow->consumed; i != flow->made; i++)
        packets[i & (limit - 1)] = flow->packets[i & (flow->ring - 1)];
    free(flow->packets);
    flow->packets = packets;
    flow->ring = limit;
}

void fth_sim_flow_queue(struct fth_sim_flow *flow, struct fth_sim_message *message)
{
    message->waiting = true;
    message->next = NULL;
    if (flow->messages)
        flow->last_message->next = message;
    else
        flow->messages = message;
    flow->last_message = message;
}

void fth_sim_make_packet(struct fth_sim_flow *flow)
{
    const struct fth_sim_network *network = flow->hops[0].component->network;
    struct fth_sim_message *message = flow->messages;
    if (flow->made - flow->consumed == flow->ring)
        grow_ring(flow);
    uint64_t left = message->bytes - message->packed;
    struct fth_sim_packet *packet = &flow->packets[flow->made++ & (flow->ring - 1)];
    packet->message = message;
    packet->first = message->packed == 0;
    packet->last = left <= network->packet;
    packet->in_parts = message->in_parts;
    uint64_t payload = packet->last ? left : network->packet;
    packet->bytes = (uint32_t)(payload + network->frame + (packet->first ? network->overhead : 0));
    message->packed += payload;
    if (!fth_sim_is_plain(flow, packet))
        flow->plain_since = flow->made;
    flow->messages = message->next;
    message->waiting = false;
    if (!packet->last && fth_sim_fills_packet(network, message))
        fth_sim_flow_queue(flow, message);
}

void fth_sim_hop_arrival(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_hop *hop = (struct fth_sim_hop *)target;
    if (hop->is_entry && fth_sim_train_takes(engine, hop)) {
        acknowledge(engine, hop - 1, fth_sim_flow_of(hop)->full);
        return;
    }
    struct fth_sim_component *component = hop->component;
    fth_sim_train_leave(engine, component->train);
    if (hop->is_first) {
        struct fth_sim_flow *flow = fth_sim_flow_of(hop);
        flow->feeding = false;
        fth_sim_make_packet(flow);
    }
    hop->arrived++;
    component->waiting++;
    component->waited -= (uint64_t)engine->now;
    list(hop);
    if (!component->serving)
        start(engine, component);
    if (component->waiting > component->most)
        component->most = component->waiting;
}
