/* What the calls of a process do that orders it with others, before it is known with whom. Inner
 * header of the order room: builders make it, matchers use it. */
#ifndef FTH_ORDER_BUILD_OPERATIONS_H
#define FTH_ORDER_BUILD_OPERATIONS_H

#include "base/intern.h"
#include "base/rows.h"
#include "order/build/members.h"
#include "order/clocks/clocks.h"

#define FTH_NO_OPERATION UINT32_MAX
#define FTH_WORDS_OF_COUNTS(size) (((size_t)(size) + 63) / 64)

enum fth_order_operation_kind {
    FTH_SYNC_NONE, /* a receive that was cancelled ... */
    FTH_SYNC_SEND,
    FTH_SYNC_RECEIVE,
    FTH_SYNC_PROBE,
    FTH_SYNC_COLLECTIVE,
    FTH_SYNC_FORK,         /* `peer`: pid of the child, which begins behind its begin */
    FTH_SYNC_CHILD,        /* a child that began and ended inside it */
    FTH_SYNC_CHILD_BEGINS, /* popen: `peer` is the handle that the child is known by */
    FTH_SYNC_CHILD_ENDS,   /* pclose: it was over at its end */
    /* `peer`: pid of a child that was over at its end; `tag` 1: that can be waited for once more;
     * 2: it was gone already, or with FTH_PEER_ANY all that were born until then */
    FTH_SYNC_REAP,
    FTH_SYNC_LOCK,
    FTH_SYNC_START, /* epochs of windows: `peer` is the group node */
    FTH_SYNC_POST,
    FTH_SYNC_COMPLETE,
    FTH_SYNC_WAIT,
    FTH_SYNC_PIPE,   /* there is a struct fth_order_transfer */
    FTH_SYNC_CREATE, /* a thread */
    FTH_SYNC_JOIN,   /* `peer`: the operation that created the thread */
    /* at a barrier of threads: `peer` is its slot, `tag` 1 for the one that is picked out */
    FTH_SYNC_MEET,
    FTH_SYNC_PART,    /* there is a struct fth_order_part */
    FTH_SYNC_REMOTE,  /* there is a struct fth_order_remote */
    FTH_SYNC_TICK,    /* there is a struct fth_order_tick */
    FTH_SYNC_CONTACT, /* there is a struct fth_order_contact */
    /* defined by the program: it begins where the program says that it is done */
    FTH_SYNC_REQUEST,
};

/* How members of a collective wait for each other: `orders WORD` of the catalogue. */
enum fth_order_rule {
    FTH_RULE_NONE,
    FTH_RULE_BARRIER,
    FTH_RULE_ALL,
    FTH_RULE_FROM_ROOT,
    FTH_RULE_TO_ROOT,
    FTH_RULE_UPWARDS,
    FTH_RULE_NEIGHBOURS,
    FTH_RULE_FENCE, /* a barrier; the builder decides by the arguments of the call, */
    FTH_RULE_FREE,  /* and by those of the one that made the window */
};

enum {
    FTH_SYNC_BOTH = 1,       /* the sender waits for the receiver */
    FTH_SYNC_GIVES = 2,      /* of a collective: data of its own */
    FTH_SYNC_GETS = 4,       /* data of others */
    FTH_SYNC_AMBIGUOUS = 8,  /* several threads use its channel, or communicator */
    FTH_SYNC_COMPLETED = 16, /* its end was seen */
    FTH_SYNC_FREED = 32,     /* nobody will wait for it */
    FTH_SYNC_MAKES = 64,     /* of a collective: there is a struct fth_order_creation */
    /* of a collective: `peer` is the number of its struct fth_order_counts */
    FTH_SYNC_COUNTS = 128,
};

/* Peers beside ranks. */
enum {
    FTH_PEER_ANY = -1,
    FTH_PEER_NOBODY = -2,
    FTH_PEER_ROOT = -3, /* of an intercommunicator: it is me */
    FTH_TAG_ANY = INT32_MIN,
};

/* Of a collective: its rule, and the number of its struct fth_order_terms, plus 1; 0: nothing is
 * known of them. */
enum { FTH_MOST_TERMS = 1 << 14, FTH_RULES_IN_TAG = 16 };
static inline int32_t fth_order_tag_of(enum fth_order_rule rule, uint32_t terms)
{
    return (int32_t)rule + FTH_RULES_IN_TAG * (int32_t)terms;
}
static inline enum fth_order_rule fth_order_rule_in(int32_t tag)
{
    return (enum fth_order_rule)(tag & (FTH_RULES_IN_TAG - 1));
}
static inline uint32_t fth_order_terms_in(int32_t tag)
{
    return tag < 0 ? 0 : (uint32_t)(tag / FTH_RULES_IN_TAG);
}

