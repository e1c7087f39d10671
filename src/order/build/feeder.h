/* From the calls of one process to its deeds. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_FEEDER_H
#define FTH_ORDER_BUILD_FEEDER_H

#include "base/intern.h"
#include "order/build/deeds.h"
#include "order/build/sense.h"

/* An operation that a request stands for, or a persistent request. */
struct fth_pending {
    uint32_t deeds[2]; /* that are under way; FTH_NO_DEED */
    /* plus 1: the one that a call waits for, or did, which began before others work on it */
    uint32_t waited;
    bool used, persistent, cancelled;
    struct fth_order_deed like[2]; /* of a persistent one: what each start does */
    int like_count;
    int64_t partitions; /* 0: it is one message */
};

/* A call that has not returned. */
struct fth_feeder_frame {
    uint32_t depth;
    bool is_event;
    bool asked;                 /* for the moment when it began: others may be told what it did */
    int64_t end;                /* of the call */
    size_t completing, tickets; /* those above are its own */
};

struct fth_feeder_thread {
    uint32_t steps;
    struct fth_feeder_frame *frames;
    uint32_t frame_count, frame_room;
    uint32_t *completing; /* deeds that end with calls that have not returned */
    size_t completing_count;
    uint32_t *tickets;
    size_t ticket_count;
    bool seen;    /* it has made a call */
    bool dirty;   /* others may depend on what it did, and it is not in the pool yet */
    bool marked;  /* moments behind its last event were asked for */
    size_t taken; /* so much of the pool its last event there knows */
};

/* A lock of threads that is held. */
struct fth_feeder_mutex {
    uint32_t slot, thread;
    bool shared;
};

/* What a descriptor is to a pipe. */
struct fth_feeder_end {
    uint32_t pipe;   /* plus 2; 1: it is of none; 0: not known yet */
    uint32_t making; /* plus 1; 0: none */
    uint8_t side;    /* of that */
    bool writes;     /* it could, or did */
    bool is_socket;
    bool closed;
};

struct fth_order_feeder {
    size_t proc;
    const struct fth_trace *trace;
    struct fth_order_deeds *deeds;
    struct fth_clocks *clocks;
    const struct fth_order_senses *senses;
    const struct fth_order_fifos *fifos;
    const char *mpi_abi;
    struct fth_feeder_thread *threads;
    uint32_t thread_count;
    /* the call that was fed last */
    const struct fth_call *call;
    uint32_t thread, depth;
    bool fed, ended;
    struct fth_pending *requests; /* by slot */
    uint32_t request_room;
    uint32_t *messages; /* by slot: deeds, plus 1 */
    uint32_t message_room;
    uint32_t *members; /* by number of the handle, plus 1 */
    uint32_t member_room;
    uint32_t *nodes; /* of groups of MPI by slot, plus 1 */
    uint32_t node_room;
    uint32_t *created; /* by slot of the thread: deeds, plus 1 */
    uint32_t created_room;
    struct fth_feeder_mutex *mutexes; /* that are held */
    size_t mutex_count;
    uint32_t *files; /* by number of the handle: of those with locks, plus 1 */
    uint32_t file_room;
    int64_t stands; /* the descriptor of the call; -1: not known */
    bool stands_told;
    struct fth_accesses *accesses; /* that the calls come from; or NULL */
    bool *moved;                   /* by number of the handle */
    uint32_t moved_room;
    struct fth_order_lock *epochs; /* of windows that are locked */
    size_t epoch_count;
    struct fth_order_lock *held;
    size_t held_count;
    struct fth_feeder_end *ends; /* of pipes, by number of the handle */
    uint32_t end_room;
    struct fth_intern pipe_names; /* of deeds->pipes, by number */
    struct fth_intern tally_keys; /* of deeds->tallies, by number */
    bool closed_unnamed;          /* descriptors, and it is not known which */
    uint32_t world;               /* its member; FTH_NO_MEMBER */
    uint32_t cancelled;           /* the deed that was found cancelled last */
    uint8_t cancelled_kind;
    /* For what may have come before (possible.c): */
    bool watches;        /* that is asked for */
    bool pools;          /* its threads are in an order that is not known */
    bool shares;         /* it shares something with other processes */
    int64_t soonest_end; /* of the calls that have not been left */
    uint32_t *dirty;     /* threads */
    size_t dirty_count, told_count;
    struct fth_intern seen_names; /* by thread and name */
    uint8_t *name_states;         /* what the thread knows of the name, by number */
    uint32_t name_state_room;
    bool renames;               /* a process of the run may rename files */
    struct fth_moment *moments; /* of tickets */
    size_t moment_count;
    uint32_t *leaked; /* deeds */
    size_t leaked_count;
};

/* ---- what may have come before; feeder_possible.c ---- */

