/* From the calls of one process to its operations. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_BUILDER_H
#define FTH_ORDER_BUILD_BUILDER_H

#include "base/intern.h"
#include "base/keyed.h"
#include "model/calls/again.h"
#include "order/build/operations.h"
#include "order/build/order_semantics.h"

enum {
    FTH_BUILDER_MOST_HANDLES = 1 << 24,     /* numbers beyond are nobody's */
    FTH_BUILDER_MARKS = 2 * FTH_MOST_ROUND, /* before the last calls */
};

/* An operation that a request stands for, or a persistent request. */
struct fth_pending {
    uint32_t operations[2]; /* that are under way; FTH_NO_OPERATION */
    /* plus 1: the one that a call waits for, or did, which began before others work on it */
    uint32_t waited;
    bool used, persistent, cancelled;
    struct fth_order_operation like[2]; /* of a persistent one: what each start does */
    int like_count;
    int64_t partitions; /* 0: it is one message */
};

/* A call that has not returned. */
struct fth_builder_frame {
    uint32_t depth;
    bool is_event;
    bool asked; /* for the moment when it began: others may acquire what it did */
    /* its own exit gives up locks: the moment behind the call is before that */
    bool gives_up_last;
    int64_t end;                         /* of the call */
    size_t completing, tickets, changes; /* those above are its own */
    uint32_t opened; /* number of the handle of a file that the call makes, plus 1; 0: none */
};

/* What the process did to a flag, and what a thread asked for last. */
struct fth_builder_flag {
    uint32_t accesses, changes;
    size_t sought;   /* the use of the one seek to the end since the last access, plus 1; 0: none */
    bool opened;     /* and nobody has asked for its attributes since then */
    uint32_t places; /* how often the position of a descriptor of the file was asked for, */
    const struct fth_function *place_function; /* and by what */
};
struct fth_builder_asked {
    size_t use;                /* plus 1; 0: none */
    uint32_t accesses, places; /* of the flag then */
    bool opened;
    const struct fth_function *function;
    int64_t since;
};

struct fth_builder_thread {
    uint32_t steps;
    struct fth_builder_frame *frames;
    uint32_t frame_count, frame_room;
    uint32_t *completing; /* operations that end with calls that have not returned */
    size_t completing_count;
    uint32_t *tickets;
    size_t ticket_count;
    size_t *changes; /* uses of flags that release when the call has returned */
    size_t change_count;
    uint32_t asked_step; /* steps behind the event of what was asked for last */
    uint32_t in_library; /* calls that are as deep are inside one of MPI; 0: it is in none */
    bool of_library;     /* a call of MPI has started it */
    bool seen;           /* it has made a call */
    bool dirty;          /* others may depend on what it did, and it is not in the pool yet */
    bool marked;         /* moments behind its last event were asked for */
    size_t taken;        /* so much of the pool its last event there knows */
};

/* A lock of threads that is held. */
struct fth_builder_mutex {
    uint32_t slot, thread;
    bool shared;
};

/* What a descriptor is to a pipe. */
struct fth_builder_end {
    uint32_t pipe;     /* plus 2; 1: it is of none; 0: not known yet */
    uint32_t creation; /* plus 1; 0: none */
    uint8_t side;      /* of that */
    bool is_socket;
    bool was_refused; /* the last access found no room, or nothing */
};

/* Before a call: events of its thread, operations of the process. */
struct fth_builder_mark {
    uint32_t thread, steps, operations;
};

