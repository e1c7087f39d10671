/* Inner header of the sim room: what the files about servers share. */
#ifndef FTH_SIM_SERVER_H
#define FTH_SIM_SERVER_H

#include "sim/io/storage.h"

#include <stddef.h>

#define FTH_SIM_REQUEST_OF(message, member)                                                        \
    ((struct fth_sim_request *)(void *)((char *)(message)-offsetof(struct fth_sim_request, member)))

enum fth_sim_direction { FTH_SIM_TO_SERVER, FTH_SIM_FROM_SERVER };
/* A message of a request sets out, through the client's forwarder if it has one. */
void fth_sim_server_send(struct fth_sim_request *request, struct fth_sim_message *message,
                         enum fth_sim_direction direction);
/* The same for any message; the relay that takes it on, to which what is withheld is appended;
 * NULL: it goes straight. */
struct fth_sim_relay *fth_sim_forward(struct fth_sim_storage *storage, uint32_t from, uint32_t via,
                                      uint32_t to, struct fth_sim_message *message);
void fth_sim_forward_append(struct fth_sim_relay *relay, uint64_t bytes);

/* Whether client and server need no network (local.c); then the message has arrived at once, or as
 * it is appended. */
bool fth_sim_request_is_local(const struct fth_sim_request *request);
void fth_sim_local_send(struct fth_sim_request *request, struct fth_sim_message *message);
void fth_sim_local_append(struct fth_sim_request *request, uint64_t bytes);

/* How many tasks waited for the disk on average up to `now`, also those that still do; 0 at its
 * start. */
double fth_sim_server_queue(const struct fth_sim_server *server, int64_t now);

void fth_sim_server_add_task(struct fth_sim_server *server, enum fth_sim_operation operation,
                             const struct fth_sim_task *wanted);
/* The disk gets as much as it may have at once. */
void fth_sim_server_schedule(struct fth_sim_server *server);
/* There may be room again for what was held. */
void fth_sim_server_admit(struct fth_sim_server *server);

/* Sizes of messages: a request, and each piece that it is for; an acknowledgement. */
enum { FTH_SIM_REQUEST_BYTES = 20, FTH_SIM_PIECE_BYTES = 8, FTH_SIM_ACKNOWLEDGEMENT_BYTES = 15 };
void fth_sim_server_acknowledge(struct fth_sim_request *request);
/* Data enter the cache. False: what is there already, and waits, is only changed. */
bool fth_sim_server_store(struct fth_sim_server *server, uint32_t file, uint64_t offset,
                          uint64_t bytes);

/* ServerDirected: a write may be fetched from its client; there may be room to fetch more. */
void fth_sim_server_offer(struct fth_sim_request *request);
void fth_sim_server_fetch(struct fth_sim_server *server);

/* Reads: a request has arrived; the disk has read a task. */
void fth_sim_server_read(struct fth_sim_request *request);
void fth_sim_server_was_read(struct fth_sim_server *server, const struct fth_sim_task *task);

#endif
