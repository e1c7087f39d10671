/* What is known of a run when its calls have been gone through. Inner header of the path room. */
#ifndef FTH_PATH_RUN_FLOW_H
#define FTH_PATH_RUN_FLOW_H

#include "analysis/calls/call_classes.h"
#include "base/indexed.h"
#include "base/intern.h"
#include "order/order.h"
#include "path/path.h"
#include "path/thread_timeline.h"

#define FTH_FLOW_NO_FILE (UINT32_MAX >> 1)

/* What functions are for, beside struct fth_call_class. */
struct fth_flow_facts {
    const struct fth_call_class *class;
    bool takes_first;      /* is over when the first of those is there that it waits for */
    bool is_mpi;           /* starts MPI, or ends it */
    bool tests;            /* does not wait; who asks again and again does */
    bool sends;            /* and is over when the buffer is free */
    bool polls;            /* waits until a descriptor is ready */
    bool finds_ready;      /* such a wait is over, recorded or not */
    enum fth_wait awaited; /* what it is to wait for this one to begin */
};

enum { FTH_FLOW_COMPUTES = FTH_ACTIVITIES, FTH_FLOW_NOT_KNOWN };
/* What time goes to; number 0 is computing. */
struct fth_flow_work {
    uint16_t function, asked;       /* FTH_NO_FUNCTION */
    uint32_t file : 31, chosen : 1; /* chosen: by fth_path_choose */
    /* enum fth_activity; FTH_FLOW_COMPUTES: outside of calls; FTH_FLOW_NOT_KNOWN: outside of
     * recorded calls, of a process that was only watched then */
    uint8_t activity;
    bool io;         /* it is I/O, or inside such a call */
    bool starts_mpi; /* it starts MPI, or ends it, or is inside such a call */
};

/* A collective call of several. */
struct fth_instance {
    size_t first; /* where its members begin in struct fth_path.members */
    uint32_t count;
    uint32_t latest; /* member that came last */
    int64_t time;    /* when that was */
};

/* A message that was received; or a receive that a send has waited for. */
struct fth_flow_message {
    struct fth_event from, to;
};

/* Messages by who sent them to whom. Each process is a unit; if pairs are too many, each node is,
 * and if these are, too, blocks of so many (messages.c). */
struct fth_message_sums {
    struct fth_intern pairs; /* of struct fth_message_pair: their places in `all` */
    struct fth_intern_trail trail;
    struct fth_message_sum {
        int64_t count, bytes, unsized; /* that were sent; unsized: how long they are is not known */
        /* of those whose receive is known, too: how long they took, ns, and by how much that may be
         * wrong */
        int64_t timed, timed_bytes, time, error;
    } * all;
    uint32_t room;
    uint32_t *units; /* by process: its own */
    uint32_t unit_count;
    uint32_t *firsts;     /* of each node: its first process; NULL: units are processes */
    uint32_t block;       /* so many of these are one unit; 0: nothing was sent yet */
    uint32_t whole_count; /* of nodes, or processes */
};

/* How much less the thread would compute, and do I/O, from one event to another, if those that meet
 * behind it had done so equally long: shares of what it did. */
struct fth_balance {
    uint32_t from, to; /* steps */
    float less, less_io;
};
struct fth_balances {
    struct fth_balance *all;
    size_t count;
};

struct fth_wait_sum {
    uint32_t proc;
    uint16_t function;
    uint8_t kind;
    uint64_t count;
    int64_t time, longest;
    int64_t contended;   /* ns of it that may be waits for a processor (contention.c) */
    struct fth_event at; /* exit of the longest */
    uint32_t cause;      /* process it waited for */
};

/* The node on which more ranks of one world run than it has processors; ranks 0: there is none, or
 * it is not known. */
struct fth_oversubscription {
    uint64_t ranks, processors;
    const char *host;
};

enum { FTH_INTERVALS = 20 };
enum fth_interval_part {
    FTH_INTERVAL_UNKNOWN, /* outside of recorded calls of a process that was only watched then */
    FTH_INTERVAL_OWN,
    FTH_INTERVAL_IO,
    FTH_INTERVAL_MESSAGES,
    FTH_INTERVAL_WAITING,
    FTH_INTERVAL_OTHER,
    FTH_INTERVAL_WAITS, /* part of those before: what the table of waits has */
    FTH_INTERVAL_PARTS
};

/* Runs without something, whose length is known, or is being found out (known_lengths.c). */
struct fth_known_lengths {
    struct fth_known_length {
        struct fth_path_change change;
        bool *gone; /* by work; NULL: nothing is */
        int64_t length;
        struct fth_path_ahead *ahead; /* NULL: the length is known */
    } * all;
    size_t count;
};

