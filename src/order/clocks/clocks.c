/* Vector clocks: a timeline goes on until an event waits for one of another timeline that was not
 * reached yet; then that one goes on.
 *
 * Members of a barrier share the clock of its hub. Its own timeline's entry in a clock is not kept
 * up: that is the step itself. */
#include "order/clocks/clocks.h"
#include "order/clocks/versions.h"
#include "order/clocks/waiters.h"
#include "base/memory.h"

#include <string.h>

enum { MOST_CIRCLES = 100 };

/* Each collective call is one. There may be millions: what is only needed while clocks are computed
 * is kept apart. */
struct hub {
    size_t first;     /* of its inputs; those of the next hub follow */
    uint32_t outputs; /* edges from it */
    bool chained;
};

struct hub_clock {
    struct fth_vector_clock *clock;
    uint32_t ready; /* inputs that were reached */
    uint32_t left;  /* edges from it that were not followed yet */
    bool done;
};

struct fth_clocks {
    size_t timeline_count;
    struct fth_thread_clock *timelines;
    struct hub *hubs;
    size_t hub_count;
    struct hub_clock *hub_clocks; /* by hub; NULL: nothing was computed */
    size_t hub_clock_count;
    struct fth_rows inputs; /* of hubs: timeline, step */
    struct fth_rows_place place;
    struct fth_clock_store store;
    struct fth_vector_clock *nothing;
    uint32_t *queue;
    size_t queue_first, queue_count;
    unsigned circles; /* that were broken */
};

/* How many inputs it has. */
static size_t input_count(const struct fth_clocks *clocks, const struct hub *hub)
{
    bool is_last = hub + 1 == clocks->hubs + clocks->hub_count;
    return (is_last ? clocks->inputs.count : hub[1].first) - hub->first;
}

static struct fth_event input_at(const struct fth_clocks *clocks, struct fth_rows_place *place,
                                 size_t i)
{
    const int64_t *row = fth_rows_at(&clocks->inputs, place, (uint32_t)i);
    return (struct fth_event){(uint32_t)row[0], (uint32_t)row[1]};
}

/* ---- what is given ---- */

struct fth_clocks *fth_clocks_new(size_t timelines)
{
    struct fth_clocks *clocks = fth_new(1, sizeof *clocks);
    clocks->timeline_count = timelines;
    clocks->timelines = fth_new(timelines + 1, sizeof *clocks->timelines);
    clocks->inputs.columns = 2;
    fth_clock_store_begin(&clocks->store, timelines);
    return clocks;
}

void fth_clocks_mark(struct fth_clocks *clocks, struct fth_moment moment)
{
    struct fth_thread_clock *timeline = &clocks->timelines[moment.timeline];
    timeline->marks =
        fth_reach(timeline->marks, &timeline->mark_room, moment.step / 64, sizeof *timeline->marks);
    timeline->marks[moment.step / 64] |= (uint64_t)1 << moment.step % 64;
}

static bool is_event(const struct fth_clocks *clocks, struct fth_event event)
{
    return event.timeline < clocks->timeline_count && event.step < UINT32_MAX;
}

void fth_clocks_edge(struct fth_clocks *clocks, struct fth_event from, struct fth_event to)
{
    if (!is_event(clocks, from) || !is_event(clocks, to))
        return;
    if (from.timeline == to.timeline && from.step < to.step)
        return; /* program order */
    fth_clock_edges_add(&clocks->timelines[to.timeline].edges,
                        (struct fth_order_edge){to.step, from.timeline, from.step});
}

uint32_t fth_clocks_hub(struct fth_clocks *clocks, bool chained)
{
    FTH_GROW(clocks->hubs, clocks->hub_count);
    clocks->hubs[clocks->hub_count] =
        (struct hub){.first = clocks->inputs.count, .chained = chained && clocks->hub_count > 0};
    if (chained && clocks->hub_count > 0)
        clocks->hubs[clocks->hub_count - 1].outputs++;
    return (uint32_t)clocks->hub_count++;
}

void fth_clocks_into(struct fth_clocks *clocks, struct fth_event from)
{
    if (!is_event(clocks, from))
        return;
    if (clocks->inputs.count == UINT32_MAX)
        fth_out_of_memory();
    fth_rows_add(&clocks->inputs, (int64_t[]){from.timeline, from.step});
}

