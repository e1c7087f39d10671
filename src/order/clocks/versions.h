/* What is known of the events of one timeline, in versions. Inner header of the order room.
 *
 * A timeline's clock changes only at events with edges to them, so it is kept in *versions*, each
 * from such an event to the next one. A version is let go when the timeline has left it, all edges
 * from it were followed, and none of its moments was asked for: so there are as many as threads are
 * apart, however long they run. */
#ifndef FTH_ORDER_CLOCKS_TIMELINE_H
#define FTH_ORDER_CLOCKS_TIMELINE_H

#include "order/clocks/vector_clock.h"
#include "order/clocks/edges.h"
#include "order/order.h"

enum { FTH_ENDLESS_DEGREE = 255 };

struct fth_version {
    uint32_t start; /* step of the event that it begins with */
    /* edges from it that were not followed yet; of the newest one less than 0: followed */
    uint32_t pending;
    struct fth_vector_clock *clock;
};

struct fth_thread_clock {
    struct fth_clock_edges edges;
    uint32_t at, ready; /* edges before `at` were followed, those before `ready` can be */
    uint8_t *degrees;   /* of events: how many edges start there */
    uint32_t degree_room;
    uint64_t *marks; /* bits by step */
    uint32_t mark_room;
    struct fth_version *versions;
    size_t version_count, version_room;
    size_t dropped; /* of them, that are still in their places */
    /* once clocks are computed: by step >> landmark_shift the version in force there, and the last
     * one */
    uint32_t *landmarks;
    unsigned landmark_shift;
    uint32_t scanned; /* degrees before this step are in versions */
    /* who waits for it: the root of a heap, by `waits_for`; and its own place in such a heap */
    uint32_t first_waiter, child, sibling;
    uint32_t waits_for; /* a step of another one */
    bool queued;
};

/* The version in force right behind event `step`: the first one, or the last that has begun; and
 * the same when clocks are computed and landmarks set. */
struct fth_version *fth_version_at(const struct fth_thread_clock *timeline, uint32_t step);
const struct fth_version *fth_version_near(const struct fth_thread_clock *timeline, uint32_t step);
/* One edge more starts at event `step`; none does. */
void fth_timeline_edge_begins(struct fth_thread_clock *timeline, uint32_t step);
void fth_timeline_forget_edges(struct fth_thread_clock *timeline);
/* Its newest version is over at event `step`: what is still to come of edges from it. */
void fth_timeline_close_version(struct fth_thread_clock *timeline, uint32_t step);
/* Takes the reference to the clock. */
void fth_timeline_begin_version(struct fth_clock_store *store, struct fth_thread_clock *timeline,
                                uint32_t step, struct fth_vector_clock *clock);
/* An edge from event `step` was followed, or never will be. */
void fth_timeline_edge_is_over(struct fth_clock_store *store, struct fth_thread_clock *timeline,
                               uint32_t step);
/* Keeps what was asked for, when nobody waits for anything any more. */
void fth_timeline_keep_marked(struct fth_clock_store *store, struct fth_thread_clock *timeline);
void fth_timeline_set_landmarks(struct fth_thread_clock *timeline);

#endif