struct fth_path {
    struct fth_trace *trace;
    struct fth_known_lengths *known; /* NULL: they are not kept */
    const struct fth_selection *selection;
    const struct fth_expression *where; /* or NULL */
    struct fth_message_list *list;      /* of who wants one; or NULL */
    size_t *listed_from;                /* by process: its first message there */
    /* share of late calls, and of the waits there, from which on a rank is a straggler */
    double straggles;
    bool asks_ahead;              /* findings will be asked for, and there are processors */
    bool knows_polls;             /* waits for descriptors to be ready are recorded */
    struct fth_flow_facts *facts; /* by function */
    struct fth_order *order;
    struct fth_thread_timeline *timelines;
    uint32_t timeline_count;
    struct fth_flow_store *stores; /* by process */
    uint32_t *first_timeline;      /* by process, and one behind the last */
    uint32_t *hosts;               /* by process: those of one host have the same number */
    bool *selected;                /* by process */
    bool is_of_a_part;             /* some of these were only watched from time to time */
    struct {
        struct fth_indexed by_facts; /* of struct fth_flow_work, by file and what else it says */
        const struct fth_flow_work *all; /* the same in a row, when all calls have been */
        uint32_t count;
    } work;
    bool several_nodes;
    struct fth_intern files; /* of the run (path_files.c) */
    struct fth_call_classes *classes;
    int64_t begin, end; /* of the selected processes */
    int64_t origin;     /* where the critical path begins */
    struct fth_path_sums sums;
    struct {                          /* what waits for what */
        struct fth_event *hub_latest; /* by hub */
        /* By timeline: of each message that it has received its sender, step there, and step
         * here; NULL: there are none. */
        struct fth_rows *messages;
        struct fth_message_sums sums;
        struct fth_flow_message *blocked; /* sends that waited for receives: by `to` */
        size_t blocked_count;
        struct fth_event *wrong; /* exits of receives that took messages in another order: sorted */
        size_t wrong_count;
        struct fth_rows instances; /* struct fth_instance as rows, */
        uint32_t *stretches;       /* and where stretches of them begin that are in order of time */
        size_t stretch_count;
        int64_t last_instance;    /* time of the one added last */
        struct fth_bytes members; /* of instances, each by differences to the one before */
    } matches;
    struct {
        struct fth_oversubscription node;
        /* by pieces of the run: ns that ranks of the node waited in it; when that is added up, ns
         * before it in which too many worked. NULL: nobody waited there */
        int64_t *pieces;
    } contention;
    struct {
        struct fth_wait_sum *waits;
        size_t wait_count;
        uint32_t *wait_places; /* hash: index + 1 */
        size_t wait_room;
        struct fth_wait_sum *causes;            /* by kind and process: FTH_WAITS of each */
        int64_t *work_time;                     /* ns over all selected processes, by work */
        int64_t *critical_work, *critical_proc; /* ns on the path, by work and by process */
        uint64_t *last_count;                   /* by process: instances to which it came last */
        struct fth_balances *balances;          /* by timeline; of each by step */
        /* and ns that others waited for it there, as it had more to do since they met before */
        int64_t *last_caused;
        int64_t *computed, *did_io; /* by process: ns between collective calls */
        int64_t intervals[FTH_INTERVALS][FTH_INTERVAL_PARTS]; /* ns */
        int64_t least; /* ns: how long processors need for what the threads compute; 0: not known */
        struct fth_critical_parts { /* of the path, from its end to its begin */
            struct fth_critical_part {
                uint32_t timeline;
                int64_t begin, end; /* ns since the start of the run */
            } * list;
            size_t count, left_out;
            int64_t least; /* ns: shorter ones are left out */
        } parts;
    } results;
};

/* ---- gather_events.c: from calls to timelines ---- */
struct fth_listener fth_path_gather(struct fth_path *path);
/* All calls have been. */
void fth_path_gathered(struct fth_path *path);
/* path_semantics.c */
void fth_path_note_functions(struct fth_path *path);

/* ---- causes.c: what events waited for ---- */
void fth_path_message(void *context, const struct fth_order_message *message);
/* A call from `begin` to `end` that sends: did it last until those that it sends to had begun? */
void fth_path_look_at_sender(struct fth_path *path, struct fth_event begin, struct fth_event end,
                             struct fth_event since);
/* A call that opens or completes an epoch of a window: did it last until that was posted? */
void fth_path_posted(void *context, struct fth_event begin, struct fth_event end,
                     struct fth_event post);
/* A write: did it last until that read had begun? Or had the thread waited for that before? */
void fth_path_made_room(void *context, struct fth_event begin, struct fth_event end,
                        struct fth_event read);
/* When the order is settled. */
void fth_path_prepare_causes(struct fth_path *path);
/* Place of the first edge to `step` or behind. */
size_t fth_path_edge_at(const struct fth_thread_timeline *timeline, uint32_t step);
/* The event of another timeline that this one waited for last, among the edge at place `first` and
 * those behind it to the same step; false: none. */