void fth_clocks_out_of(struct fth_clocks *clocks, uint32_t hub, struct fth_event to)
{
    if (!is_event(clocks, to))
        return;
    clocks->hubs[hub].outputs++;
    fth_clock_edges_add(&clocks->timelines[to.timeline].edges,
                        (struct fth_order_edge){to.step, FTH_NO_TIMELINE, hub});
}

static bool is_left_out(const struct fth_order_edge *edge)
{
    return edge->from == FTH_NO_TIMELINE && edge->step == UINT32_MAX;
}

void fth_clocks_add(struct fth_clocks *clocks, const struct fth_clocks *more)
{
    uint32_t first = (uint32_t)clocks->hub_count;
    struct fth_rows_place place = {0};
    for (size_t i = 0; i < more->hub_count; i++) {
        const struct hub *hub = &more->hubs[i];
        fth_clocks_hub(clocks, hub->chained);
        size_t count = input_count(more, hub);
        for (size_t k = 0; k < count; k++)
            fth_clocks_into(clocks, input_at(more, &place, hub->first + k));
    }
    fth_rows_leave(&place);
    for (uint32_t i = 0; i < more->timeline_count; i++)
        for (uint32_t k = 0; k < more->timelines[i].edges.rows.count; k++) {
            struct fth_order_edge edge = fth_clock_edge(&more->timelines[i].edges, k);
            struct fth_event to = {i, edge.to};
            if (edge.from != FTH_NO_TIMELINE)
                fth_clocks_edge(clocks, (struct fth_event){edge.from, edge.step}, to);
            else if (!is_left_out(&edge))
                fth_clocks_out_of(clocks, first + edge.step, to);
        }
}

struct fth_clocks *fth_clocks_copy(const struct fth_clocks *clocks)
{
    struct fth_clocks *copy = fth_clocks_new(clocks->timeline_count);
    for (size_t i = 0; i < clocks->timeline_count; i++) {
        const struct fth_thread_clock *from = &clocks->timelines[i];
        struct fth_thread_clock *to = &copy->timelines[i];
        to->mark_room = from->mark_room;
        to->marks = fth_new(from->mark_room + 1, sizeof *to->marks);
        if (from->mark_room)
            memcpy(to->marks, from->marks, from->mark_room * sizeof *to->marks);
    }
    fth_clocks_add(copy, clocks);
    return copy;
}

/* ---- going on ---- */

static void let_follow(struct fth_clocks *clocks, struct fth_event from)
{
    fth_timeline_edge_is_over(&clocks->store, &clocks->timelines[from.timeline], from.step);
}

/* Events before this step were reached. */
static uint32_t reached(struct fth_thread_clock *timeline)
{
    return timeline->at < timeline->edges.rows.count
               ? fth_clock_edge(&timeline->edges, timeline->at).to
               : UINT32_MAX;
}

/* What `clock` knows, and what was known right behind an event of another timeline. Whoever knows
 * of an event knows all that came before it. */
static void learn(struct fth_clocks *clocks, struct fth_vector_clock *clock, struct fth_event from)
{
    const struct fth_thread_clock *timeline = &clocks->timelines[from.timeline];
    if (fth_clock_known(clock, from.timeline) > from.step)
        return;
    fth_clock_join(&clocks->store, clock, fth_version_at(timeline, from.step)->clock);
    fth_clock_learn(&clocks->store, clock, from.timeline, from.step + 1);
}

/* An edge from it was followed. */
static void leave_hub(struct fth_clocks *clocks, uint32_t number)
{
    struct hub_clock *hub = &clocks->hub_clocks[number];
    if (--hub->left == 0) {
        fth_clock_let_go(&clocks->store, hub->clock);
        hub->clock = NULL;
    }
}

/* Who waits for nothing. */
static const struct fth_event NOTHING = {FTH_NO_TIMELINE, 0};

