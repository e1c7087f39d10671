/* Vector clocks: a strand goes on until an event waits for one of another strand that was not
 * reached yet; then that one goes on.
 *
 * Members of a barrier share the clock of its hub. Its own strand's entry in a clock is not kept
 * up: that is the step itself. */
#include "order/clocks/clocks.h"
#include "order/clocks/strand.h"
#include "base/memory.h"

#include <string.h>

enum { MOST_CIRCLES = 100 };

struct hub {
    size_t first, count; /* its inputs */
    size_t ready;
    uint32_t outputs, left; /* edges from it, and those that were not followed yet */
    bool chained, done;
    struct fth_vector_clock *clock;
};

struct fth_clocks {
    size_t strand_count;
    struct fth_thread_clock *strands;
    struct hub *hubs;
    size_t hub_count;
    struct fth_event *inputs;
    size_t input_count, input_room;
    struct fth_clock_store store;
    struct fth_vector_clock *nothing;
    uint32_t *queue;
    size_t queue_first, queue_count;
    unsigned circles; /* that were broken */
};

/* ---- what is given ---- */

struct fth_clocks *fth_clocks_new(size_t strands)
{
    struct fth_clocks *clocks = fth_new(1, sizeof *clocks);
    clocks->strand_count = strands;
    clocks->strands = fth_new(strands + 1, sizeof *clocks->strands);
    fth_clock_store_begin(&clocks->store, strands);
    return clocks;
}

enum { FIRST_ROOM = 64 };

/* There is room for some more. */
static void *copy_of(const void *from, size_t count, size_t size)
{
    void *to = fth_new(count + FIRST_ROOM, size);
    if (count)
        memcpy(to, from, count * size);
    return to;
}

struct fth_clocks *fth_clocks_copy(const struct fth_clocks *clocks)
{
    struct fth_clocks *copy = fth_clocks_new(clocks->strand_count);
    for (size_t i = 0; i < clocks->strand_count; i++) {
        const struct fth_thread_clock *from = &clocks->strands[i];
        struct fth_thread_clock *to = &copy->strands[i];
        to->edge_count = from->edge_count;
        to->edge_room = from->edge_count + FIRST_ROOM;
        to->edges = copy_of(from->edges, from->edge_count, sizeof *to->edges);
        to->mark_room = from->mark_room;
        to->marks = copy_of(from->marks, from->mark_room, sizeof *to->marks);
    }
    copy->hub_count = clocks->hub_count;
    for (size_t i = 0; i < clocks->hub_count; i++) {
        size_t number = i;
        FTH_GROW(copy->hubs, number);
        copy->hubs[i] = clocks->hubs[i];
        copy->hubs[i].clock = NULL;
    }
    copy->input_count = clocks->input_count;
    copy->input_room = clocks->input_count + FIRST_ROOM;
    copy->inputs = copy_of(clocks->inputs, clocks->input_count, sizeof *copy->inputs);
    return copy;
}

void fth_clocks_mark(struct fth_clocks *clocks, struct fth_moment moment)
{
    struct fth_thread_clock *strand = &clocks->strands[moment.strand];
    strand->marks =
        fth_reach(strand->marks, &strand->mark_room, moment.step / 64, sizeof *strand->marks);
    strand->marks[moment.step / 64] |= (uint64_t)1 << moment.step % 64;
}

static bool is_event(const struct fth_clocks *clocks, struct fth_event event)
{
    return event.strand < clocks->strand_count && event.step < UINT32_MAX;
}

static void add_edge(struct fth_clocks *clocks, struct fth_order_edge edge, uint32_t to_strand)
{
    struct fth_thread_clock *strand = &clocks->strands[to_strand];
    if (strand->edge_count == strand->edge_room) {
        strand->edge_room = strand->edge_room ? strand->edge_room + strand->edge_room / 2 : 8;
        strand->edges = fth_resize(strand->edges, strand->edge_room, sizeof *strand->edges);
    }
    strand->edges[strand->edge_count++] = edge;
}

