/* Inner header of the sim room: flows, and the components of a network that they go through. */
#ifndef FTH_SIM_NETWORK_FLOW_H
#define FTH_SIM_NETWORK_FLOW_H

#include "sim/network/network.h"

#include <stdalign.h>

struct fth_sim_packet {
    struct fth_sim_message *message;
    uint32_t bytes; /* on the wire */
    bool first, last, in_parts;
};

/* A component on the way of a flow. Packets of a flow stay in their order, so numbers show where
 * they are: those up to `started` have been here, those up to `arrived` wait. */
struct fth_sim_hop {
    struct fth_sim_target arrival;
    struct fth_sim_component *component;
    struct fth_sim_hop *next_ready;
    int64_t ahead; /* worth of the packets that the next component has not begun with */
    int64_t full;  /* how long a packet of full size takes */
    uint32_t arrived, started, index; /* index: of the way */
    bool is_first : 1, is_last : 1, is_local : 1, listed : 1;
    bool is_scaled : 1;    /* of an analytical NIC: the speed is not the component's */
    bool is_unlimited : 1; /* it sends whatever is under way from here */
    bool is_entry : 1, is_before_exit : 1;
    bool is_expected : 1; /* the next component's arrival was asked for before this one is done */
};
_Static_assert(sizeof(struct fth_sim_hop) <= 64, "a hop is a line of the cache");

/* What has components for itself, and counts packets: see trains.c. */
struct fth_sim_train {
    struct fth_sim_flow *flow;   /* that the last packet belongs to */
    struct fth_sim_flow *riders; /* all whose packets a leaving train moves */
    int64_t since, length;       /* when it began with the last packet, and how long that takes */
    uint32_t packets;            /* that an arriving train has taken */
    uint32_t hop;            /* an arriving train is from this one on, a leaving one before it */
    uint32_t round;          /* of the event at `since` */
    bool is_leaving, is_due; /* due: the packet that follows the last one is not made yet */
};

/* A packet that was moved comes to a hop. */
struct fth_sim_landing {
    struct fth_sim_target target;
    struct fth_sim_hop *exit;
};

/* What is asked for most comes first, in a line of the cache; then what trains need. */
struct fth_sim_flow {
    struct fth_sim_message *messages; /* that are not yet all packets; they take turns */
    struct fth_sim_packet *packets;   /* a ring: those that were made and have not arrived */
    uint32_t ring, made, consumed;
    uint32_t full;        /* bytes of a packet of full size */
    uint32_t plain_since; /* all packets from this one on are plain */
    uint32_t exit, entry; /* hops; 0: there is none; see trains.c for the ones next to them */
    uint32_t moved;       /* packets, by the train that it rides */
    struct fth_sim_train *ridden;
    bool feeding; /* the next packet is about to be made */
    struct fth_sim_train arriving;
    int64_t entry_length;               /* from the entry to the end */
    int64_t came;                       /* when a packet last came to the hop before the entry */
    struct fth_sim_landing landings[2]; /* at the exit, and behind it */
    struct fth_sim_train leaving;
    struct fth_sim_flow *next_rider;
    struct fth_sim_message *last_message;
    struct fth_sim_flow *next; /* of the same bucket of the table */
    uint32_t from, to;
    uint32_t hop_count;
    int64_t wire; /* between analytical NICs: the latencies of the way */
    alignas(64) struct fth_sim_hop hops[];
};

static inline struct fth_sim_flow *fth_sim_flow_of(struct fth_sim_hop *hop)
{
    return (struct fth_sim_flow *)((char *)(hop - hop->index) -
                                   offsetof(struct fth_sim_flow, hops));
}

struct fth_sim_network {
    struct fth_sim_engine *engine;
    struct fth_sim_network_user user;
    uint64_t packet, overhead, frame, under_way; /* bytes; frame: of each packet */
    struct fth_sim_component **components; /* of nodes and edges: patterns until they are used */
    uint32_t component_count, *nodes, node_count, *edges, edge_count;
    uint32_t *from; /* of each edge; they come in pairs, there and back */
    struct fth_sim_component **patterns;
    uint32_t pattern_count;
    struct fth_sim_flow **flows;
    uint32_t flow_count, flow_limit;
    uint32_t targets; /* that have a number so far */
    struct fth_sim_routes *routes;
    const struct fth_sim_guide *guide; /* NULL: there is none */
    bool is_simple;                    /* only NICs are busy */
    bool has_no_trains;
    uint64_t counted; /* events, by trains */
};

/* The parts of a network (components.c): the number of a new one; and the one of a number, to be
 * used: it is no pattern. */
uint32_t fth_sim_network_add(struct fth_sim_network *network, const char *name,
                             enum fth_sim_kind kind, const struct fth_sim_speed *speed);
struct fth_sim_component *fth_sim_network_use(const struct fth_sim_network *network,
                                              uint32_t number);

/* Bytes of a packet of full size. */
static inline uint64_t fth_sim_full_packet(const struct fth_sim_network *network)
{
    return network->packet + network->frame;
}

/* A component's function for the end of its work on a packet, a hop's for a packet that comes. */
void fth_sim_component_done(struct fth_sim_engine *engine, struct fth_sim_target *target);
void fth_sim_hop_arrival(struct fth_sim_engine *engine, struct fth_sim_target *target);

/* Of full size, and nobody has to learn of it. */
static inline bool fth_sim_is_plain(const struct fth_sim_flow *flow,
                                    const struct fth_sim_packet *packet)
{
    return packet->bytes == flow->full && !packet->first && !packet->last && !packet->in_parts;
}

/* Whether it is known of a packet that was made that it is plain, without looking at it. */
static inline bool fth_sim_is_surely_plain(const struct fth_sim_flow *flow, uint32_t number)
{
    return (int32_t)(number - flow->plain_since) >= 0;
}

/* The message whose turn it is becomes a packet shorter. */
void fth_sim_make_packet(struct fth_sim_flow *flow);

/* The first packet of a message that was added to `flow` is made. */
void fth_sim_flow_feed(struct fth_sim_engine *engine, struct fth_sim_flow *flow);

/* Adds a message to those of a flow that take turns. */
void fth_sim_flow_queue(struct fth_sim_flow *flow, struct fth_sim_message *message);

/* A NIC that was closed takes packets again. */
void fth_sim_component_open(struct fth_sim_engine *engine, struct fth_sim_component *component);

static inline bool fth_sim_fills_packet(const struct fth_sim_network *network,
                                        const struct fth_sim_message *message)
{
    return !message->withheld ||
           message->bytes - message->withheld - message->packed >= network->packet;
}

/* Ways: `count` components from a NIC to another; NULL for `way` only counts. */
struct fth_sim_routes *fth_sim_routes_new(const struct fth_sim_network *network,
                                          struct fth_error **error);
void fth_sim_routes_free(struct fth_sim_routes *routes, uint32_t nodes);
uint32_t fth_sim_routes_way(const struct fth_sim_network *network, uint32_t from, uint32_t to,
                            struct fth_sim_component **way);

#endif