/* Returns the event that the hub waits for, or NOTHING: it is done. */
static struct fth_event one_hub(struct fth_clocks *clocks, uint32_t number)
{
    struct hub_clock *hub = &clocks->hub_clocks[number];
    size_t first = clocks->hubs[number].first, count = input_count(clocks, &clocks->hubs[number]);
    for (; hub->ready < count; hub->ready++) {
        struct fth_event from = input_at(clocks, &clocks->place, first + hub->ready);
        if (from.step >= reached(&clocks->timelines[from.timeline]))
            return from;
    }
    if (clocks->hubs[number].chained) {
        hub->clock = fth_clock_new(&clocks->store, hub[-1].clock);
        leave_hub(clocks, number - 1);
    } else {
        hub->clock = fth_clock_new(&clocks->store, clocks->nothing);
    }
    const struct fth_vector_clock *before = NULL;
    for (size_t i = 0; i < count; i++) {
        struct fth_event from = input_at(clocks, &clocks->place, first + i);
        const struct fth_vector_clock *clock =
            fth_version_at(&clocks->timelines[from.timeline], from.step)->clock;
        if (clock != before)
            fth_clock_join(&clocks->store, hub->clock, clock);
        before = clock;
        fth_clock_learn(&clocks->store, hub->clock, from.timeline, from.step + 1);
    }
    for (size_t i = 0; i < count; i++)
        let_follow(clocks, input_at(clocks, &clocks->place, first + i));
    hub->done = true;
    return NOTHING;
}

static struct fth_event finish_hub(struct fth_clocks *clocks, uint32_t number)
{
    uint32_t first = number;
    while (!clocks->hub_clocks[first].done && clocks->hubs[first].chained &&
           !clocks->hub_clocks[first - 1].done)
        first--;
    for (; first <= number; first++) {
        if (clocks->hub_clocks[first].done)
            continue;
        struct fth_event blocker = one_hub(clocks, first);
        if (blocker.timeline != FTH_NO_TIMELINE)
            return blocker;
    }
    return NOTHING;
}

/* The event that an edge waits for; NOTHING: it can be followed. */
static struct fth_event blocker_of(struct fth_clocks *clocks, const struct fth_order_edge *edge)
{
    if (is_left_out(edge))
        return NOTHING;
    if (edge->from == FTH_NO_TIMELINE)
        return finish_hub(clocks, edge->step);
    return edge->step < reached(&clocks->timelines[edge->from])
               ? NOTHING
               : (struct fth_event){edge->from, edge->step};
}

/* All edges to one event can be followed. */
static void take_event(struct fth_clocks *clocks, uint32_t own, uint32_t end)
{
    struct fth_thread_clock *timeline = &clocks->timelines[own];
    struct fth_order_edge first = fth_clock_edge(&timeline->edges, timeline->at);
    uint32_t step = first.to;
    struct fth_vector_clock *before = timeline->versions[timeline->version_count - 1].clock;
    const struct hub_clock *only =
        end - timeline->at == 1 && first.from == FTH_NO_TIMELINE && !is_left_out(&first)
            ? &clocks->hub_clocks[first.step]
            : NULL;
    bool as_the_hub = only && fth_clock_covers(&clocks->store, only->clock, before, own);
    struct fth_vector_clock *now =
        as_the_hub ? fth_clock_share(only->clock) : fth_clock_new(&clocks->store, before);
    for (uint32_t i = timeline->at; i < end; i++) {
        struct fth_order_edge edge = fth_clock_edge(&timeline->edges, i);
        if (is_left_out(&edge))
            continue;
        if (edge.from != FTH_NO_TIMELINE) {
            learn(clocks, now, (struct fth_event){edge.from, edge.step});
            let_follow(clocks, (struct fth_event){edge.from, edge.step});
            continue;
        }
        if (!as_the_hub)
            fth_clock_join(&clocks->store, now, clocks->hub_clocks[edge.step].clock);
        leave_hub(clocks, edge.step);
    }
    fth_timeline_close_version(timeline, step);
    fth_timeline_begin_version(&clocks->store, timeline, step, now);
    timeline->at = end;
}

/* ---- which timeline goes on ---- */

static void queue(struct fth_clocks *clocks, uint32_t number)
{
    if (clocks->timelines[number].queued)
        return;
    clocks->timelines[number].queued = true;
    size_t at = (clocks->queue_first + clocks->queue_count++) % clocks->timeline_count;
    clocks->queue[at] = number;
}

/* Those whose step it has reached. */
static void wake_waiters(struct fth_clocks *clocks, struct fth_thread_clock *timeline)
{
    while (timeline->first_waiter != FTH_NO_TIMELINE &&
           clocks->timelines[timeline->first_waiter].waits_for < reached(timeline))
        queue(clocks, fth_waiters_take(clocks->timelines, timeline));
}

/* Place of the first edge behind those to the event that comes next. */
static uint32_t end_of_event(struct fth_thread_clock *timeline)
{
    uint32_t end = timeline->at, to = reached(timeline);
    while (end < timeline->edges.rows.count && fth_clock_edge(&timeline->edges, end).to == to)
        end++;
    return end;
}

