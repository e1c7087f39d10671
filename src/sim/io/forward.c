/* I/O forwarders: nodes between clients and servers. A forwarder sends on what it gets, packet by
 * packet, from the first one on; it keeps nothing and changes nothing (Kunkel 2013, section 5.4.3).
 * Who sent the message, and who gets it, do not notice. */
#include "sim/io/server.h"

/* A message as it goes to the forwarder, and on from there. */
struct fth_sim_relay {
    struct fth_sim_message in, out, *message;
    struct fth_sim_storage *storage;
    struct fth_sim_relay *next; /* of those that are free */
    uint32_t via, to;
};

#define RELAY_OF(message, member)                                                                  \
    ((struct fth_sim_relay *)(void *)((char *)(message)-offsetof(struct fth_sim_relay, member)))

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

/* ---- to the forwarder ---- */

static void in_left(void *user, struct fth_sim_message *in)
{
    (void)user;
    struct fth_sim_message *message = RELAY_OF(in, in)->message;
    message->user->left(message->user->user, message);
}

static void in_part_left(void *user, struct fth_sim_message *in, uint64_t bytes)
{
    (void)user;
    struct fth_sim_message *message = RELAY_OF(in, in)->message;
    if (message->user->part_left)
        message->user->part_left(message->user->user, message, bytes);
}

static void in_announced(void *user, struct fth_sim_message *in)
{
    (void)user;
    struct fth_sim_relay *relay = RELAY_OF(in, in);
    relay->storage->messages++;
    relay->storage->message_bytes += relay->out.bytes;
    fth_sim_network_send(relay->storage->network, relay->via, relay->to, &relay->out);
}

static void in_part_arrived(void *user, struct fth_sim_message *in, uint64_t bytes)
{
    (void)user;
    struct fth_sim_relay *relay = RELAY_OF(in, in);
    fth_sim_network_append(relay->storage->network, &relay->out, bytes);
}

/* ---- and on ---- */

static void out_announced(void *user, struct fth_sim_message *out)
{
    (void)user;
    struct fth_sim_message *message = RELAY_OF(out, out)->message;
    message->user->announced(message->user->user, message);
}

static void out_part_arrived(void *user, struct fth_sim_message *out, uint64_t bytes)
{
    (void)user;
    struct fth_sim_message *message = RELAY_OF(out, out)->message;
    if (message->user->part_arrived)
        message->user->part_arrived(message->user->user, message, bytes);
}

static void out_arrived(void *user, struct fth_sim_message *out)
{
    (void)user;
    struct fth_sim_relay *relay = RELAY_OF(out, out);
    struct fth_sim_message *message = relay->message;
    relay->next = relay->storage->free_relays;
    relay->storage->free_relays = relay;
    message->user->arrived(message->user->user, message);
}

struct fth_sim_relay *fth_sim_forward(struct fth_sim_storage *storage, uint32_t from, uint32_t via,
                                      uint32_t to, struct fth_sim_message *message)
{
    static const struct fth_sim_network_user in = {.left = in_left,
                                                   .announced = in_announced,
                                                   .arrived = nothing,
                                                   .part_left = in_part_left,
                                                   .part_arrived = in_part_arrived};
    static const struct fth_sim_network_user out = {.left = nothing,
                                                    .announced = out_announced,
                                                    .arrived = out_arrived,
                                                    .part_arrived = out_part_arrived};
    struct fth_sim_relay *relay = storage->free_relays;
    if (relay)
        storage->free_relays = relay->next;
    else
        relay = fth_sim_new(storage->engine, sizeof *relay);
    *relay = (struct fth_sim_relay){.message = message, .storage = storage, .via = via, .to = to};
    relay->in = (struct fth_sim_message){
        .bytes = message->bytes, .withheld = message->withheld, .user = &in, .in_parts = true};
    relay->out = (struct fth_sim_message){
        .bytes = message->bytes, .withheld = message->bytes, .user = &out, .in_parts = true};
    fth_sim_network_send(storage->network, from, via, &relay->in);
    return relay;
}

void fth_sim_forward_append(struct fth_sim_relay *relay, uint64_t bytes)
{
    fth_sim_network_append(relay->storage->network, &relay->in, bytes);
}
