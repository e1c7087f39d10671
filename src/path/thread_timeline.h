/* What is kept of a thread: its events and what the time between them went to, in a few bytes each.
 * Inner header of the path room.
 *
 * A program does the same things again and again: most of what is to be kept of an event and of the
 * segment behind it (its function, the call that it ends, the work that time went to) is a *kind*
 * that many events have, and the time of a single work is the length of its segment. Kinds that
 * come in turns take no memory (base/rows.h), so that an event is mostly two bytes of time; what
 * else there is stands in a stream of integers, which can be read from each block of events on. */
#ifndef FTH_PATH_TIMELINE_H
#define FTH_PATH_TIMELINE_H

#include "base/intern.h"
#include "base/rows.h"
#include "order/order.h"

#define FTH_NO_FUNCTION UINT16_MAX

enum {
    FTH_FLOW_BLOCK = 32,       /* events */
    FTH_FLOW_WORK = 3,         /* of a segment, that a kind knows */
    FTH_FLOW_OWN = UINT8_MAX,  /* they stand in the stream: how many, and each with its time */
    FTH_FLOW_NEAR = UINT8_MAX, /* numbers below it are part of a kind */
};
#define FTH_FLOW_FAR (UINT32_MAX - 1) /* it stands in the stream */
#define FTH_FLOW_NONE UINT32_MAX

/* An entry or exit, or the begin or end of a thread (FTH_NO_FUNCTION). */
struct fth_flow_event {
    int64_t time;
    /* of an entry: its number, UINT32_MAX: too large; of an exit: step of its entry */
    uint32_t call;
    uint16_t function;
    bool is_exit;
};

/* Without holes: it is looked up by its bytes. */
struct fth_flow_kind {
    uint16_t function;
    uint8_t is_exit;
    uint8_t work_count; /* of the segment behind it */
    uint32_t number;    /* of an exit: how many steps behind its entry */
    uint32_t work[FTH_FLOW_WORK];
};

/* Where one looks at the rows of a timeline. */
struct fth_flow_places {
    struct fth_rows_place times, events, streams, edges, polled;
    size_t edge; /* that was looked for last */
};

/* What the timelines of a process have in common. */
struct fth_flow_store {
    struct fth_intern known; /* kinds, while it is filled */
    struct fth_flow_kind *kinds;
    uint32_t *work; /* of the run: those in streams are of the process */
};

/* A thread. What is between event i and the next one is segment i. */
struct fth_thread_timeline {
    uint32_t proc, thread;
    /* of the MPI library, without work (fth_activity_is_work): only its calls are known */
    bool of_mpi;
    const struct fth_flow_kind *kinds;
    const uint32_t *work;
    struct fth_rows times;   /* of events */
    struct fth_rows events;  /* kind; number of the call of the last entry */
    struct fth_rows streams; /* of each block: where it begins in the stream */
    struct fth_rows
        polled; /* events with a poll in the segment before: step, end of the last one */
    struct fth_bytes stream;
    struct fth_flow_places *places;
    uint32_t event_count;
    const struct fth_rows *edges; /* to its events, by step; the order's */
    size_t edge_count;
};

/* ---- filling one ---- */

struct fth_flow_packer {
    struct fth_thread_timeline *timeline;
    struct fth_flow_store *store;
    struct fth_intern_trail kinds;
    struct fth_flow_event event; /* that came last */
    bool begun;                  /* there is one */
    uint32_t *work;              /* of the segment behind it */
    int64_t *times;
    uint32_t share_count, share_room;
    uint32_t *share_of; /* by work: the share that had it last */
    uint32_t share_limit;
    uint32_t last_call;
    int64_t polled; /* end of the last poll since that event */
    bool has_polled;
};

/* In order of time. Returns its step. */
uint32_t fth_flow_add_event(struct fth_flow_packer *packer, struct fth_flow_event event);
/* ns behind the event that came last. Those of a segment are as long as it is. */
void fth_flow_add_time(struct fth_flow_packer *packer, uint32_t work, int64_t time);
/* A wait for descriptors to be ready ends then, behind the event that came last. */
void fth_flow_add_poll(struct fth_flow_packer *packer, int64_t end);
/* Time of this work will be added soon: where it is added to may come from memory meanwhile. */
void fth_flow_expect(const struct fth_flow_packer *packer, uint32_t work);
/* There is no more to come for this timeline; */
void fth_flow_end_timeline(struct fth_flow_packer *packer);
/* nor for any of the process: work n is work[n] from now on, which belongs to the store. Until
 * then nothing may be asked. */
void fth_flow_end_store(struct fth_flow_store *store, uint32_t *work,
                        struct fth_thread_timeline *timelines, uint32_t timeline_count);
void fth_flow_free_store(struct fth_flow_store *store);
/* Nobody looks at it any more. */
void fth_flow_free_places(struct fth_thread_timeline *timeline);
void fth_flow_free_timeline(struct fth_thread_timeline *timeline);

/* ---- asking: of one timeline one thread at a time ---- */

static inline int64_t fth_flow_time(const struct fth_thread_timeline *timeline, uint32_t step)
{
    return *fth_rows_at(&timeline->times, &timeline->places->times, step);
}

/* Function, and whether it is an exit. */
static inline const struct fth_flow_kind *fth_flow_kind(const struct fth_thread_timeline *timeline,
                                                        uint32_t step)
{
    return &timeline->kinds[*fth_rows_at(&timeline->events, &timeline->places->events, step)];
}

/* The i-th edge to its events. */
static inline struct fth_order_edge fth_flow_edge(const struct fth_thread_timeline *timeline,
                                                  size_t i)
{
    return fth_order_edge_at(timeline->edges, &timeline->places->edges, (uint32_t)i);
}

uint32_t fth_flow_far_entry(const struct fth_thread_timeline *timeline, uint32_t step);
/* The entry of the call that an exit ends; of others the event itself. */
static inline uint32_t fth_flow_entry(const struct fth_thread_timeline *timeline, uint32_t step)
{
    const struct fth_flow_kind *kind = fth_flow_kind(timeline, step);
    return !kind->is_exit                 ? step
           : kind->number != FTH_FLOW_FAR ? step - kind->number
                                          : fth_flow_far_entry(timeline, step);
}
/* The number of an entry's call in its thread; UINT32_MAX: too large. */
uint32_t fth_flow_call(const struct fth_thread_timeline *timeline, uint32_t step);

/* Was a wait for descriptors in the segment before this event? *end: when the last one was over. */
bool fth_flow_polled(const struct fth_thread_timeline *timeline, uint32_t step, int64_t *end);

/* What time went to, one after the other, in the segments from event `from` to event `to`. */
struct fth_flow_shares {
    const struct fth_thread_timeline *timeline;
    uint32_t step, to; /* segments that are still to come */
    const uint8_t *at; /* where the stream goes on; NULL: not known */
    const struct fth_flow_kind *kind;
    uint32_t place, count; /* in the segment at hand, the one before `step` */
    bool knows_time;       /* of `step`: */
    int64_t time;
    int64_t left; /* of its time */
};
static inline struct fth_flow_shares fth_flow_shares(const struct fth_thread_timeline *timeline,
                                                     uint32_t from, uint32_t to)
{
    return (struct fth_flow_shares){.timeline = timeline, .step = from, .to = to};
}
/* false: there is no more. */
bool fth_flow_next_share(struct fth_flow_shares *shares, uint32_t *work, int64_t *time);

#endif