struct fth_order_builder {
    size_t proc;
    const struct fth_trace *trace;
    struct fth_order_operations *operations;
    struct fth_clocks *clocks;
    const struct fth_order_semantics_table *semantics_table;
    const struct fth_known_files *known_files;
    const char *mpi_abi;
    const char *layer; /* that was asked for last, whether it is MPI's */
    bool is_mpi;
    struct fth_builder_thread *threads;
    uint32_t thread_count;
    /* the call that was fed last */
    const struct fth_call *call;
    uint32_t thread, depth;
    bool fed, ended, listed;
    struct { /* builder_requests.c */
        struct fth_pending *by_slot;
        uint32_t room;
        uint32_t *messages; /* by slot: operations, plus 1 */
        uint32_t message_room;
        uint32_t cancelled; /* the operation that was found cancelled last */
        uint8_t cancelled_kind;
    } requests;
    struct {               /* builder_groups.c, builder_values.c */
        uint32_t *members; /* by number of the handle, plus 1 */
        uint32_t member_room;
        uint32_t *nodes; /* of groups of MPI by slot, plus 1 */
        uint32_t node_room;
        uint32_t world; /* its member; FTH_NO_MEMBER */
    } groups;
    struct {               /* builder_threads.c */
        uint32_t *created; /* by slot of the thread: operations, plus 1 */
        uint32_t created_room;
        struct fth_builder_mutex *mutexes; /* that are held */
        size_t mutex_count;
    } waits;
    struct {             /* builder_locks.c */
        uint32_t *files; /* by number of the handle: of those with locks, plus 1 */
        uint32_t file_room;
        struct fth_intern names; /* of operations->locks.files, by number */
        int64_t position;        /* the descriptor of the call; -1: not known */
        bool position_known;
        bool *moved; /* by number of the handle */
        uint32_t moved_room;
        const struct fth_handle *locked; /* fth_order_locked */
        struct fth_order_lock *held;
        size_t held_count;
    } locks;
    struct fth_accesses *accesses;     /* that the calls come from; or NULL */
    struct {                           /* builder_windows.c */
        struct fth_order_lock *epochs; /* of windows that are locked */
        size_t epoch_count;
    } windows;
    struct {                          /* builder_pipes.c */
        struct fth_builder_end *ends; /* of pipes, by number of the handle */
        uint32_t end_room;
        struct fth_intern names; /* of operations->pipes.all, by number */
    } pipes;
    struct {                 /* builder_descriptors.c */
        uint32_t *by_handle; /* plus 2; 1: it is of nothing that others may have; 0: not known */
        uint32_t handle_room;
    } descriptors;
    struct {                    /* builder_tallies.c */
        struct fth_intern keys; /* of operations->tallies.all, by number */
    } tallies;
    struct { /* builder_rounds.c */
        struct fth_builder_mark marks[FTH_BUILDER_MARKS];
        uint64_t count; /* of calls */
        uint32_t
            period; /* of the calls that came last and may come in rounds; 0: it is not known */
        uint32_t thread, steps, operations; /* of a round */
    } rounds;
    struct {             /* what may have come before: builder_possible.c */
        bool watches;    /* that is asked for */
        bool pools;      /* its threads are in an order that is not known */
        bool shares;     /* it shares something with other processes */
        uint32_t *dirty; /* threads that did something since */
        size_t dirty_count, gathered;
    } possible;
    struct {                        /* builder.c */
        int64_t soonest_end;        /* of the calls that have not been left */
        struct fth_moment *moments; /* of tickets */
        size_t count;
        uint32_t *leaked; /* operations */
        size_t leaked_count;
    } tickets;
    struct {                      /* builder_openings.c */
        struct fth_event *events; /* by number of the handle; step 0: none opened it */
        uint32_t room;
        struct fth_keyed numbers; /* of handles, by thread: what the thread knows of them */
    } openings;
    struct {                    /* builder_names.c */
        struct fth_intern seen; /* by thread and name */
        uint8_t *states;        /* what the thread knows of the name, by number */
        uint32_t state_room;
        bool renames; /* a process of the run may rename files */
    } names;
    struct {                    /* builder_flags.c */
        bool watches;           /* a process of the run may be notified of closes */
        struct fth_intern seen; /* by thread and thing */
        struct fth_builder_asked *asked;
        uint32_t asked_room;
        struct fth_builder_flag *flags; /* by thing */
        uint32_t flag_room;
        uint32_t (*of_handles)[2]; /* by number of the handle: things, plus 1 */
        uint32_t handle_room;
    } flags;
};

/* ---- what may have come before; builder_possible.c ---- */

