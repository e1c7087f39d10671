/* Inner header of the sim room: files over servers. A client asks each server that has part of the
 * bytes once, for all of them, and goes on when all have answered:
 *
 *     read    the request; the answer, which the server begins at once and sends as the disk
 *             delivers
 *     write   the request and, right behind it, the data; an acknowledgement when the last of them
 *             is in the server's cache
 *     flush   the request; an acknowledgement when everything of the file that came before is on
 *             the disk
 *     lookup  the request; an acknowledgement, one after the other: what is done with names (open,
 *     delete), and who has written what (tunable_consistency.c)
 *
 * (Kunkel 2013, sections 5.4.3 and 5.4.4.) A server whose cache takes no more closes its NIC. Where
 * there are forwarders, each client has one, and all of this goes through it. Where there are burst
 * buffers, they are the clients that write. */
#ifndef FTH_SIM_STORAGE_H
#define FTH_SIM_STORAGE_H

#include "base/keyed.h"
#include "sim/io/held.h"
#include "sim/io/index_servers.h"
#include "sim/io/serving.h"
#include "sim/io/token_managers.h"
#include "sim/plan/ranges.h"
#include "sim/io/turn_queue.h"
#include "sim/network/network.h"
#include "sim/plan/program_commands.h"

struct fth_sim_activity;
struct fth_sim_buffer;
struct fth_sim_chunk;
struct fth_sim_cluster;
struct fth_sim_relay;
struct fth_sim_storage;

enum fth_sim_request_kind {
    FTH_SIM_REQUEST_READ,
    FTH_SIM_REQUEST_WRITE,
    FTH_SIM_REQUEST_FLUSH,
    FTH_SIM_REQUEST_LOOKUP
};

/* What a client wants of a server. */
struct fth_sim_request {
    struct fth_sim_message asked, data, answer;
    enum fth_sim_request_kind kind;
    struct fth_sim_server *server;
    struct fth_sim_activity *client; /* that waits for it; NULL: */
    struct fth_sim_chunk *chunk;     /* it comes from a burst buffer */
    /* of those that are held, that are offered, that wait to be flushed or looked up; that are
     * free */
    struct fth_sim_request *next;
    struct fth_sim_request *made_before;
    uint32_t client_nic, via, file; /* via: a forwarder */
    struct fth_sim_relay *relay;    /* of the message that was sent last, through it */
    uint64_t kept;                  /* reads: bytes from the read cache that are not sent */
    struct fth_sim_extent *pieces;  /* in the server's part of the file */
    uint32_t piece_count, piece_limit;
    uint64_t bytes;
    int64_t work;          /* lookups: ns */
    uint64_t exchanged;    /* lookups: ranges that are noted or reported */
    uint32_t piece;        /* writes: where the data come to that enter the cache next */
    uint64_t within;       /* of that piece */
    uint64_t stored, held; /* bytes that entered the cache, that wait to */
    uint64_t left, before; /* flushes: tasks that must be over before it, numbered below `before` */
};

/* A file as it is now. */
struct fth_sim_stored_file {
    struct fth_sim_layout layout;
    uint64_t size;
    struct fth_sim_buffered buffered;
    uint64_t attached_blocks; /* of an instance of `fathom fs`: up to the last one */
    bool is_there;                /* it has been opened, and not been deleted since */
    struct fth_sim_turns writers; /* who write to it, where they take turns */
};