void fth_clocks_edge(struct fth_clocks *clocks, struct fth_event from, struct fth_event to)
{
    if (!is_event(clocks, from) || !is_event(clocks, to))
        return;
    if (from.strand == to.strand && from.step < to.step)
        return; /* program order */
    add_edge(clocks, (struct fth_order_edge){to.step, from.strand, from.step}, to.strand);
}

uint32_t fth_clocks_hub(struct fth_clocks *clocks, bool chained)
{
    FTH_GROW(clocks->hubs, clocks->hub_count);
    clocks->hubs[clocks->hub_count] =
        (struct hub){.first = clocks->input_count, .chained = chained && clocks->hub_count > 0};
    if (chained && clocks->hub_count > 0)
        clocks->hubs[clocks->hub_count - 1].outputs++;
    return (uint32_t)clocks->hub_count++;
}

void fth_clocks_into(struct fth_clocks *clocks, struct fth_event from)
{
    if (!is_event(clocks, from))
        return;
    if (clocks->input_count == clocks->input_room) {
        clocks->input_room = clocks->input_room ? clocks->input_room + clocks->input_room / 2 : 64;
        clocks->inputs = fth_resize(clocks->inputs, clocks->input_room, sizeof *clocks->inputs);
    }
    clocks->inputs[clocks->input_count++] = from;
    clocks->hubs[clocks->hub_count - 1].count++;
}

void fth_clocks_out_of(struct fth_clocks *clocks, uint32_t hub, struct fth_event to)
{
    if (!is_event(clocks, to))
        return;
    clocks->hubs[hub].outputs++;
    add_edge(clocks, (struct fth_order_edge){to.step, FTH_NO_STRAND, hub}, to.strand);
}

/* ---- going on ---- */

static void let_follow(struct fth_clocks *clocks, struct fth_event from)
{
    fth_strand_edge_is_over(&clocks->store, &clocks->strands[from.strand], from.step);
}

static bool is_left_out(const struct fth_order_edge *edge)
{
    return edge->from == FTH_NO_STRAND && edge->step == UINT32_MAX;
}

/* Events before this step were reached. */
static uint32_t reached(const struct fth_thread_clock *strand)
{
    return strand->at < strand->edge_count ? strand->edges[strand->at].to : UINT32_MAX;
}

/* What `clock` knows, and what was known right behind an event of another strand. Whoever knows of
 * an event knows all that came before it. */
static void learn(struct fth_clocks *clocks, struct fth_vector_clock *clock, struct fth_event from)
{
    const struct fth_thread_clock *strand = &clocks->strands[from.strand];
    if (fth_clock_known(clock, from.strand) > from.step)
        return;
    fth_clock_join(&clocks->store, clock, fth_version_at(strand, from.step)->clock);
    fth_clock_learn(&clocks->store, clock, from.strand, from.step + 1);
}

/* An edge from it was followed. */
static void leave_hub(struct fth_clocks *clocks, struct hub *hub)
{
    if (--hub->left == 0) {
        fth_clock_let_go(&clocks->store, hub->clock);
        hub->clock = NULL;
    }
}

/* Returns the strand that the hub waits for, or FTH_NO_STRAND: it is done. */
static uint32_t one_hub(struct fth_clocks *clocks, struct hub *hub)
{
    for (; hub->ready < hub->count; hub->ready++) {
        struct fth_event from = clocks->inputs[hub->first + hub->ready];
        if (from.step >= reached(&clocks->strands[from.strand]))
            return from.strand;
    }
    if (hub->chained) {
        hub->clock = fth_clock_new(&clocks->store, hub[-1].clock);
        leave_hub(clocks, &hub[-1]);
    } else {
        hub->clock = fth_clock_new(&clocks->store, clocks->nothing);
    }
    const struct fth_vector_clock *before = NULL;
    for (size_t i = 0; i < hub->count; i++) {
        struct fth_event from = clocks->inputs[hub->first + i];
        const struct fth_vector_clock *clock =
            fth_version_at(&clocks->strands[from.strand], from.step)->clock;
        if (clock != before)
            fth_clock_join(&clocks->store, hub->clock, clock);
        before = clock;
        fth_clock_learn(&clocks->store, hub->clock, from.strand, from.step + 1);
    }
    for (size_t i = 0; i < hub->count; i++)
        let_follow(clocks, clocks->inputs[hub->first + i]);
    hub->done = true;
    return FTH_NO_STRAND;
}

