/* Happens-before of a run: what certainly came before what, by program order, messages,
 * collectives, threads, processes, pipes and locks.
 *
 * Who asks feeds the calls of each process, in order of entry, and remembers *moments*: places
 * between calls. When all processes have been fed, the order is settled: calls that belong together
 * are matched, and of two moments it is known whether one came before the other.
 *
 *     struct fth_order *order = fth_order_new(trace);
 * for each process: builder = fth_order_feed(order, proc); for each call: fth_order_call(builder,
 *     call, &error), and then
 *         fth_order_here(builder)     the moment when this call began, or
 *         fth_order_behind(builder)   a ticket for the moment when it has returned
 *     fth_order_feed_end(builder)
 *     fth_order_settle(order, options, &error)
 *     fth_order_before(order, a, fth_order_moment(order, ticket))
 *
 * Nothing is guessed: what cannot be matched orders nothing, and is a finding. The order is that of
 * this run: which message a wildcard took, which lock came first are those observed.
 *
 * Thread-safety: builders of different processes may be used by different threads (made by one of
 * them, before); all else by one thread, but fth_order_before and what comes after it, which many
 * may ask at once when the order is settled. */
#ifndef FTH_ORDER_ORDER_H
#define FTH_ORDER_ORDER_H

#include "base/error.h"
#include "base/rows.h"
#include "fathom/access.h"
#include "fathom/trace.h"

/* A place in a run: in thread `timeline` (dense over processes and threads), behind `step` of its
 * events. Events are the entries and exits of calls that order threads. All calls between two
 * events of a thread are at one moment: their numbers say which of them came first. */
struct fth_moment {
    uint32_t timeline, step;
};

/* A moment that will be known when a call has returned: of process `proc`, ticket `number`. */
struct fth_order_ticket {
    uint32_t proc, number;
};

#define FTH_NO_TIMELINE UINT32_MAX

/* Event `step` of a timeline, from 0: the begin of the thread, then entries and exits of its calls,
 * then its end. The moment behind it is {timeline, step + 1}. */
struct fth_event {
    uint32_t timeline, step;
};

/* A call of several processes together, as each of them made it. */
struct fth_order_member {
    uint32_t proc, thread;
    uint64_t call; /* its number in that thread */
    struct fth_event begin,
        /* entry of that call; exit of the one that found it complete, timeline FTH_NO_TIMELINE:
         * none did */
        end;
};

/* A message: entry of the call that sends it, exit of the one that finds it sent; entry of the call
 * that begins to receive it (or probes), exit of the one that finds it there. timeline
 * FTH_NO_TIMELINE: none does. */
struct fth_order_message {
    struct fth_event send, sent, receive, received;
    bool probed;       /* looked at only */
    uint32_t from, to; /* processes */
    int64_t bytes;     /* -1: not known; fth_order_want_bytes */
    /* of the sender: fth_order_sent.operation; of the receiver: the call that begins to receive */
    uint32_t operation;
    uint64_t receive_call;
};

/* What a process sends, whether it is received or not; to MPI_PROC_NULL nothing is. */
#define FTH_NOT_RECORDED UINT32_MAX    /* the receiver is a process of which nothing is known */
#define FTH_NOT_KNOWN (UINT32_MAX - 1) /* who is meant by the rank in that communicator */
struct fth_order_sent {
    uint32_t from, to; /* processes; to: or one of these */
    int64_t bytes;     /* as those of the message */
    /* An access to the memory of another process: `bytes` go from `from` to `to`, one of which
     * calls; or the other one may be one of these. Calls that do both are reported twice. It has no
     * message, and is no event: fth_order_want_accesses. */
    bool one_sided;
    int64_t start; /* of the call, if it is one-sided */
    struct fth_event
        begin;          /* entry of the call; of a one-sided access only the timeline is known */
    uint64_t call;      /* its number in the thread of that */
    uint32_t operation; /* different for each of the process that calls; grows from call to call */
    int32_t tag;
    const char *name; /* of the communicator or window; or NULL */
    uint64_t handle;  /* its number in that process; UINT64_MAX: none */
};

