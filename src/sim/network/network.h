/* A network is a directed graph of nodes and edges. What two processes say to each other goes
 * through it in packets, which are stored and forwarded: a component has a packet as a whole before
 * it works on it, one packet at a time, for size / throughput; behind an edge the packet arrives
 * `latency` later, while the edge is free for the next one. Processes are connected by network
 * interfaces (NICs), nodes where messages become packets and packets messages.
 *
 * All packets from one NIC to another are a flow. A component sends no further packet of a flow
 * while those that it has sent, and which the next component has not begun to work on, are worth as
 * much time as latency + one full packet (the bandwidth-delay product) or more; flows that have
 * packets and may send take turns. So nothing is lost, a flow that is slower than its share passes,
 * and the rest is shared equally (Kunkel 2013, section 5.3.3). */
#ifndef FTH_SIM_NETWORK_NETWORK_H
#define FTH_SIM_NETWORK_NETWORK_H

#include "base/error.h"
#include "sim/engine/engine.h"

#include <stddef.h>

/* The parameters of a component; throughputs are bytes per second, times nanoseconds. `local` is
 * the throughput of a node for packets from NICs at it to NICs at it, 0: the same. */
struct fth_sim_speed {
    int64_t latency;
    uint64_t throughput, local;
};

struct fth_sim_message;

/* What becomes of messages; called when the last packet has left the sender's NIC, when the first
 * one has reached the receiver's, and when the last one has. Of messages that are handled in parts
 * also when any packet has, before that, with the bytes of the message in it. */
struct fth_sim_network_user {
    void (*left)(void *user, struct fth_sim_message *message);
    void (*announced)(void *user, struct fth_sim_message *message);
    void (*arrived)(void *user, struct fth_sim_message *message);
    void *user;
    void (*part_left)(void *user, struct fth_sim_message *message, uint64_t bytes);
    void (*part_arrived)(void *user, struct fth_sim_message *message, uint64_t bytes);
};

/* Begins whatever a user of the network sends; zeroed but for `bytes` and what is said here. */
struct fth_sim_message {
    uint64_t bytes, packed;
    uint64_t withheld; /* of `bytes`: not there yet, see fth_sim_network_append */
    struct fth_sim_message *next;
    struct fth_sim_flow *flow;
    const struct fth_sim_network_user *user; /* whose it is; NULL: the network's */
    bool in_parts;
    bool waiting; /* for its turn to become packets */
};

enum fth_sim_kind { FTH_SIM_NIC, FTH_SIM_NODE, FTH_SIM_EDGE };

/* A node, a NIC or an edge, and what it did. What is asked for most comes first, in a line of the
 * cache. */
struct fth_sim_component {
    struct fth_sim_target done;
    struct fth_sim_hop *serving, *ready, *last_ready;
    struct fth_sim_train *train; /* that has it for itself */
    int64_t limit;               /* of what may be under way from here in a flow, in time */
    uint32_t waiting, most;      /* packets that are here and not worked on; so many at most */
    struct fth_sim_speed speed;
    int64_t busy; /* how long it worked */
    uint64_t packets, bytes;
    /* sum of the instants at which it began with packets, without those at which they came */
    uint64_t waited;
    struct fth_sim_hop *refused; /* by a NIC that is closed */
    struct fth_sim_network *network;
    const char *name; /* of its model */
    enum fth_sim_kind kind;
    bool closed;
};

struct fth_sim_network;

/* Packets carry up to `packet` bytes of a message, the first one `overhead` more. The network lives
 * as long as the engine's run. */
struct fth_sim_network *fth_sim_network_new(struct fth_sim_engine *engine, uint64_t packet,
                                            uint64_t overhead,
                                            const struct fth_sim_network_user *user);
void fth_sim_network_free(struct fth_sim_network *network);

/* Every packet carries `bytes` more than what it has of a message. Before nodes are added. */
void fth_sim_network_frame(struct fth_sim_network *network, uint64_t bytes);

/* The numbers of a new node, or of a NIC; `name` is kept. */
uint32_t fth_sim_network_node(struct fth_sim_network *network, const char *name,
                              enum fth_sim_kind kind, const struct fth_sim_speed *speed);
/* Two edges, one in each direction. */
void fth_sim_network_link(struct fth_sim_network *network, const char *name, uint32_t one,
                          uint32_t other, const struct fth_sim_speed *speed);

/* Who knows how the switches of a network are connected: the neighbour of `at` that is next on the
 * way to `to`. All that hangs at the network like a tree is left to the network. `number` is
 * another one for each NIC, so that ways can be spread. */
struct fth_sim_guide {
    uint32_t (*next)(const struct fth_sim_guide *guide, uint32_t at, uint32_t to, uint32_t number);
};
/* Without a guide ways are the shortest. It is kept. */
void fth_sim_network_guide(struct fth_sim_network *network, const struct fth_sim_guide *guide);

/* Analytical NICs: packets keep both NICs busy for their size at the lowest throughput of the way,
 * and are on it for the sum of its latencies; nothing in between is looked at. That takes few
 * events: four for each packet. */
void fth_sim_network_simplify(struct fth_sim_network *network);

/* Every packet is played through by itself: the same, slower. For comparisons; before anything is
 * sent. */
void fth_sim_network_play_all(struct fth_sim_network *network);

/* What is needed to find ways, in O(nodes + edges). -1: a NIC cannot be reached. Nothing is added
 * after it. */
int fth_sim_network_connect(struct fth_sim_network *network, struct fth_error **error);

/* Sends a message from one NIC to another, or to itself: then it goes through that NIC alone,
 * once. */
void fth_sim_network_send(struct fth_sim_network *network, uint32_t from, uint32_t to,
                          struct fth_sim_message *message);

/* `bytes` more of a message that was sent with some withheld are there. A packet is made when it is
 * full, or the last one. */
void fth_sim_network_append(struct fth_sim_network *network, struct fth_sim_message *message,
                            uint64_t bytes);

/* A NIC takes no packet any more, whoever sent it, until it is opened again: what is under way
 * stays where it is. */
void fth_sim_network_close(struct fth_sim_network *network, uint32_t nic);
void fth_sim_network_open(struct fth_sim_network *network, uint32_t nic);

/* Events that trains counted without playing them through. */
uint64_t fth_sim_network_counted(const struct fth_sim_network *network);

/* What is on the way: 0 when all messages have arrived. */
uint64_t fth_sim_network_under_way(const struct fth_sim_network *network);

size_t fth_sim_network_components(const struct fth_sim_network *network);
/* How many packets waited at a component on average up to `now`, the present; 0 at its start. */
double fth_sim_component_queue(const struct fth_sim_component *component, int64_t now);
const struct fth_sim_component *fth_sim_network_component(const struct fth_sim_network *network,
                                                          size_t index);

#endif