static uint32_t finish_hub(struct fth_clocks *clocks, uint32_t number)
{
    uint32_t first = number;
    while (!clocks->hubs[first].done && clocks->hubs[first].chained &&
           !clocks->hubs[first - 1].done)
        first--;
    for (; first <= number; first++) {
        if (clocks->hubs[first].done)
            continue;
        uint32_t blocker = one_hub(clocks, &clocks->hubs[first]);
        if (blocker != FTH_NO_STRAND)
            return blocker;
    }
    return FTH_NO_STRAND;
}

/* The strand that an edge waits for; FTH_NO_STRAND: it can be followed. */
static uint32_t blocker_of(struct fth_clocks *clocks, const struct fth_order_edge *edge)
{
    if (is_left_out(edge))
        return FTH_NO_STRAND;
    if (edge->from == FTH_NO_STRAND)
        return finish_hub(clocks, edge->step);
    return edge->step < reached(&clocks->strands[edge->from]) ? FTH_NO_STRAND : edge->from;
}

/* All edges to one event can be followed. */
static void take_event(struct fth_clocks *clocks, uint32_t own, size_t end)
{
    struct fth_thread_clock *strand = &clocks->strands[own];
    const struct fth_order_edge *first = &strand->edges[strand->at];
    uint32_t step = first->to;
    struct fth_vector_clock *before = strand->versions[strand->version_count - 1].clock;
    struct hub *only = end - strand->at == 1 && first->from == FTH_NO_STRAND && !is_left_out(first)
                           ? &clocks->hubs[first->step]
                           : NULL;
    bool as_the_hub = only && fth_clock_covers(&clocks->store, only->clock, before, own);
    struct fth_vector_clock *now =
        as_the_hub ? fth_clock_share(only->clock) : fth_clock_new(&clocks->store, before);
    for (size_t i = strand->at; i < end; i++) {
        const struct fth_order_edge *edge = &strand->edges[i];
        if (is_left_out(edge))
            continue;
        if (edge->from != FTH_NO_STRAND) {
            learn(clocks, now, (struct fth_event){edge->from, edge->step});
            let_follow(clocks, (struct fth_event){edge->from, edge->step});
            continue;
        }
        struct hub *hub = &clocks->hubs[edge->step];
        if (!as_the_hub)
            fth_clock_join(&clocks->store, now, hub->clock);
        leave_hub(clocks, hub);
    }
    fth_strand_close_version(strand, step);
    fth_strand_begin_version(&clocks->store, strand, step, now);
    strand->at = end;
}

/* ---- which strand goes on ---- */

static void queue(struct fth_clocks *clocks, uint32_t number)
{
    if (clocks->strands[number].queued)
        return;
    clocks->strands[number].queued = true;
    size_t at = (clocks->queue_first + clocks->queue_count++) % clocks->strand_count;
    clocks->queue[at] = number;
}

static void wake_waiters(struct fth_clocks *clocks, struct fth_thread_clock *strand)
{
    uint32_t waiter = strand->first_waiter;
    strand->first_waiter = FTH_NO_STRAND;
    while (waiter != FTH_NO_STRAND) {
        uint32_t next = clocks->strands[waiter].next_waiter;
        queue(clocks, waiter);
        waiter = next;
    }
}

static void wait_for(struct fth_clocks *clocks, uint32_t number, uint32_t blocker)
{
    clocks->strands[number].next_waiter = clocks->strands[blocker].first_waiter;
    clocks->strands[blocker].first_waiter = number;
}

