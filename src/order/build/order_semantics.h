/* What a function means for the order, from its row: kind, flags, roles. Inner header of the order
 * room. */
#ifndef FTH_ORDER_BUILD_SEMANTICS_H
#define FTH_ORDER_BUILD_SEMANTICS_H

#include "order/build/operations.h"

enum fth_order_what {
    FTH_ORDERS_NOTHING,
    FTH_ORDERS_MESSAGE,    /* send, receive, both, probe */
    FTH_ORDERS_START,      /* of persistent requests */
    FTH_ORDERS_REQUEST,    /* makes a request that the program itself completes */
    FTH_ORDERS_DONE,       /* says that it is complete */
    FTH_ORDERS_READY,      /* a part of a partitioned send */
    FTH_ORDERS_ARRIVED,    /* asks for a part of a partitioned receive */
    FTH_ORDERS_COMPLETION, /* wait or test */
    FTH_ORDERS_CANCEL,
    FTH_ORDERS_CANCELLED, /* asks whether it was */
    FTH_ORDERS_FREE,      /* of a request */
    FTH_ORDERS_COLLECTIVE,
    FTH_ORDERS_ALL_OF_WORLD, /* MPI up and down */
    FTH_ORDERS_GROUP,        /* makes one */
    FTH_ORDERS_FROM_GROUP,   /* makes a communicator, and only those call it who are in it */
    FTH_ORDERS_PARENT,       /* asks for the communicator with those who started us */
    FTH_ORDERS_INQUIRY,      /* rank, size or neighbours */
    FTH_ORDERS_PROCESS,
    FTH_ORDERS_EPOCH,     /* of a window: `operation` */
    FTH_ORDERS_LOCK,      /* of a file, with some commands */
    FTH_ORDERS_CLOSE,     /* of a descriptor, which may give up locks, or end a pipe */
    FTH_ORDERS_CLOSES,    /* of descriptors that it does not name */
    FTH_ORDERS_SEEK,      /* moves a descriptor */
    FTH_ORDERS_THREAD,    /* makes one, or waits for its end: `operation` */
    FTH_ORDERS_MUTEX,     /* of threads: `turn` */
    FTH_ORDERS_PIPE,      /* makes one */
    FTH_ORDERS_TRANSFER,  /* reads or writes, maybe through a pipe */
    FTH_ORDERS_REMOTE,    /* accesses the memory of another process */
    FTH_ORDERS_TALLY,     /* counts: `tick` */
    FTH_ORDERS_SHUT,      /* ends one direction of a socket, or both */
    FTH_ORDERS_READINESS, /* finds descriptors ready */
    FTH_ORDERS_CONTACT,   /* makes a connection, or opens what may be a FIFO */
};

/* What a call does with a lock of threads. */
enum fth_order_turn {
    FTH_TURN_ACQUIRE,
    FTH_TURN_ACQUIRE_SHARED,
    FTH_TURN_RELEASE,
    /* gives it up at its begin, and has it again at its end, also if it fails */
    FTH_TURN_REACQUIRE,
    FTH_TURN_MEET, /* all of a barrier */
    FTH_TURNS,
};

/* What a call that counts is about. */
enum fth_tally_form {
    FTH_TALLY_OF_HANDLE,     /* the handle in `slot` */
    FTH_TALLY_OF_NUMBER,     /* gets semaphores of System V: their number is the result */
    FTH_TALLY_OF_OPERATIONS, /* on those with the number `id`: triples in `operations` */
    FTH_TALLY_OF_CONTROL,    /* sets `operations`, or asks, by `command` */
    FTH_TALLY_OF_SIGNAL,     /* sent to `pid` */
    FTH_TALLY_OF_QUEUE,      /* messages in a queue: of POSIX by `inode`, else by `id` */
    FTH_TALLY_OF_WAIT,       /* which the result is: from `sender`, if `code` says so */
};

enum { FTH_NO_PARAMETER = -1, FTH_MOST_COUNTS = 4 };

/* Numbers of parameters are FTH_NO_PARAMETER where there is none. */

struct fth_message_semantics {
    bool sends, receives, probes, both;
    int peers[2], tags[2]; /* of what is sent and received */
    int status;
    int used, matched; /* messages: used up; made by a matched probe */
};

struct fth_request_semantics {
    bool waits;
    int completed, started; /* those that are completed, started, freed; the one that it makes */
    int outs[2], out_count, indices;
};