struct fth_order_operation {
    struct fth_event begin, end; /* end.timeline is FTH_NO_TIMELINE as long as nothing says when */
    uint32_t member;             /* the communicator, window or file */
    int32_t peer, tag;           /* of collectives: root, and fth_order_tag_of(rule, terms) */
    uint32_t next;               /* of the same member, or channel */
    uint32_t call;               /* its number in the thread of `begin` */
    uint16_t function;
    uint8_t kind, flags;
    int64_t bytes; /* of a message that is sent; -1: not known, or not asked for */
};

enum fth_lock_space {
    FTH_LOCK_OF_RECORD,      /* of a process */
    FTH_LOCK_OF_DESCRIPTION, /* of an open file description */
    FTH_LOCK_OF_FILE,        /* flock */
    FTH_LOCK_OF_THREADS,     /* a mutex, in a process; `file` is its slot */
    FTH_LOCK_OF_WINDOW,      /* an epoch of MPI; `file` is the member, bytes are ranks */
    FTH_LOCK_SPACES,
};

/* A lock that was acquired when its operation ended, or given up when that began. */
struct fth_order_lock {
    uint64_t from, to; /* bytes */
    int64_t time;      /* of that end, or begin */
    int64_t since;     /* of one that was acquired: others may be refused it from then on */
    uint64_t handle;
    uint64_t original; /* the one that was opened, of which `handle` is a duplicate, or itself */
    uint32_t file, operation;
    uint8_t space;
    bool acquired, shared;
    bool vague; /* of which bytes it is, or whether it was held until then, is not known */
    /* Of the descriptor that it was asked for through: */
    int64_t opened; /* when that was, by this process; */
    bool inherited; /* or it was there when the process began, or came from elsewhere */
    bool closes_on_exec;
    /* Given up by a call that closes a descriptor: behind what that does to the file itself, so at
     * the end of the call. Others are given up as their calls begin. */
    bool closed;
    bool touches;        /* a call that gives up what others may hold, too */
    bool asks;           /* a call that asks whether somebody has it: it is neither */
    uint32_t descriptor; /* of operations->descriptors; UINT32_MAX: none */
    bool kept; /* given up by nobody when the process became another program, which holds it */
};

/* A call of a barrier of threads: when it began, and ended. */
struct fth_order_meeting {
    uint32_t operation;
    int64_t start, end;
};

/* The call inside of which a thread was started; thread FTH_NO_TIMELINE: not known. */
struct fth_order_starter {
    uint32_t thread;
    uint64_t call;
};

/* Something that counts, as a process knows it: a semaphore, a counter of events. */
struct fth_order_tally {
    char *key;       /* the same in all processes of a host that have it */
    char *called;    /* for people */
    bool has_name;   /* that any process may open it by */
    bool is_unknown; /* it may be any one */
    bool is_bounded; /* who adds to it may have to wait until somebody takes something */
    bool refused;    /* a call of the process failed as there is no room */
    int64_t sender;  /* signals of this process, to one; else 0 */
};

enum fth_tick_kind {
    FTH_TICK_UP,   /* adds; others may be waiting for that */
    FTH_TICK_DOWN, /* takes, as soon as that is there */
    FTH_TICK_SET,  /* begins anew */
    FTH_TICK_LOOK, /* asks how much is there */
    /* opens it; an amount that is not negative is what it was made with, else it may have been
     * there before */
    FTH_TICK_MADE,
    FTH_TICK_GONE, /* takes it away: who waits for it is notified */
};

struct fth_order_tick {
    int64_t start, end; /* of the call */
    int64_t amount;     /* -1: not known */
    uint32_t tally, operation;
    uint8_t kind;
    bool selects;       /* what is taken may be what was added last */
    bool undone;        /* the end of the process takes it back */
    bool after_refusal; /* there was no room before */
};

/* A pipe, a FIFO, or one end of a pair of sockets, as a process knows it. */
struct fth_order_pipe {
    char *name;    /* of the system: "pipe:[1234]", "socket:[1234]", or a path */
    int64_t value; /* the descriptor by which it was there first; -1: the process made it */
    /* of a socket: where it leads, as recorded (docs/format.md, Notes); or NULL */
    char *connection;
    bool packets_set, packets_unset; /* of a pipe, by O_DIRECT, after it was made or before use */
};