/* A communicator, window or file of which the members are known, by place: of an intercommunicator
 * first those of one side, then of the other. */
struct fth_order_group {
    uint32_t size, split;    /* split: where the other side begins; == size: one side only */
    const uint32_t *procs;   /* UINT32_MAX: not recorded */
    const uint64_t *handles; /* numbers of handles of these processes; UINT64_MAX: none */
    /* Of a topology: whom each hears of in calls with neighbours, places in the order in which
     * calls name them; -1: nobody. NULL: not known. */
    const int64_t *const *sources;
    const size_t *source_counts;
    const bool *disordered; /* which of them comes first is not known */
};

/* An epoch of a window between some of its members, as one process took part in it. */
struct fth_order_epoch {
    uint32_t proc;
    uint64_t window;       /* number of its handle */
    bool reaches;          /* it reaches these (start, complete); else they reach it (post, wait) */
    const uint32_t *procs; /* NULL: not known */
    uint32_t count;
};

/* Who read a pipe to its end, and who could have written to it before. */
struct fth_order_pipe_end {
    uint32_t holder, reader; /* processes */
    int64_t closed;          /* begin of the call by which the holder closed it; or its end */
    bool inherited;          /* the holder has it of the process that it comes from */
    const char *pipe;        /* as the system calls it; until the call returns */
};

#define FTH_NO_FILE UINT32_MAX
struct fth_order_options {
    /* If not NULL, called for each collective call on a communicator, window or file: those of its
     * members that are recorded. Also of those that order nothing. */
    void (*together)(void *context, const struct fth_order_member *members, size_t count);
    void *together_context;
    /* If not NULL, called for each message whose receive (or probe) is known. */
    void (*message)(void *context, const struct fth_order_message *message);
    /* If not NULL, called for each that is sent and not cancelled, before its receive: those of a
     * process one after the other. Then for each one-sided access that is listed. */
    void (*sent)(void *context, const struct fth_order_sent *sent);
    /* If not NULL, called for each call of an origin that may have waited until an epoch of a
     * window was posted (start, complete): its entry and exit, and the entry of that post. */
    void (*posted)(void *context, struct fth_event begin, struct fth_event end,
                   struct fth_event post);
    /* If not NULL, called for each write to a pipe or socket that may have waited for room: its
     * entry and exit, and the entry of the last read that began before that exit and while more was
     * in the pipe than there is always room for. */
    void (*made_room)(void *context, struct fth_event begin, struct fth_event end,
                      struct fth_event read);
    /* If not NULL, called for each read that found the end of a pipe, and each other process that
     * could have written to it. Again if it had it open several times. */
    void (*pipe_ended)(void *context, const struct fth_order_pipe_end *end);
    void *message_context;
    /* If not NULL, called for each communicator, window and file whose members are known; then for
     * each epoch that is over, those of a process as they came. */
    void (*group)(void *context, const struct fth_order_group *group);
    void (*epoch)(void *context, const struct fth_order_epoch *epoch);
    void *group_context;
    /* If not NULL, which file a handle of a process is of, whatever names that has: the same number
     * for the same file; FTH_NO_FILE: not known. Files whose number is not known are distinguished
     * by the path that was opened, for locks on them. */
    uint32_t (*file_of)(void *context, uint32_t proc, uint64_t handle);
    void *file_context;
    /* Only who waits for whom is asked for (fth_order_edges): fth_order_before must not be. */
    bool only_edges;
    /* Order also by what the standard leaves to the implementation: all collective calls on
     * communicators, windows and files (MPI_Comm_dup, MPI_File_open, MPI_File_close, MPI_File_sync,
     * MPI_Init, MPI_Finalize ...) as if they were barriers. */
    bool collectives_synchronize;
    /* fth_order_synchronized may be asked for. */
    bool asks_synchronized;
    /* Findings kept of each kind; 0: 100. All are counted. */
    size_t most_findings;
};

struct fth_order;
struct fth_order_builder;

/* `trace` must outlive it. Never NULL. */
struct fth_order *fth_order_new(struct fth_trace *trace);
void fth_order_free(struct fth_order *order);