struct fth_collective_semantics {
    enum fth_order_rule rule;
    bool is_init, is_finalize;
    int root;
    int hints; /* info object; or -1 */
    int counts[FTH_MOST_COUNTS], count_count;
    int datatype, last_datatype; /* the first one, and the last one */
    bool gets_unknown;           /* what it gets is in counts that are not kept */
    int received;                /* a list: how much it gets of each, or each of all */
    bool reduces;                /* the latter */
    int reduction;               /* its operator */
    bool gives_up;               /* frees or closes its object */
    bool each_its_own;           /* counts differ from member to member */
};

struct fth_topology_semantics {
    int reorder, dims, periods, remains, sources, destinations, degrees, edges;
};

/* Of what makes a group or a communicator, or asks about one. */
struct fth_group_semantics {
    enum fth_creation_form form;
    enum fth_node_form node;
    int used[2], made; /* groups */
    int colour, key, split_type, rank, size, ranks;
    int local_leader, remote_leader, peer_comm, high; /* of an intercommunicator */
    int node_count, pset, tag, process_count, port;
    struct fth_topology_semantics topology;
};

/* Of a partitioned message: how many parts; from which to which, or a list of them. */
struct fth_partition_semantics {
    int count, first, last, list;
};

struct fth_process_semantics {
    int pid;
    int child_status, options, idtype, id; /* of a call that waits for children */
    int code, child;                       /* what happened to which child, of waitid */
    int waited;                            /* pid that is waited for */
};

struct fth_thread_semantics {
    int slot; /* of the thread or lock */
    enum fth_order_turn turn;
};

struct fth_transfer_semantics {
    /* between which it transfers bytes; the second one of calls from one to another */
    int descriptors[2];
    bool gives, looks; /* it writes to the first one; it takes nothing out */
    int message_flags;
    int carried; /* bytes that a call transfers whose result is something else */
};

struct fth_tally_semantics {
    enum fth_tally_form form;
    enum fth_tick_kind tick;
    int slot, id, inode, pid;      /* what counts: see the form */
    int amount, operations, index; /* by how much */
    int size, made_new;            /* of a set of semaphores; whether a call made it */
    int sender, code;
    int priority, message_type; /* in a queue */
};

struct fth_order_semantics {
    enum fth_order_what what;
    uint16_t function; /* of the trace; rows that differ in the width of counts are one */
    bool nonblocking, persistent;
    enum fth_order_operation_kind operation; /* of a process, a thread or an epoch */
    int object;                              /* communicator, window or file of the call */
    int made;                                /* another one that it makes */
    int command;
    /* Calls of MPI; one may be of several of these kinds. */
    struct fth_message_semantics message;
    struct fth_request_semantics request;
    struct fth_collective_semantics collective;
    struct fth_group_semantics group;
    struct fth_partition_semantics partition;
    /* Calls of the system, by `what`. */
    union {
        struct fth_process_semantics process;   /* PROCESS */
        struct fth_thread_semantics thread;     /* THREAD, MUTEX */
        struct fth_transfer_semantics transfer; /* TRANSFER */
        struct fth_tally_semantics tally;       /* TALLY */
        struct {
            int type, how; /* of a socket that is made in a pair; of directions */
        } socket;          /* PIPE, SHUT */
        struct {
            bool whole_file;
        } lock; /* LOCK */
        struct {
            enum fth_contact_kind kind;
            int flags; /* of an open; or its mode, as text */
        } contact;     /* CONTACT */
        struct {
            bool gives, gets; /* data, to the other process and from it */
        } remote;             /* REMOTE */
        struct {
            int lock_type;
            bool unlocks;
        } epoch; /* EPOCH */
    };
};

/* `number`: that of the function in the trace. */
struct fth_order_semantics fth_order_semantics_of(const struct fth_function *function,
                                                  size_t number);

struct fth_order_semantics_table;
struct fth_order_semantics_table *fth_order_semantics_table_new(const struct fth_trace *trace);
/* NULL: it orders nothing. May be asked by many threads at once. */
const struct fth_order_semantics *
fth_order_semantics(const struct fth_order_semantics_table *semantics_table,
                    const struct fth_function *function);
const struct fth_function *
fth_order_function(const struct fth_order_semantics_table *semantics_table, uint16_t number);
void fth_order_semantics_table_free(struct fth_order_semantics_table *semantics_table);

/* ---- order_semantics_mpi.c ---- */

struct fth_request_semantics fth_order_request_of(const struct fth_function *function);
struct fth_message_semantics fth_order_message_of(const struct fth_function *function);
struct fth_collective_semantics fth_order_collective_of(const struct fth_function *function,
                                                        int object);
struct fth_group_semantics fth_order_group_of(const struct fth_function *function);
struct fth_partition_semantics fth_order_partition_of(const struct fth_function *function);

#endif