struct fth_sim_storage {
    struct fth_sim_engine *engine;
    struct fth_sim_network *network;
    const struct fth_sim_cluster *cluster;
    struct fth_sim_server *servers;
    uint32_t server_count;
    struct fth_sim_stored_file *files;
    uint32_t file_count;
    uint32_t *forwarders, forwarder_count; /* NICs */
    struct fth_sim_buffer *buffers;
    uint32_t buffer_count;
    struct fth_sim_held held;       /* by buffers */
    struct fth_sim_extent *missing; /* of a read, while it is put together */
    uint32_t missing_limit;
    struct fth_keyed unpublished;         /* of tunable_consistency.c */
    struct fth_sim_token_managers tokens; /* where consistency is by locks */
    struct fth_sim_index index;           /* of an instance of `fathom fs` */
    struct fth_sim_turns names;           /* who change names, where they take turns */
    uint64_t messages, message_bytes;
    /* What is free to be used again. */
    struct fth_sim_request *free_requests, *made_last;
    struct fth_sim_task *free_tasks;
    struct fth_sim_batch *free_batches;
    struct fth_sim_relay *free_relays;
    struct fth_sim_pull *free_pulls;
    struct fth_sim_chunk *free_chunks, *made_chunk;
    struct fth_sim_held_up *free_held_up;
    struct fth_sim_catch *free_catches;
};

/* What a step of a command starts. */
void fth_sim_lookup(struct fth_sim_activity *activity);
/* The server that keeps who has written what notes, or reports, so many ranges. */
void fth_sim_exchange_ranges(struct fth_sim_activity *activity, uint64_t ranges);

/* What it costs the processor of the process to copy these bytes, besides what the step starts
 * (copy.c). */
void fth_sim_copy(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges,
                  bool is_write);
/* The same of some of the command's ranges, where there is a call for each such part. */
void fth_sim_copy_some(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges,
                       bool is_first, bool is_write);

/* What the members of a meeting for two-phase I/O have found out, once for all (two_phases.c). */
struct fth_sim_phases {
    uint64_t from, to, buffer;
    uint32_t aggregators;
    bool is_alone;   /* everybody for himself */
    uint32_t *index; /* by rank: which aggregator it is, or UINT32_MAX */
};

/* A command that processes carry out together. Each enters it once; the step that does ends when
 * all have, and what each of them accesses is known to all then. When all have left, it is gone. */
struct fth_sim_meeting {
    struct fth_sim_meeting *next;
    uint32_t communicator, group, instance; /* group: its first process */
    uint32_t count, entered, left;
    struct fth_sim_phases *phases; /* NULL: nothing yet */
    struct fth_sim_member {
        struct fth_sim_activity *activity; /* while not all are there */
        struct fth_sim_ranges ranges;
        struct fth_sim_extent *list; /* that was copied */
    } members[];
};
void fth_sim_meeting_free(struct fth_sim_meeting *meeting);
struct fth_sim_meeting *fth_sim_meeting_enter(struct fth_sim_activity *activity);
void fth_sim_meeting_leave(struct fth_sim_activity *activity, struct fth_sim_meeting *meeting);

/* Of an activity: the storage that it is about, and the file. */
struct fth_sim_storage *fth_sim_storage_of(const struct fth_sim_activity *activity);
struct fth_sim_stored_file *fth_sim_stored_file_of(const struct fth_sim_activity *activity);
/* A request begins its way; it is over when it has been answered. */
void fth_sim_request_send(struct fth_sim_request *request);
void fth_sim_request_over(struct fth_sim_request *request);

/* The same from a burst buffer, or past it: a piece of it goes to servers, in so many requests;
 * what is to be read or flushed has come to them. */
uint32_t fth_sim_drain_to_servers(struct fth_sim_storage *storage, struct fth_sim_chunk *chunk);
void fth_sim_read_from_servers(struct fth_sim_activity *activity,
                               const struct fth_sim_ranges *ranges);
void fth_sim_write_to_servers(struct fth_sim_activity *activity,
                              const struct fth_sim_ranges *ranges);
void fth_sim_flush_servers(struct fth_sim_activity *activity);

void fth_sim_server_init(struct fth_sim_server *server, struct fth_sim_storage *storage);
void fth_sim_server_free(struct fth_sim_server *server);

struct fth_sim_world;
/* The method of a command that stands in the program: with what consistency demands around it
 *. */
const struct fth_sim_method *fth_sim_visibly(const struct fth_sim_world *world,
                                             enum fth_sim_verb verb);
/* The same with what the process's own processor does for it. */
const struct fth_sim_method *fth_sim_copying(const struct fth_sim_world *world,
                                             enum fth_sim_verb verb);

#endif