struct fth_event fth_feeder_next_event(struct fth_order_feeder *feeder, uint32_t thread);
/* The thread did something that others may depend on; the event may depend on what others did. */
void fth_feeder_did(struct fth_order_feeder *feeder, uint32_t thread);
void fth_feeder_depends(struct fth_order_feeder *feeder, uint32_t thread, struct fth_event event);
/* Before a moment of the thread of the call is asked for, and behind one that was asked for. */
void fth_feeder_before_moment(struct fth_order_feeder *feeder);
void fth_feeder_behind_moment(struct fth_order_feeder *feeder, uint32_t thread, int64_t time);
void fth_feeder_remote(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_event begin);
void fth_feeder_begin(struct fth_order_feeder *feeder);
void fth_feeder_free(struct fth_order_feeder *feeder);

/* ---- what a call means; feeder_deeds.c ---- */

/* What the call that has just begun does, if it did not fail. */
void fth_feeder_note(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_event begin);
/* Collective calls; feeder_collectives.c. */
void fth_feeder_collective(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                           struct fth_event begin);
/* Communicators and groups; feeder_groups.c. What a deed makes; and calls on groups, and what they
 * tell of ranks. */
void fth_feeder_making(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       uint32_t deed);
void fth_feeder_group(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin);
/* The member of this origin: there is one in a process, however often it is asked for. */
uint32_t fth_feeder_only_member(struct fth_order_feeder *feeder, enum fth_member_origin origin,
                                const char *name);
/* The descriptor that the call closes; or NULL. */
const struct fth_handle *fth_feeder_closed(const struct fth_order_feeder *feeder);
/* Locks; feeder_locks.c. */
bool fth_feeder_lock_event(const struct fth_order_feeder *feeder, struct fth_lock_event *event);
void fth_feeder_lock(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     const struct fth_lock_event *event, struct fth_event begin);
bool fth_feeder_holds(struct fth_order_feeder *feeder, const struct fth_handle *handle);
void fth_feeder_close(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin);
/* Any descriptors, as far as is known: from here on nothing is held for certain, nor open to the
 * end of the process. */
void fth_feeder_close_unnamed(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                              struct fth_event begin);
void fth_feeder_moved(struct fth_order_feeder *feeder);
void fth_feeder_end_locks(struct fth_order_feeder *feeder);
/* Threads and what they wait for; feeder_threads.c. Of the first call of a thread: who started
 * it. */
void fth_feeder_note_starter(struct fth_order_feeder *feeder);
void fth_feeder_thread(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_event begin);
void fth_feeder_mutex(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin);
/* Pipes; feeder_pipes.c. Does the call transfer bytes through one? */
bool fth_feeder_transfers(struct fth_order_feeder *feeder, const struct fth_order_sense *sense);
void fth_feeder_transfer(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin);
/* Is the call about a socket? And one that ends its directions. */
bool fth_feeder_is_socket(struct fth_order_feeder *feeder);
void fth_feeder_shut(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_event begin);
void fth_feeder_make_pipe(struct fth_order_feeder *feeder, const struct fth_order_sense *sense);
/* Of a descriptor that is closed: could it write into a pipe? */
bool fth_feeder_could_write(struct fth_order_feeder *feeder, const struct fth_handle *handle);
void fth_feeder_close_pipe(struct fth_order_feeder *feeder, const struct fth_handle *handle,
                           uint32_t deed);
void fth_feeder_end_pipes(struct fth_order_feeder *feeder);
/* Things that count; feeder_tallies.c. Is it known which one the call is about? */
bool fth_feeder_counts(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense);
void fth_feeder_tick(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_event begin);
/* Windows; feeder_windows.c. */
void fth_feeder_epoch(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin);
/* A deed of the call that has just begun, about no member; and a node of a group of MPI in a
 * parameter. */
struct fth_order_deed fth_feeder_deed(const struct fth_order_feeder *feeder,
                                      const struct fth_order_sense *sense,
                                      enum fth_order_deed_kind kind, struct fth_event begin);
uint32_t fth_feeder_node(const struct fth_order_feeder *feeder, int parameter);
/* The deed ends with the call that is being fed. */
void fth_feeder_complete(struct fth_order_feeder *feeder, uint32_t deed);
/* The request in parameter `i` stands for these deeds; and what asks for requests. */
void fth_feeder_start(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      const struct fth_order_deed *deeds, int count);
void fth_feeder_requests(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin);
/* Of a parameter; FTH_NO_MEMBER. */
uint32_t fth_feeder_member(struct fth_order_feeder *feeder, int parameter, bool made);
const struct fth_value *fth_feeder_value(const struct fth_order_feeder *feeder, int parameter);
int64_t fth_feeder_integer(const struct fth_order_feeder *feeder, int parameter, int64_t otherwise);
int32_t fth_feeder_peer(int64_t integer, const char *text);
int32_t fth_feeder_peer_in(const struct fth_order_feeder *feeder, int parameter);
int32_t fth_feeder_tag_in(const struct fth_order_feeder *feeder, int parameter);
int32_t fth_feeder_tag(int64_t integer, const char *text);

#endif