/* As far as it can. */
static void run(struct fth_clocks *clocks, uint32_t number)
{
    struct fth_thread_clock *strand = &clocks->strands[number];
    size_t from = strand->at;
    uint32_t blocker = FTH_NO_STRAND;
    while (strand->at < strand->edge_count && blocker == FTH_NO_STRAND) {
        size_t end = strand->at;
        while (end < strand->edge_count && strand->edges[end].to == strand->edges[strand->at].to)
            end++;
        if (strand->ready < strand->at)
            strand->ready = strand->at;
        for (; strand->ready < end; strand->ready++) {
            blocker = blocker_of(clocks, &strand->edges[strand->ready]);
            if (blocker != FTH_NO_STRAND)
                break;
        }
        if (blocker == FTH_NO_STRAND)
            take_event(clocks, number, end);
    }
    if (strand->at > from)
        wake_waiters(clocks, strand);
    if (blocker != FTH_NO_STRAND)
        wait_for(clocks, number, blocker);
}

/* What the strand waits for is left out. */
static void leave_out(struct fth_clocks *clocks, uint32_t number,
                      void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    struct fth_thread_clock *strand = &clocks->strands[number];
    struct fth_order_edge *edge = &strand->edges[strand->ready];
    if (edge->from == FTH_NO_STRAND) {
        clocks->hubs[edge->step].outputs--;
        clocks->hubs[edge->step].left--;
    } else if (clocks->strands[edge->from].degrees[edge->step] < FTH_ENDLESS_DEGREE) {
        clocks->strands[edge->from].degrees[edge->step]--;
    }
    if (cycle)
        cycle(context, (struct fth_event){number, edge->to});
    *edge = (struct fth_order_edge){edge->to, FTH_NO_STRAND, UINT32_MAX};
}

/* Nobody can go on: the first who waits does so no longer; when that has happened too often, nobody
 * does. Returns false when nobody waits. */
