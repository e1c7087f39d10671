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
    FTH_ORDERS_TOLD,         /* rank, size or neighbours */
    FTH_ORDERS_PROCESS,
    FTH_ORDERS_EPOCH,    /* of a window: `operation` */
    FTH_ORDERS_LOCK,     /* of a file, with some commands */
    FTH_ORDERS_CLOSE,    /* of a descriptor, which may give up locks, or end a pipe */
    FTH_ORDERS_CLOSES,   /* of descriptors that it does not name */
    FTH_ORDERS_SEEK,     /* moves a descriptor */
    FTH_ORDERS_THREAD,   /* makes one, or waits for its end: `operation` */
    FTH_ORDERS_MUTEX,    /* of threads: `turn` */
    FTH_ORDERS_PIPE,     /* makes one */
    FTH_ORDERS_TRANSFER, /* reads or writes, maybe through a pipe */
    FTH_ORDERS_REMOTE,   /* accesses the memory of another process */
    FTH_ORDERS_TALLY,    /* counts: `tick` */
    FTH_ORDERS_SHUT,     /* ends one direction of a socket, or both */
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

struct fth_order_semantics {
    enum fth_order_what what;
    uint16_t function; /* of the trace; rows that differ in the width of counts are one */
    bool sends, receives, probes, waits, nonblocking, persistent, both, is_init, is_finalize;
    /* numbers of parameters */
    int object;            /* communicator, window or file of the call */
    int made;              /* another one that it makes */
    int request, started;  /* those that are completed, started, freed; the one that it makes */
    int message, matched;  /* used up; made by a matched probe */
    int peers[2], tags[2]; /* of what is sent and received */
    int root, status;
    int outs[2], indices, out_count;
    int counts[FTH_MOST_COUNTS], count_count;
    int datatype, last_datatype; /* the first one, and the last one */
    bool gets_unknown;           /* what it gets is in counts that are not kept */
    int received;                /* a list: how much it gets of each, or each of all */
    bool reduces;                /* the latter */
    int reduction;               /* operator of a reduction */
    bool gives_up;               /* frees or closes its object */
    bool each_its_own;           /* counts differ from member to member */
    int colour, key, high, type, reorder, rank, size, ranks, dims, periods, sources, destinations,
        degrees, edges;
    int local_leader, remote_leader, peers_in; /* of an intercommunicator */
    int partitions, part, last_part, parts; /* how many; from which to which, or a list of them */
    int node_count, remains, pset, text_tag, process_count, port;
    int groups[2], group_made, pid, command;
    int child_status, options, idtype, id; /* of a call that waits for children */
    bool whole_file;                       /* the lock is one of the whole file */
    int descriptors
        [2]; /* between which it transfers bytes; the second one of calls from one to another */
    bool gives, looks; /* it writes to the first one; it takes nothing out */
    int socket_type, message_flags, how;
    int slot; /* of a thread or lock; of something that counts */
    int amount, operations, index, made_new, sender, code, inode, priority, message_type;
    int carried; /* bytes that a call transfers whose result is something else */
    enum fth_tally_form tally;
    int lock_type; /* of a window */
    bool unlocks;
    enum fth_order_turn turn;
    enum fth_tick_kind tick;
    enum fth_order_rule rule;
    enum fth_making_form form;
    enum fth_node_form node;
    enum fth_order_operation_kind operation;
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

#endif