/* As far as it can. */
static void run(struct fth_clocks *clocks, uint32_t number)
{
    struct fth_thread_clock *timeline = &clocks->timelines[number];
    struct fth_event blocker = NOTHING;
    uint32_t from = timeline->at;
    while (timeline->at < timeline->edges.rows.count && blocker.timeline == FTH_NO_TIMELINE) {
        uint32_t end = end_of_event(timeline);
        if (timeline->ready < timeline->at)
            timeline->ready = timeline->at;
        for (; timeline->ready < end; timeline->ready++) {
            struct fth_order_edge edge = fth_clock_edge(&timeline->edges, timeline->ready);
            blocker = blocker_of(clocks, &edge);
            if (blocker.timeline != FTH_NO_TIMELINE)
                break;
        }
        if (blocker.timeline == FTH_NO_TIMELINE)
            take_event(clocks, number, end);
    }
    if (timeline->at > from)
        wake_waiters(clocks, timeline);
    if (blocker.timeline != FTH_NO_TIMELINE)
        fth_waiters_add(clocks->timelines, blocker, number);
}

/* What the timeline waits for is left out. */
static void leave_out(struct fth_clocks *clocks, uint32_t number,
                      void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    struct fth_thread_clock *timeline = &clocks->timelines[number];
    struct fth_order_edge edge = fth_clock_edge(&timeline->edges, timeline->ready);
    if (edge.from == FTH_NO_TIMELINE) {
        clocks->hubs[edge.step].outputs--;
        clocks->hub_clocks[edge.step].left--;
    } else if (clocks->timelines[edge.from].degrees[edge.step] < FTH_ENDLESS_DEGREE) {
        clocks->timelines[edge.from].degrees[edge.step]--;
    }
    if (cycle)
        cycle(context, (struct fth_event){number, edge.to});
    fth_clock_edges_leave_out(&timeline->edges, timeline->ready);
}

/* Nobody can go on: the first who waits does so no longer; when that has happened too often, nobody
 * does. Returns false when nobody waits. */
static bool break_circle(struct fth_clocks *clocks,
                         void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    bool one = clocks->circles < MOST_CIRCLES, any = false;
    for (uint32_t i = 0; i < clocks->timeline_count; i++) {
        struct fth_thread_clock *timeline = &clocks->timelines[i];
        timeline->first_waiter = FTH_NO_TIMELINE;
        if (timeline->at == timeline->edges.rows.count)
            continue;
        if (!one || !any)
            leave_out(clocks, i, cycle, context);
        any = true;
        queue(clocks, i);
    }
    clocks->circles += any;
    return any;
}

/* ---- all of it ---- */

static void free_clocks(struct fth_clocks *clocks)
{
    for (size_t i = 0; i < clocks->timeline_count; i++) {
        struct fth_thread_clock *timeline = &clocks->timelines[i];
        for (size_t k = 0; k < timeline->version_count; k++)
            fth_clock_let_go(&clocks->store, timeline->versions[k].clock);
        timeline->version_count = timeline->dropped = 0;
    }
    for (size_t i = 0; i < clocks->hub_clock_count; i++)
        fth_clock_let_go(&clocks->store, clocks->hub_clocks[i].clock);
    free(clocks->hub_clocks);
    clocks->hub_clocks = NULL;
    clocks->hub_clock_count = 0;
    fth_clock_let_go(&clocks->store, clocks->nothing);
    clocks->nothing = NULL;
    fth_clock_store_end(&clocks->store);
}

/* How many edges start at each event, of those that are not left out. */
static void count_degrees(struct fth_clocks *clocks)
{
    for (size_t i = 0; i < clocks->timeline_count; i++)
        fth_timeline_forget_edges(&clocks->timelines[i]);
    for (size_t i = 0; i < clocks->timeline_count; i++)
        for (uint32_t k = 0; k < clocks->timelines[i].edges.rows.count; k++) {
            struct fth_order_edge edge = fth_clock_edge(&clocks->timelines[i].edges, k);
            if (edge.from != FTH_NO_TIMELINE)
                fth_timeline_edge_begins(&clocks->timelines[edge.from], edge.step);
        }
    for (size_t i = 0; i < clocks->inputs.count; i++) {
        struct fth_event from = input_at(clocks, &clocks->place, i);
        fth_timeline_edge_begins(&clocks->timelines[from.timeline], from.step);
    }
}