/* Two ends that a call made. What they are named is known of those that the process used itself. */
struct fth_order_pipe_creation {
    int64_t time, values[2];
    const char *names[2]; /* or NULL */
    bool packets;         /* each read takes what one write has put there */
};

/* A descriptor of something that other processes may have open, too: a pipe, a FIFO, a socket, a
 * file of which somebody locks an open file description. */
struct fth_order_descriptor {
    int64_t value;
    const char *name;  /* of the system, or the path; NULL: that of this end of a pipe */
    uint32_t creation; /* of pipes.creations, plus 1; 0: none */
    uint8_t side;      /* of that */
    uint32_t original; /* what it was copied from, or itself */
    bool is_locked;    /* of a file */
    bool writes;       /* it can, or did */
    bool was_there;    /* when the process began */
    bool is_marked;    /* whether it closes on exec was set by this process: */
    bool closes_on_exec;
    struct fth_moment opened; /* the process had it from then on; */
    struct fth_moment closed; /* to then; timeline FTH_NO_TIMELINE: to its end */
    uint32_t closing;         /* the operation of the call that closed it */
    int64_t closed_at, closed_end;
};

/* An access of a process that shares something with others: it acquires before it begins, and
 * releases when it is over. */
struct fth_order_touch {
    struct fth_event event;
    int64_t time;
    bool releases;
};

/* Of a process whose threads are in an order that is not known, in order of time: what a thread
 * did, for all others; or an event that may depend on what came before. */
struct fth_order_pooled {
    struct fth_event event;
    bool releases;
};

/* A call that found a name, or changed it: the event when it begins, which
 * releases, and the one when it ends, which acquires (timeline FTH_NO_TIMELINE: none). */
struct fth_order_name_use {
    struct fth_event release, acquire;
    int64_t start, end;
    uint32_t name; /* of operations->names.all */
    uint8_t kind;  /* enum fth_order_naming */
};

/* A thread uses a file that another one has opened: the end of the call that did, and the first use
 * by the other. */
struct fth_order_opening {
    struct fth_event opened, used;
};

/* A call that changed what others may use as a flag, or asked for it: its event releases
 * what it did, or acquires what others did. */
struct fth_order_flag_use_of {
    struct fth_event event; /* timeline FTH_NO_TIMELINE: the end of the thread */
    int64_t start, end;
    uint32_t thing, thread; /* of operations->flags.all */
    uint8_t what;           /* enum fth_order_flag_use */
    bool again;             /* it has asked before, too: */
    /* since when the same call asks for it, and nothing of the file was accessed in between */
    int64_t since;
};
struct fth_order_flag_thing {
    bool opened, changed, closed; /* by this process */
    bool shared;                  /* of a position: others may have the descriptor, too */
};

/* From that time on a process may be notified of changes of this path, and of what is below it. */
struct fth_order_watch {
    char *path;
    int64_t from;
};

/* What many one-sided accesses that are listed have in common; without holes. */
struct fth_order_access_like {
    uint32_t thread, member;
    int32_t peer;
    uint32_t gives; /* 0: it gets */
};

/* A one-sided access to the memory of another process. */
struct fth_order_remote {
    uint32_t operation;
    int64_t start, end;
};

enum fth_transfer_kind {
    FTH_TRANSFER_WRITE,
    FTH_TRANSFER_READ,
    FTH_TRANSFER_LOOK,   /* a read that leaves there what it finds */
    FTH_TRANSFER_BROKEN, /* a write that finds that nobody can read any more */
    FTH_TRANSFER_END,    /* a read that finds that nobody can write any more */
    /* made of descriptors (match_holders.c): one that could write was closed by a call; or at the
     * end of the process: no operation; or so it may be */
    FTH_TRANSFER_CLOSE,
    FTH_TRANSFER_LEFT,
    FTH_TRANSFER_MAYBE_LEFT,
    FTH_TRANSFER_SHUT, /* nobody writes to the socket any more, though it is open */
    /* nobody reads from the socket any more: an end is found there that nobody made */
    FTH_TRANSFER_DEAF,
};

struct fth_order_transfer {
    uint64_t bytes;
    int64_t start, end; /* of the call; of the process */
    uint32_t pipe, operation;
    uint8_t kind;
    bool several;    /* messages at once, or packets of a pipe, if it has them */
    bool of_reader;  /* what was closed could read */
    bool inherited;  /* from a process before */
    bool urgent;     /* bytes that overtake others, or are none of the stream */
    bool of_library; /* inside a call of MPI: what that waits for there it promises to nobody */
};