/* The one builder of this process, which belongs to the order. Its calls come in order of entry, as
 * fth_calls_next or fth_accesses_next gives them (opened with handles); calls of all layers may be
 * fed, those that order nothing cost a look at a table. Every process must be fed before
 * fth_order_settle; one that is not has no events. */
struct fth_order_builder *fth_order_feed(struct fth_order *order, size_t proc);
/* What a call has to do with the name of a file. */
enum fth_order_naming {
    FTH_NAME_FOUND,      /* it is there, as the call shows */
    FTH_NAME_OPENED,     /* so it is, and the call opened it */
    FTH_NAME_MISSING,    /* it is not */
    FTH_NAME_MADE,       /* by the call: nothing had it before */
    FTH_NAME_MAYBE_MADE, /* if nothing had it before */
    FTH_NAME_REPLACED,   /* something was renamed to it */
    FTH_NAME_REMOVED,    /* or renamed */
};
/* The call that was fed last did this to the name, an absolute path: a process may use that as a
 * flag for others. Before any moment of the call is asked for. Who does not ask for what may have
 * come before need not call it. */
void fth_order_named(struct fth_order_builder *builder, const char *path,
                     enum fth_order_naming what);
/* What a process may use as a flag for others, besides names of files. */
enum fth_order_flag {
    FTH_FLAG_ATTRIBUTES, /* of a file: its size, times, mode, names; what a link stands for */
    FTH_FLAG_ENTRIES,    /* of a folder: which names are in it */
    FTH_FLAG_POSITION,   /* of a descriptor that processes may share */
    FTH_FLAGS,
};
enum fth_order_flag_use {
    FTH_FLAG_CHANGED,
    FTH_FLAG_ASKED,  /* programs do so without a purpose, too */
    FTH_FLAG_SOUGHT, /* by a seek to the end: where the next access goes, perhaps */
    FTH_FLAG_TRIED,  /* the call fails unless the flag is set */
    FTH_FLAG_OPENED,
    FTH_FLAG_ACCESSED, /* the data of the file */
    FTH_FLAG_CLOSED,   /* who watches the file may be notified */
};
/* The call that was fed last did this to the flag of this absolute path. Before any moment of the
 * call is asked for. */
void fth_order_flag(struct fth_order_builder *builder, enum fth_order_flag flag, const char *path,
                    enum fth_order_flag_use what);
/* It read or wrote the file of this descriptor, at its position or elsewhere. `sought`: where a
 * seek to the end had put it. Who seeks once for that does not poll. */
void fth_order_flag_accessed(struct fth_order_builder *builder, const struct fth_handle *handle,
                             bool writes, bool moves, bool sought);
/* From now on it may be notified, at any time, of what happens to the file of this path, or below
 * it. */
void fth_order_flag_watched(struct fth_order_builder *builder, const char *path);
/* It gave a file a second name: attributes of the one are those of the other. */
void fth_order_flag_linked(struct fth_order_builder *builder, const char *path, const char *other);
/* Where the descriptor of the next call stands, as in struct fth_access: locks may be counted
 * from there. Who follows no positions does not call it; then only the begin of a file, before
 * anything was moved, is known. */
void fth_order_stands(struct fth_order_builder *builder, int64_t position);
/* The calls come from these, which outlive the feeding: so it is known which datatypes are empty.
 * Who follows no datatypes does not call it; then each is taken to have data. */
void fth_order_follow(struct fth_order_builder *builder, struct fth_accesses *accesses);
/* How many bytes messages have is asked for, and fth_order_follow has given the datatypes.
 * Before calls are fed. */
void fth_order_want_bytes(struct fth_order *order);
/* Lists one-sided accesses, too, with their bytes, likewise. */
void fth_order_want_accesses(struct fth_order *order);
/* Returns false and sets *error on more events than can be counted. */
bool fth_order_call(struct fth_order_builder *builder, const struct fth_call *call,
                    struct fth_error **error);
/* When the call fed last began: before its calls inside; behind its own entry if it is an event.
 * Asking keeps the moment askable. */