static void begin(struct fth_clocks *clocks)
{
    free_clocks(clocks);
    count_degrees(clocks);
    clocks->nothing = fth_clock_new(&clocks->store, NULL);
    clocks->circles = 0;
    for (uint32_t i = 0; i < clocks->timeline_count; i++) {
        struct fth_thread_clock *timeline = &clocks->timelines[i];
        fth_clock_edges_sort(&timeline->edges);
        timeline->at = timeline->ready = 0;
        timeline->scanned = 0;
        timeline->first_waiter = FTH_NO_TIMELINE;
        fth_timeline_begin_version(&clocks->store, timeline, 0, fth_clock_share(clocks->nothing));
        queue(clocks, i);
    }
    clocks->hub_clock_count = clocks->hub_count;
    clocks->hub_clocks = fth_new(clocks->hub_count + 1, sizeof *clocks->hub_clocks);
    for (size_t i = 0; i < clocks->hub_count; i++)
        clocks->hub_clocks[i].left = clocks->hubs[i].outputs;
}

void fth_clocks_compute(struct fth_clocks *clocks,
                        void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    clocks->queue = fth_resize(clocks->queue, clocks->timeline_count + 1, sizeof *clocks->queue);
    begin(clocks);
    do {
        while (clocks->queue_count) {
            uint32_t next = clocks->queue[clocks->queue_first];
            clocks->queue_first = (clocks->queue_first + 1) % clocks->timeline_count;
            clocks->queue_count--;
            clocks->timelines[next].queued = false;
            run(clocks, next);
        }
    } while (break_circle(clocks, cycle, context));
    for (size_t i = 0; i < clocks->timeline_count; i++)
        fth_timeline_keep_marked(&clocks->store, &clocks->timelines[i]);
    for (size_t i = 0; i < clocks->timeline_count; i++)
        fth_timeline_set_landmarks(&clocks->timelines[i]);
}

const struct fth_rows *fth_clocks_edges(struct fth_clocks *clocks, uint32_t timeline)
{
    fth_clock_edges_sort(&clocks->timelines[timeline].edges);
    clocks->timelines[timeline].edges.rows.columns = 3;
    return &clocks->timelines[timeline].edges.rows;
}

size_t fth_clocks_hubs(const struct fth_clocks *clocks)
{
    return clocks->hub_count;
}

size_t fth_clocks_hub_size(const struct fth_clocks *clocks, size_t hub, bool *chained)
{
    *chained = clocks->hubs[hub].chained;
    return input_count(clocks, &clocks->hubs[hub]);
}

struct fth_event fth_clocks_hub_input(const struct fth_clocks *clocks, struct fth_rows_place *place,
                                      size_t hub, size_t i)
{
    return input_at(clocks, place, clocks->hubs[hub].first + i);
}

const struct fth_vector_clock *fth_clocks_known(const struct fth_clocks *clocks,
                                                struct fth_moment b)
{
    if (b.timeline >= clocks->timeline_count || b.step == 0)
        return NULL;
    const struct fth_thread_clock *timeline = &clocks->timelines[b.timeline];
    if (!timeline->version_count)
        return NULL;
    const struct fth_version *version = fth_version_near(timeline, b.step - 1);
    return version->start < b.step ? version->clock : NULL;
}

bool fth_clocks_before(const struct fth_clocks *clocks, struct fth_moment a, struct fth_moment b)
{
    if (a.timeline == b.timeline)
        return a.step <= b.step;
    if (a.timeline >= clocks->timeline_count)
        return false;
    const struct fth_vector_clock *known = fth_clocks_known(clocks, b);
    return known && fth_clock_known(known, a.timeline) > a.step;
}

void fth_clocks_free(struct fth_clocks *clocks)
{
    if (!clocks)
        return;
    free_clocks(clocks);
    for (size_t i = 0; i < clocks->timeline_count; i++) {
        fth_clock_edges_free(&clocks->timelines[i].edges);
        free(clocks->timelines[i].degrees);
        free(clocks->timelines[i].marks);
        free(clocks->timelines[i].versions);
        free(clocks->timelines[i].landmarks);
    }
    free(clocks->timelines);
    free(clocks->hubs);
    fth_rows_leave(&clocks->place);
    fth_rows_free(&clocks->inputs);
    free(clocks->queue);
    free(clocks);
}