bool fth_path_cause(const struct fth_path *path, uint32_t number, uint32_t step, size_t first,
                    struct fth_event *cause);
/* The steps of a timeline that may have waited, one after the other. */
struct fth_path_walk {
    uint32_t timeline, step;
    size_t edge; /* place of the first edge to `step` or behind */
    size_t next_edge, next_blocked;
};
struct fth_path_walk fth_path_walk_from(const struct fth_path *path, uint32_t timeline,
                                        uint32_t step);
/* false: there is no more before step `until`. */
bool fth_path_walk_on(const struct fth_path *path, struct fth_path_walk *walk, uint32_t until);
/* The entry of the call that ends with this event; of one that asks whether something has come: of
 * the first of those that asked one after the other, with hardly any time in between. */
uint32_t fth_path_asked_since(const struct fth_path *path, uint32_t timeline, uint32_t step);
/* From which step on the call that ends with this event waited for the cause, if it did. */
uint32_t fth_path_waited_since(const struct fth_path *path, uint32_t timeline, uint32_t step,
                               struct fth_event cause);
/* ns that the call that ends with this event waited for the cause: 0 if it did not, or if clocks do
 * not show it. */
int64_t fth_path_waited(const struct fth_path *path, uint32_t timeline, uint32_t step,
                        struct fth_event cause);
enum fth_wait fth_path_kind(const struct fth_path *path, struct fth_event at,
                            struct fth_event cause);

/* ---- waits_before.c ---- */
/* ns that a thread waited for the write `cause` between the event before a read and that read,
 * which ends with this event, or for a read before a write; 0: it did not, or that is not known.
 * `most`: that it may have waited. */
int64_t fth_path_waited_before(const struct fth_path *path, uint32_t timeline, uint32_t step,
                               struct fth_event cause, bool most);

/* ---- messages.c: who sent whom how much ---- */
/* ns that times of these processes may differ by; INT64_MAX: unknown. */
int64_t fth_path_clock_error(const struct fth_path *path, uint32_t proc, uint32_t other);
void fth_path_sent(void *context, const struct fth_order_sent *sent);
void fth_path_received(struct fth_path *path, const struct fth_order_message *message);
struct fth_table *fth_path_messages_table(const struct fth_path *path);
/* list_messages.c. `error`: as in struct fth_listed_message. */
void fth_path_list_sent(struct fth_path *path, const struct fth_order_sent *sent);
void fth_path_list_received(struct fth_path *path, const struct fth_order_message *message,
                            int64_t error);
/* list_links.c, list_groups.c: the same of other calls that belong together. The list; NULL: it is
 * not wanted. */
static inline struct fth_link_list *fth_path_links(const struct fth_path *path)
{
    return path->list ? &path->list->links : NULL;
}
/* Is it an event of a process that is shown? */
static inline bool fth_path_shows(const struct fth_path *path, struct fth_event event)
{
    return event.timeline < path->timeline_count &&
           event.step < path->timelines[event.timeline].event_count &&
           path->selected[path->timelines[event.timeline].proc];
}
void fth_path_add_link(struct fth_path *path, enum fth_link_kind kind, struct fth_event from,
                       struct fth_event to, int64_t earlier);
/* Does another call than the one that began it find it complete? */
bool fth_path_ends_elsewhere(const struct fth_path *path, struct fth_event begin,
                             struct fth_event end);
void fth_path_link_message(struct fth_path *path, const struct fth_order_message *message);
void fth_path_link_operation(struct fth_path *path, const struct fth_operation *operation);
void fth_path_link_together(struct fth_path *path, const struct fth_order_member *members,
                            size_t count);
/* When causes are prepared. */
void fth_path_link_creations(struct fth_path *path);
void fth_path_free_messages(struct fth_message_sums *sums);

/* ---- waits.c ---- */
/* The place of its sum among those of waits; SIZE_MAX: its process is not selected. */
size_t fth_path_add_wait(struct fth_path *path, enum fth_wait kind, struct fth_event at,
                         uint32_t cause, int64_t time);
void fth_path_find_waits(struct fth_path *path);
/* ns that threads spent in calls. */
int64_t fth_path_in_calls(const struct fth_path *path);
/* How long a process lasted of which no call was recorded: all of that is its own time. Of others
 * 0: their threads say. */
int64_t fth_path_silent_time(const struct fth_path *path, uint32_t proc);

/* ---- instance_list.c ---- */
typedef void fth_take_instance(void *context, const struct fth_instance *instance);
void fth_path_add_instance(struct fth_path *path, const struct fth_instance *instance);
/* In order of time. */
void fth_path_each_instance(const struct fth_path *path, fth_take_instance *take, void *context);