struct fth_event fth_builder_next_event(struct fth_order_builder *builder, uint32_t thread);
/* The thread did something that others may depend on; the event may depend on what others did. */
void fth_builder_did(struct fth_order_builder *builder, uint32_t thread);
void fth_builder_depends(struct fth_order_builder *builder, uint32_t thread,
                         struct fth_event event);
/* Before a call that orders it with others, behind one, and before the end of a thread. */
void fth_builder_before_event(struct fth_order_builder *builder);
void fth_builder_behind_event(struct fth_order_builder *builder, uint32_t thread, int64_t time);
void fth_builder_before_end(struct fth_order_builder *builder, uint32_t thread);
/* Before a moment of the thread of the call is asked for, and behind one that was asked for. */
void fth_builder_before_moment(struct fth_order_builder *builder);
void fth_builder_behind_moment(struct fth_order_builder *builder, uint32_t thread, int64_t time);
void fth_builder_remote(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, struct fth_event begin);
void fth_builder_begin(struct fth_order_builder *builder);
void fth_builder_free(struct fth_order_builder *builder);

/* Before a call of this thread, behind those that are over; builder_events.c. */
void fth_builder_mark(struct fth_order_builder *builder, uint32_t thread);
/* No call of the thread goes on. */
void fth_builder_leave_all(struct fth_order_builder *builder, uint32_t thread);

/* The call that was fed last gets a frame; and its frame, which it may have already;
 * builder_events.c. */
void fth_builder_enter(struct fth_order_builder *builder, bool is_event);
struct fth_builder_frame *fth_builder_frame_of_call(struct fth_order_builder *builder);
/* A call has returned: of the changes of its thread those from this one on; builder_flags.c. */
void fth_builder_changed(struct fth_order_builder *builder, uint32_t thread, size_t first);

/* A one-sided access, where these are listed; builder_accesses.c. */
void fth_builder_list_access(struct fth_order_builder *builder,
                             const struct fth_order_semantics *semantics);

/* ---- what a call means; builder_operations.c ---- */

/* What the call that has just begun does, if it did not fail. */
void fth_builder_note(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin);
/* Collective calls; builder_collectives.c. */
void fth_builder_collective(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics, struct fth_event begin);
/* Communicators and groups; builder_groups.c. What a operation makes; and calls on groups, and what
 * they report of ranks. Is the call given hints, other than MPI_INFO_NULL? */
bool fth_builder_has_hints(const struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics);
void fth_builder_creation(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, uint32_t operation);
void fth_builder_group(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin);
/* The member of this origin: there is one in a process, however often it is asked for. */
uint32_t fth_builder_only_member(struct fth_order_builder *builder, enum fth_member_origin origin,
                                 const char *name);
/* The descriptor that the call closes; or NULL. */
const struct fth_handle *fth_builder_closed(const struct fth_order_builder *builder);
/* Locks; builder_locks.c. */
bool fth_builder_lock_event(const struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics,
                            struct fth_lock_event *event);
/* And one that asks whether there is a lock. */
bool fth_builder_asks_lock(const struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics);
void fth_builder_ask_lock(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, struct fth_event begin);
void fth_builder_lock(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics,
                      const struct fth_lock_event *event, struct fth_event begin);
bool fth_builder_holds(struct fth_order_builder *builder, const struct fth_handle *handle);
void fth_builder_close(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin);
/* Any descriptors, as far as is known: from here on nothing is held for certain, nor open to the
 * end of the process. */
void fth_builder_close_unnamed(struct fth_order_builder *builder,
                               const struct fth_order_semantics *semantics, struct fth_event begin);
void fth_builder_moved(struct fth_order_builder *builder);
void fth_builder_end_locks(struct fth_order_builder *builder);
/* Threads and what they wait for; builder_threads.c. Of the first call of a thread: who started
 * it. */
void fth_builder_note_starter(struct fth_order_builder *builder);
void fth_builder_thread(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, struct fth_event begin);
void fth_builder_mutex(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin);
/* Files that one thread opens and another one uses; builder_openings.c. The call that was fed last;
 * and one that opened a file has returned. */