/* A call that makes a connection, or opens a FIFO: one side waits for the other one. */
enum fth_contact_kind {
    FTH_CONTACT_LISTEN,
    FTH_CONTACT_CONNECT,
    FTH_CONTACT_ACCEPT,
    FTH_CONTACT_READER, /* opens a FIFO */
    FTH_CONTACT_WRITER,
    FTH_CONTACT_BOTH, /* waits for nobody */
};
struct fth_order_contact {
    int64_t start, end; /* of the call */
    const char *name;   /* of the FIFO; or NULL */
    uint32_t operation;
    uint8_t kind;
    bool waits; /* until the other side is there */
};

/* A call that found descriptors ready: for others to know what came before. */
struct fth_order_readiness {
    int64_t start, end; /* of the call */
    uint32_t operation;
};

/* Parts [from, to) of a message that were made ready when the operation began, or had arrived when
 * it ended. */
struct fth_order_part {
    uint32_t operation, next; /* next: of the same message, plus 1 */
    int64_t from, to;
};

/* A message in parts of one size: its send or receive. */
struct fth_order_partitioned {
    uint32_t operation, parts; /* parts: the last one of them, plus 1 */
    int64_t count;
};

/* From which members (or neighbours, in their order) one gets data in a collective: bits of those
 * that give it some. Or, `of_members`: which members get any. */
struct fth_order_counts {
    uint64_t *some;
    uint32_t size;
    bool of_members;
};

/* What members of a collective agree on: the bytes of a `count` that is the same for all, and the
 * operation of a reduction. */
struct fth_order_terms {
    int64_t sent, received; /* -1: not known, or each has its own */
    char *reduction;        /* "": defined by the program; NULL: none */
};

/* What many operations have in common; without holes. */
struct fth_order_like {
    uint32_t begin_timeline, end_timeline, length /* steps */, member;
    int32_t peer, tag;
    uint16_t function;
    uint8_t kind, flags;
};
/* Operations that hardly change any more, as rows: step of the begin, like, and call; and bytes, if
 * these are asked for. */
struct fth_packed_operations {
    struct fth_rows rows;
    struct fth_rows_place place;
    struct fth_intern known; /* likes, while more may come */
    struct fth_intern_trail trail;
    const struct fth_order_like *likes;
    uint32_t *next; /* of each operation; NULL: nobody asks any more */
    size_t next_room;
};

/* All that one process did. */
struct fth_order_operations {
    /* The first `packed_count` are packed; fth_order_operation gives them in either form. */
    struct fth_packed_operations *packed; /* or NULL */
    struct fth_order_operation *operations;
    size_t packed_count, operation_count, operation_room;
    uint32_t kinds;  /* bits of enum fth_order_operation_kind: there are, or were, such */
    bool packs_none; /* one of them changed behind that, or too few are alike */
    bool has_bytes;  /* of messages: they are asked for */
    struct {         /* communicators, groups and what is done in them */
        struct fth_member *members;
        size_t member_count;
        struct fth_order_creation *creations; /* by operation */
        size_t creation_count;
        struct fth_group_node *nodes;
        size_t node_count;
        struct fth_order_terms *terms;
        size_t terms_count;
        struct fth_topology **topologies;
        size_t topology_count;
        struct fth_order_partitioned *partitioned; /* by operation */
        size_t partitioned_count;
        struct fth_order_part *parts;
        size_t part_count;
        struct fth_order_counts *counts;
        size_t counts_count;
        uint32_t world, rank; /* FTH_NO_GROUP: none */
        bool finalized;       /* MPI is down: what was not freed will not be */
        struct fth_order_meeting *meetings;
        size_t meeting_count;
        struct fth_order_remote *remotes;
        size_t remote_count;
        bool lists_accesses;      /* one-sided ones: that is asked for */
        struct fth_rows accesses; /* number in `likes`, call, time of its begin, bytes */
        struct fth_intern likes;  /* struct fth_order_access_like */
    } mpi;
    uint32_t first_timeline, timeline_count;
    uint32_t *steps;                    /* of each of its timelines: how many events it has */
    struct fth_order_starter *starters; /* of each of its timelines; or NULL */
    uint32_t host;                      /* processes of one host have the same number */
    int64_t clock_error;                /* ns, or less than 0 */
    int64_t start;                      /* ns, when the process began */
    struct {                            /* of files */
        char **files;                   /* on which there are locks */
        uint32_t file_count;
        struct fth_order_lock *all;
        size_t count;
    } locks;
    struct { /* and sockets */
        struct fth_order_pipe *all;
        uint32_t count;
        struct fth_order_pipe_creation *creations;
        uint32_t creation_count;
        struct fth_order_transfer *transfers;
        size_t transfer_count;
    } pipes;
    struct { /* that others may have, too */
        struct fth_order_descriptor *all;
        uint32_t count;
        /* the first call that closed some, and it is not known which */
        bool closed_unnamed;
        struct fth_moment unnamed;
        uint32_t closing;
        int64_t closed_at, closed_end;
    } descriptors;
    struct fth_order_contact *contacts;
    size_t contact_count;
    struct fth_order_readiness *findings; /* that descriptors were ready */
    size_t finding_count;
    struct { /* what counts */
        struct fth_order_tally *all;
        uint32_t count;
        struct fth_order_tick *ticks;
        size_t tick_count;
        bool signals_many; /* it has sent a signal to processes that are not known one by one */
    } tallies;
    struct { /* what may have come before: builder_possible.c */
        struct fth_order_touch *touches;
        size_t touch_count;
        struct fth_order_pooled *pool;
        size_t pool_count;
    } possible;
    struct fth_order_opening *openings; /* builder_openings.c */
    size_t opening_count;
    struct {                   /* that are used as flags or locks */
        struct fth_intern all; /* of files, with their zero */
        struct fth_order_name_use *uses;
        size_t use_count;
    } names;
    struct {                   /* besides names; builder_flags.c */
        struct fth_intern all; /* a letter for the kind, the path, a zero */
        struct fth_order_flag_thing *things;
        uint32_t thing_room;
        struct fth_order_flag_use_of *uses;
        size_t use_count;
        uint32_t (*links)[2]; /* two names of one file */
        size_t link_count;
        struct fth_order_watch *watches;
        size_t watch_count;
    } flags;
    /* it started a program of which nothing was recorded, or some of its calls were lost */
    bool has_unseen;
};