/* ---- instances.c ---- */
void fth_path_together(void *context, const struct fth_order_member *members, size_t count);
void fth_path_weigh_instances(struct fth_path *path);

/* ---- critical.c ---- */
void fth_path_follow(struct fth_path *path);

/* ---- path_parts.c ---- */
/* The path, which is followed backwards, was in this thread from `begin` to `end`. */
void fth_path_note_part(struct fth_path *path, uint32_t timeline, int64_t begin, int64_t end);
struct fth_table *fth_path_parts_table(const struct fth_path *path);

/* ---- contention.c ---- */
/* The timeline waits from `begin` to `end`. */
void fth_path_note_waiting(struct fth_path *path, uint32_t timeline, int64_t begin, int64_t end);
/* All waits are noted. */
void fth_path_add_up_contention(struct fth_path *path);
/* ns of a wait of this timeline until `end`, for `time`, that may be for a processor. It had met
 * others at `since`. */
int64_t fth_path_contended(const struct fth_path *path, uint32_t timeline, int64_t since,
                           int64_t end, int64_t time);

/* ---- oversubscription.c ---- */
struct fth_oversubscription fth_path_oversubscription(const struct fth_path *path);

/* ---- processor_bound.c ---- */
/* All time is spread over intervals. Sets path->results.least. */
void fth_path_weigh_processors(struct fth_path *path);

/* ---- wait_findings.c ---- */
void fth_path_add_call(const struct fth_path *path, struct fth_finding *finding,
                       struct fth_event exit);
/* ns of the waits that have a cause of their own. */
int64_t fth_path_find_wait_states(const struct fth_path *path, double worth,
                                  const struct fth_oversubscription *node,
                                  struct fth_findings *findings);
/* Does it explain waits that some ranks compute longer than others? */
bool fth_path_computes_unevenly(const struct fth_path *path);
/* The rank that waits, and its function. */
void fth_path_name_wait(const struct fth_path *path, struct fth_finding *finding,
                        const struct fth_wait_sum *sum);

/* ---- path_files.c ---- */
/* The number in the run of a file that a process calls so. */
uint32_t fth_path_add_file(struct fth_path *path, size_t proc, const char *name);
const char *fth_path_file(const struct fth_path *path, uint32_t file);
/* The node whose file it is; NULL: all nodes have the same, or that is not known. */
const char *fth_path_file_host(const struct fth_path *path, uint32_t file);

/* ---- found.c ---- */
void fth_path_free_found(struct fth_path *path);

/* ---- without.c ---- */
/* Of a change by work: is it gone? NULL: nothing is. The caller frees it. */
bool *fth_path_gone_by(const struct fth_path *path, const struct fth_path_change *change);
/* ns since the begin of the path, however short processors let it be. When *stop becomes true, any
 * number. NULL: it does not. */
int64_t fth_path_replay(const struct fth_path *path, const struct fth_path_change *change,
                        const bool *gone, const bool *stop);

/* ---- known_lengths.c ---- */
/* A thread of its own finds out how long the run would be without that, until somebody asks. The
 * path is followed: from then on only what that thread does not need may change. */
void fth_path_ask_ahead(struct fth_path *path, struct fth_path_change change);
/* Nobody asks any more. */
void fth_path_give_up(struct fth_known_length *known);

/* ---- run_findings.c ---- */
/* Asks ahead for what findings on messages are likely to ask for. */
void fth_path_expect_messages(struct fth_path *path);
/* The same, when it is known what ranks have spent: if nothing was asked for before. */
void fth_path_expect_much_in_messages(struct fth_path *path);

/* The work of that number, as it is asked about. */
struct fth_path_work fth_path_work_at(const struct fth_path *path, uint32_t number);

/* The run ends with the first threads of processes: what others did for them they have waited
 * for. */
static inline bool fth_path_ends_run(const struct fth_path *path, uint32_t timeline)
{
    uint32_t proc = path->timelines[timeline].proc;
    return path->selected[proc] && path->first_timeline[proc] == timeline;
}

static inline int64_t fth_path_time(const struct fth_path *path, struct fth_event event)
{
    return fth_flow_time(&path->timelines[event.timeline], event.step);
}
static inline const struct fth_flow_kind *fth_path_event_kind(const struct fth_path *path,
                                                              struct fth_event event)
{
    return fth_flow_kind(&path->timelines[event.timeline], event.step);
}
/* Is there such an event? Steps come from the order, times from here. */
static inline bool fth_path_has(const struct fth_path *path, struct fth_event event)
{
    return event.timeline < path->timeline_count &&
           event.step < path->timelines[event.timeline].event_count;
}
static inline uint32_t fth_path_entry(const struct fth_path *path, struct fth_event event)
{
    return fth_flow_entry(&path->timelines[event.timeline], event.step);
}

#endif