static bool break_circle(struct fth_clocks *clocks,
                         void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    bool one = clocks->circles < MOST_CIRCLES, any = false;
    for (uint32_t i = 0; i < clocks->strand_count; i++) {
        struct fth_thread_clock *strand = &clocks->strands[i];
        strand->first_waiter = FTH_NO_STRAND;
        if (strand->at == strand->edge_count)
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

static int by_step(const void *one, const void *other)
{
    const struct fth_order_edge *a = one, *b = other;
    return (a->to > b->to) - (a->to < b->to);
}

static void sort_edges(struct fth_thread_clock *strand)
{
    for (size_t i = 1; i < strand->edge_count; i++) {
        if (strand->edges[i - 1].to > strand->edges[i].to) {
            qsort(strand->edges, strand->edge_count, sizeof *strand->edges, by_step);
            return;
        }
    }
}

static void free_clocks(struct fth_clocks *clocks)
{
    for (size_t i = 0; i < clocks->strand_count; i++) {
        struct fth_thread_clock *strand = &clocks->strands[i];
        for (size_t k = 0; k < strand->version_count; k++)
            fth_clock_let_go(&clocks->store, strand->versions[k].clock);
        strand->version_count = 0;
    }
    for (size_t i = 0; i < clocks->hub_count; i++) {
        fth_clock_let_go(&clocks->store, clocks->hubs[i].clock);
        clocks->hubs[i].clock = NULL;
    }
    fth_clock_let_go(&clocks->store, clocks->nothing);
    clocks->nothing = NULL;
    fth_clock_store_end(&clocks->store);
}

/* How many edges start at each event, of those that are not left out. */
static void count_degrees(struct fth_clocks *clocks)
{
    for (size_t i = 0; i < clocks->strand_count; i++)
        fth_strand_forget_edges(&clocks->strands[i]);
    for (size_t i = 0; i < clocks->strand_count; i++)
        for (size_t k = 0; k < clocks->strands[i].edge_count; k++) {
            const struct fth_order_edge *edge = &clocks->strands[i].edges[k];
            if (edge->from != FTH_NO_STRAND)
                fth_strand_edge_begins(&clocks->strands[edge->from], edge->step);
        }
    for (size_t i = 0; i < clocks->input_count; i++)
        fth_strand_edge_begins(&clocks->strands[clocks->inputs[i].strand], clocks->inputs[i].step);
}

static void begin(struct fth_clocks *clocks)
{
    free_clocks(clocks);
    count_degrees(clocks);
    clocks->nothing = fth_clock_new(&clocks->store, NULL);
    clocks->circles = 0;
    for (uint32_t i = 0; i < clocks->strand_count; i++) {
        struct fth_thread_clock *strand = &clocks->strands[i];
        sort_edges(strand);
        strand->at = strand->ready = 0;
        strand->scanned = 0;
        strand->first_waiter = FTH_NO_STRAND;
        fth_strand_begin_version(&clocks->store, strand, 0, fth_clock_share(clocks->nothing));
        queue(clocks, i);
    }
    for (size_t i = 0; i < clocks->hub_count; i++) {
        clocks->hubs[i].ready = 0;
        clocks->hubs[i].done = false;
        clocks->hubs[i].left = clocks->hubs[i].outputs;
    }
}

void fth_clocks_compute(struct fth_clocks *clocks,
                        void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    clocks->queue = fth_resize(clocks->queue, clocks->strand_count + 1, sizeof *clocks->queue);
    begin(clocks);
    do {
        while (clocks->queue_count) {
            uint32_t next = clocks->queue[clocks->queue_first];
            clocks->queue_first = (clocks->queue_first + 1) % clocks->strand_count;
            clocks->queue_count--;
            clocks->strands[next].queued = false;
            run(clocks, next);
        }
    } while (break_circle(clocks, cycle, context));
    for (size_t i = 0; i < clocks->strand_count; i++)
        fth_strand_keep_marked(&clocks->store, &clocks->strands[i]);
    for (size_t i = 0; i < clocks->strand_count; i++)
        fth_strand_set_landmarks(&clocks->strands[i]);
}

const struct fth_order_edge *fth_clocks_edges(struct fth_clocks *clocks, uint32_t strand,
                                              size_t *count)
{
    sort_edges(&clocks->strands[strand]);
    *count = clocks->strands[strand].edge_count;
    return clocks->strands[strand].edges;
}

size_t fth_clocks_hubs(const struct fth_clocks *clocks)
{
    return clocks->hub_count;
}

const struct fth_event *fth_clocks_hub_inputs(const struct fth_clocks *clocks, size_t hub,
                                              size_t *count, bool *chained)
{
    *count = clocks->hubs[hub].count;
    *chained = clocks->hubs[hub].chained;
    return clocks->inputs + clocks->hubs[hub].first;
}

const struct fth_vector_clock *fth_clocks_known(const struct fth_clocks *clocks,
                                                struct fth_moment b)
{
    if (b.strand >= clocks->strand_count || b.step == 0)
        return NULL;
    const struct fth_thread_clock *strand = &clocks->strands[b.strand];
    if (!strand->version_count)
        return NULL;
    const struct fth_version *version = fth_version_near(strand, b.step - 1);
    return version->start < b.step ? version->clock : NULL;
}

bool fth_clocks_before(const struct fth_clocks *clocks, struct fth_moment a, struct fth_moment b)
{
    if (a.strand == b.strand)
        return a.step <= b.step;
    if (a.strand >= clocks->strand_count)
        return false;
    const struct fth_vector_clock *known = fth_clocks_known(clocks, b);
    return known && fth_clock_known(known, a.strand) > a.step;
}

void fth_clocks_free(struct fth_clocks *clocks)
{
    if (!clocks)
        return;
    free_clocks(clocks);
    for (size_t i = 0; i < clocks->strand_count; i++) {
        free(clocks->strands[i].edges);
        free(clocks->strands[i].degrees);
        free(clocks->strands[i].marks);
        free(clocks->strands[i].versions);
        free(clocks->strands[i].landmarks);
    }
    free(clocks->strands);
    free(clocks->hubs);
    free(clocks->inputs);
    free(clocks->queue);
    free(clocks);
}