uint32_t fth_order_operations_add(struct fth_order_operations *operations,
                                  struct fth_order_operation operation);
/* One that is to be changed, until the next one is added. To change one that came long ago costs as
 * much as to add all of them, once: then they are kept as they are. */
struct fth_order_operation *fth_order_operation_to_change(struct fth_order_operations *operations,
                                                          uint32_t number);
/* No more are added, and of those there are only `next` changes: they are kept in far less memory
 * from now on, in hardly any if the process has done the same again and again. (The first ones of
 * many are so already while more come.) One thread at a time may ask. */
void fth_order_operations_pack(struct fth_order_operations *operations);
/* All are matched: what comes next is not asked for any more. */
void fth_order_operations_forget_next(struct fth_order_operations *operations);
struct fth_order_operation fth_order_packed_operation(struct fth_packed_operations *packed,
                                                      uint32_t number);
static inline struct fth_order_operation
fth_order_operation(const struct fth_order_operations *operations, uint32_t number)
{
    return number < operations->packed_count
               ? fth_order_packed_operation(operations->packed, number)
               : operations->operations[number - operations->packed_count];
}
static inline uint32_t *fth_order_next(struct fth_order_operations *operations, uint32_t number)
{
    return number < operations->packed_count
               ? &operations->packed->next[number]
               : &operations->operations[number - operations->packed_count].next;
}
/* May one of these kinds be among them? Who looks for a rare one need not go through all. */
#define FTH_SYNC_BIT(kind) ((uint32_t)1 << (kind))
static inline bool fth_order_operations_have(const struct fth_order_operations *operations,
                                             uint32_t kinds)
{
    return operations->kinds & kinds;
}
uint32_t fth_order_operations_add_member(struct fth_order_operations *operations,
                                         enum fth_member_origin origin, const char *name);
/* An empty one, which belongs to the operations. */
struct fth_topology *fth_order_operations_add_topology(struct fth_order_operations *operations);
/* Number of counts like these; from then on they belong to the operations. */
uint32_t fth_order_operations_add_counts(struct fth_order_operations *operations,
                                         struct fth_order_counts counts);
/* The number of terms like these, plus 1; 0: there are too many. `operation` is copied. */
uint32_t fth_order_operations_add_terms(struct fth_order_operations *operations, int64_t sent,
                                        int64_t received, const char *operation);
/* Of a send or receive; NULL: it has no parts. */
struct fth_order_partitioned *
fth_order_operations_partitioned(const struct fth_order_operations *operations, uint32_t operation);
/* Of a collective: it is the next one of its member. */
void fth_order_operations_chain(struct fth_order_operations *operations, uint32_t operation);
void fth_order_operations_free(struct fth_order_operations *operations);

#endif