struct fth_moment fth_order_here(struct fth_order_builder *builder);
/* When the call fed last has returned: behind its own exit if it is an event; of one that closes
 * a descriptor before that, as what it gives up is free only behind what it did to the file.
 * Also of a call that completes an operation that was started before. */
struct fth_order_ticket fth_order_behind(struct fth_order_builder *builder);
/* Is the call fed last an event of its thread? Then its exit will be one, too, as soon as the
 * thread is known to be behind it. Each thread has one event before those, and one behind them. */
bool fth_order_is_event(const struct fth_order_builder *builder);
/* The file whose locks the call fed last took, gave up or asked for: a handle that was opened, not
 * a duplicate; NULL: none. fth_order_options.file_of is asked for its number. */
const struct fth_handle *fth_order_locked(const struct fth_order_builder *builder);
/* Must calls like the one that was fed last be fed one by one? Others do nothing in the order. */
bool fth_order_takes_each(const struct fth_order_builder *builder);
/* May calls like that come again in rounds (fth_order_takes_rounds)? They may if they do nothing in
 * the order, and messages and collective calls that make nothing may. */
bool fth_order_keeps_for_rounds(const struct fth_order_builder *builder);
/* Calls have the same values as those `period` calls before them, and the last `period` calls have
 * ended all requests that they have made: did they do the same as those before them, so that
 * fth_order_go_round may add more? Asked before each time. */
bool fth_order_takes_rounds(struct fth_order_builder *builder, uint32_t period);
/* So many of these rounds have come, in place of their calls, which are in no other call. They
 * are no more than 1,024 calls. */
void fth_order_go_round(struct fth_order_builder *builder, uint32_t rounds);
/* Did the run make a FIFO of this name? Its bytes are those of a pipe. */
bool fth_order_is_fifo(const struct fth_order_builder *builder, const char *path);
/* No more calls of this process. */
void fth_order_feed_end(struct fth_order_builder *builder);

/* ---- what may have come before ---- */

/* Asks also for what may have come before, as nobody knows all that orders processes: memory that
 * they share, signals, servers that were not recorded, memory of threads. Before calls
 * are fed. */
void fth_order_want_possible(struct fth_order *order);
/* After fth_order_settle: the same order with all that may have come before, as far as times of
 * calls show. NULL: there is no more than what certainly did. */
const struct fth_order *fth_order_possible(const struct fth_order *order);
/* The same order if all collective calls were barriers (fth_order_options.collectives_synchronize),
 * with all that may have come before. NULL: that is no more, or not asked for. It is computed when
 * it is asked for: by one thread, while others may ask what the order is. */
const struct fth_order *fth_order_synchronized(struct fth_order *order);
/* Has this process several threads, which may learn of each other through their memory? */
bool fth_order_pools_threads(const struct fth_order *order, uint32_t proc);
/* Means that both processes used at some time from `from` to `to`, and that were not followed:
 * texts that live as long as the order. Returns how many; at most `limit` are filled. */
size_t fth_order_means(const struct fth_order *order, uint32_t a, uint32_t b, int64_t from,
                       int64_t to, const char **texts, size_t limit);

/* The moment of a ticket; after fth_order_feed_end of its process. */
struct fth_moment fth_order_moment(const struct fth_order *order, struct fth_order_ticket ticket);

/* Matches calls and computes the order. Only once. Returns false and sets *error where the trace
 * cannot be of a run (more events than there is memory for ...); what is merely unmatched or
 * erroneous is a finding. */
bool fth_order_settle(struct fth_order *order, struct fth_order_options options,
                      struct fth_error **error);

/* Is all that thread a.timeline did up to a (and up to its next event) certainly over, or begun by
 * its next event, before what b.timeline does from b on? Exactly: the first event of a.timeline
 * behind a is, or happened before, the last event of b.timeline before b. Of one timeline: a.step
 * <= b.step. Both moments have been asked for while feeding. O(log of events of b's thread). */
bool fth_order_before(const struct fth_order *order, struct fth_moment a, struct fth_moment b);

/* What is known at a moment, for who asks about it again and again; NULL: nothing of other
 * timelines. It lives as long as the order. */