void fth_builder_openings(struct fth_order_builder *builder);
void fth_builder_opened(struct fth_order_builder *builder, uint32_t thread, uint32_t handle);
/* Pipes; builder_pipes.c. Does the call transfer bytes through one? */
bool fth_builder_transfers(struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics);
/* A call that asks how many bytes are there. */
bool fth_builder_asks_bytes(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics);
void fth_builder_look(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin);
void fth_builder_transfer(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, struct fth_event begin);
/* Is the call about a socket? And one that ends its directions. */
bool fth_builder_is_socket(struct fth_order_builder *builder);
void fth_builder_shut(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin);
void fth_builder_make_pipe(struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics);
/* The call has set the status flags of an open file description. */
void fth_builder_set_packets(struct fth_order_builder *builder);
/* The end of a pipe that this is, with the number of its creation plus 1, or NULL; and its name, or
 * NULL. */
const struct fth_builder_end *fth_builder_end_of(struct fth_order_builder *builder,
                                                 const struct fth_handle *handle,
                                                 const char **name);
/* Descriptors that others may have, too; builder_descriptors.c. Those of the call that was fed
 * last; and one that a call closes. */
void fth_builder_descriptors(struct fth_order_builder *builder,
                             const struct fth_order_semantics *semantics);
/* Its number, of operations->descriptors; UINT32_MAX: it is of nothing that others may have. */
uint32_t fth_builder_descriptor(struct fth_order_builder *builder, const struct fth_handle *handle);
bool fth_builder_has_descriptor(struct fth_order_builder *builder, const struct fth_handle *handle);
void fth_builder_close_descriptor(struct fth_order_builder *builder,
                                  const struct fth_handle *handle, uint32_t operation);
void fth_builder_close_unnamed_descriptors(struct fth_order_builder *builder, uint32_t operation);
/* Descriptors that were found ready; builder_possible.c. */
void fth_builder_readiness(struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics, struct fth_event begin);
/* Connections, and FIFOs that are opened; builder_contacts.c. Is it one? */
bool fth_builder_contacts(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics);
void fth_builder_contact(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics, struct fth_event begin);
/* Things that count; builder_tallies.c. Is it known which one the call is about? */
bool fth_builder_counts(const struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics);
void fth_builder_tick(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin);
/* Windows; builder_windows.c. */
void fth_builder_epoch(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin);
/* A operation of the call that has just begun, about no member; and a node of a group of MPI in a
 * parameter. */
struct fth_order_operation fth_builder_operation(const struct fth_order_builder *builder,
                                                 const struct fth_order_semantics *semantics,
                                                 enum fth_order_operation_kind kind,
                                                 struct fth_event begin);
uint32_t fth_builder_node(const struct fth_order_builder *builder, int parameter);
/* The operation ends with the call that is being fed. */
void fth_builder_complete(struct fth_order_builder *builder, uint32_t operation);
/* The request in parameter `i` stands for these operations; and what asks for requests. */
void fth_builder_start(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics,
                       const struct fth_order_operation *operations, int count);
void fth_builder_requests(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, struct fth_event begin);
/* Of a parameter; FTH_NO_MEMBER. */
uint32_t fth_builder_member(struct fth_order_builder *builder, int parameter, bool made);
const struct fth_value *fth_builder_value(const struct fth_order_builder *builder, int parameter);
int64_t fth_builder_integer(const struct fth_order_builder *builder, int parameter,
                            int64_t otherwise);
/* So many of the datatype in another parameter; -1: not known. */
int64_t fth_builder_bytes(const struct fth_order_builder *builder, int count, int datatype);
int32_t fth_builder_peer(int64_t integer, const char *text);
int32_t fth_builder_peer_in(const struct fth_order_builder *builder, int parameter);
int32_t fth_builder_tag_in(const struct fth_order_builder *builder, int parameter);
int32_t fth_builder_tag(int64_t integer, const char *text);

#endif