struct fth_vector_clock;
const struct fth_vector_clock *fth_order_known(const struct fth_order *order, struct fth_moment b);
/* fth_order_before(order, a, b), where a is of another timeline than b, and `known` is what is
 * known at b. */
bool fth_order_knows(const struct fth_vector_clock *known, struct fth_moment a);
/* How many events of a timeline came before that: those of a lower step. */
uint32_t fth_order_known_events(const struct fth_vector_clock *known, uint32_t timeline);

/* What an event waits for: one of another timeline, or (from FTH_NO_TIMELINE) all that goes into
 * hub number `step`. UINT32_MAX there: for nothing any more. */
struct fth_order_edge {
    uint32_t to; /* step */
    uint32_t from, step;
};
/* Those to events of a timeline, by step, as rows of the list. After fth_order_settle. */
const struct fth_rows *fth_order_edges(const struct fth_order *order, uint32_t timeline);
static inline struct fth_order_edge fth_order_edge_at(const struct fth_rows *edges,
                                                      struct fth_rows_place *place, uint32_t i)
{
    const int64_t *row = fth_rows_at(edges, place, i);
    return (struct fth_order_edge){(uint32_t)row[0], (uint32_t)row[1], (uint32_t)row[2]};
}
/* Where many wait for the same: how many events go into a hub, and each of them. With *chained also
 * what goes into the hub before this one goes into it. `place`: where the caller looks, first zero;
 * fth_rows_leave frees what it has. */
size_t fth_order_hubs(const struct fth_order *order);
size_t fth_order_hub_size(const struct fth_order *order, size_t hub, bool *chained);
struct fth_event fth_order_hub_input(const struct fth_order *order, struct fth_rows_place *place,
                                     size_t hub, size_t i);

size_t fth_order_timelines(const struct fth_order *order);
/* Of (process, thread); UINT32_MAX: it made no call. After feeding. */
uint32_t fth_order_timeline(const struct fth_order *order, size_t proc, uint32_t thread);

/* ---- what is wrong with the calls themselves ---- */

enum fth_order_finding_kind {
    /* members of a communicator call different collectives, or roots, at the same turn */
    FTH_ORDER_MISMATCHED_COLLECTIVE,
    FTH_ORDER_MISSING_COLLECTIVE, /* some members made a call that others never made */
    FTH_ORDER_UNMATCHED_SEND,     /* never received */
    FTH_ORDER_UNMATCHED_RECEIVE,
    /* members of a communicator disagree on how much a collective moves, or with which operation it
     * reduces */
    FTH_ORDER_MISMATCHED_ARGUMENTS,
    FTH_ORDER_LEAKED_REQUEST, /* started, and never found complete */
    FTH_ORDER_LEAKED_HANDLE,  /* a communicator, window or file that is there when MPI is down */
    /* two threads use one (communicator, peer, tag), or one communicator for collectives, without
     * order between them */
    FTH_ORDER_AMBIGUOUS,
    FTH_ORDER_UNKNOWN_SOURCE,       /* a wildcard without status */
    FTH_ORDER_UNKNOWN_COMMUNICATOR, /* used, but it is not known who is in it */
    FTH_ORDER_CYCLE,                /* calls that wait for each other in a circle: not of one run */
    /* what is known to order, but the trace does not say how (a pipe of several writers ...) */
    FTH_ORDER_UNORDERED,
    FTH_ORDER_FINDING_KINDS,
};
/* A word for each: "unmatched send". */
const char *fth_order_finding_word(enum fth_order_finding_kind kind);

struct fth_order_finding {
    enum fth_order_finding_kind kind;
    size_t proc;
    uint32_t thread;
    uint64_t call; /* its number in that thread */
    /* a sentence: "MPI_Send to rank 3 with tag 7 on MPI_COMM_WORLD is never received" */
    const char *text;
};
/* Findings that are kept, by kind, process and call; they live as long as the order. */
const struct fth_order_finding *fth_order_findings(const struct fth_order *order, size_t *count);
/* How many there are of this kind, kept or not. */
uint64_t fth_order_finding_count(const struct fth_order *order, enum fth_order_finding_kind kind);

#endif
