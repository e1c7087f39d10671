/* Vector clocks: a strand goes on until an event waits for one of another strand that was not reached yet; then that one goes on.
 *
 * A strand's clock changes only at events with edges to them, so it is kept in *versions*, each from such an event to the next one. A version is let go when
 * the strand has left it, all edges from it were followed, and none of its moments was asked for. Members of a barrier share the clock of its hub. Its own
 * strand's entry in a clock is not kept up: that is the step itself. */
#include "order/clocks.h"
#include "base/memory.h"

#include <string.h>

enum { ENDLESS_DEGREE = 255, MOST_CIRCLES = 100 };

struct clock {
    uint32_t references;
    uint32_t known[]; /* of each strand: how many of its events came before */
};

struct version {
    uint32_t start; /* step of the event that it begins with */
    uint32_t
        pending; /* edges from it that were not followed yet; of the newest one less than 0: followed */
    struct clock *clock;
};

struct strand {
    struct fth_order_edge *edges;
    size_t edge_count, edge_room;
    size_t at, ready; /* edges before `at` were followed, those before `ready` can be */
    uint8_t *degrees; /* of events: how many edges start there */
    uint32_t degree_room;
    uint64_t *marks; /* bits by step */
    uint32_t mark_room;
    struct version *versions;
    size_t version_count, version_room;
    uint32_t *
        landmarks; /* once clocks are computed: by step >> landmark_shift the version in force there, and the last one */
    unsigned landmark_shift;
    uint32_t scanned; /* degrees before this step are in versions */
    uint32_t first_waiter, next_waiter;
    bool queued;
};

struct hub {
    size_t first, count; /* its inputs */
    size_t ready;
    uint32_t outputs, left; /* edges from it, and those that were not followed yet */
    bool chained, done;
    struct clock *clock;
};

struct fth_clocks {
    size_t strand_count;
    struct strand *strands;
    struct hub *hubs;
    size_t hub_count;
    struct fth_event *inputs;
    size_t input_count, input_room;
    struct clock *idle; /* let go; the first entry of one is the next */
    struct clock *nothing;
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
    return clocks;
}

void fth_clocks_mark(struct fth_clocks *clocks, struct fth_moment moment)
{
    struct strand *strand = &clocks->strands[moment.strand];
    strand->marks =
        fth_reach(strand->marks, &strand->mark_room, moment.step / 64, sizeof *strand->marks);
    strand->marks[moment.step / 64] |= (uint64_t)1 << moment.step % 64;
}

static bool is_event(const struct fth_clocks *clocks, struct fth_event event)
{
    return event.strand < clocks->strand_count && event.step < UINT32_MAX;
}

static void add_degree(struct fth_clocks *clocks, struct fth_event from)
{
    struct strand *strand = &clocks->strands[from.strand];
    strand->degrees = fth_reach(strand->degrees, &strand->degree_room, from.step, 1);
    if (strand->degrees[from.step] < ENDLESS_DEGREE)
        strand->degrees[from.step]++;
}

static void add_edge(struct fth_clocks *clocks, struct fth_order_edge edge, uint32_t to_strand)
{
    struct strand *strand = &clocks->strands[to_strand];
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
    add_degree(clocks, from);
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
    add_degree(clocks, from);
}

void fth_clocks_out_of(struct fth_clocks *clocks, uint32_t hub, struct fth_event to)
{
    if (!is_event(clocks, to))
        return;
    clocks->hubs[hub].outputs++;
    add_edge(clocks, (struct fth_order_edge){to.step, FTH_NO_STRAND, hub}, to.strand);
}

/* ---- clocks ---- */

static size_t clock_size(const struct fth_clocks *clocks)
{
    size_t size = sizeof(struct clock) + clocks->strand_count * sizeof(uint32_t);
    return size < sizeof(struct clock) + sizeof(void *) ? sizeof(struct clock) + sizeof(void *)
                                                        : size;
}

static struct clock *new_clock(struct fth_clocks *clocks, const struct clock *like)
{
    struct clock *made = clocks->idle;
    if (made)
        memcpy(&clocks->idle, made->known, sizeof clocks->idle);
    else
        made = fth_resize(NULL, 1, clock_size(clocks));
    made->references = 1;
    memcpy(made->known, like->known, clocks->strand_count * sizeof(uint32_t));
    return made;
}

static void let_go(struct fth_clocks *clocks, struct clock *clock)
{
    if (!clock || --clock->references)
        return;
    memcpy(clock->known, &clocks->idle, sizeof clocks->idle);
    clocks->idle = clock;
}

static struct clock *share(struct clock *clock)
{
    clock->references++;
    return clock;
}

static void join(struct fth_clocks *clocks, struct clock *to, const struct clock *from)
{
    for (size_t i = 0; i < clocks->strand_count; i++)
        to->known[i] = to->known[i] > from->known[i] ? to->known[i] : from->known[i];
}

/* Does `clock` know all that `other` knows, but for what it knows of `own`? */
static bool covers(const struct fth_clocks *clocks, const struct clock *clock,
                   const struct clock *other, uint32_t own)
{
    uint32_t more = 0;
    for (size_t i = 0; i < own; i++)
        more |= other->known[i] > clock->known[i];
    for (size_t i = (size_t)own + 1; i < clocks->strand_count; i++)
        more |= other->known[i] > clock->known[i];
    return !more;
}

/* ---- versions ---- */

/* Of those from place `low` on, before place `high`, the one in force right behind event `step`: the first one, or the last that has begun. */
static struct version *version_among(const struct strand *strand, size_t low, size_t high,
                                     uint32_t step)
{
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (strand->versions[middle].start <= step)
            low = middle;
        else
            high = middle;
    }
    return &strand->versions[low];
}

static struct version *version_at(const struct strand *strand, uint32_t step)
{
    return version_among(strand, 0, strand->version_count, step);
}

static bool has_mark(const struct strand *strand, uint32_t from, uint32_t to)
{
    uint64_t limit = (uint64_t)strand->mark_room * 64;
    for (uint64_t step = from; step <= to && step < limit; step++) {
        uint64_t word = strand->marks[step / 64] >> step % 64;
        if (!word)
            step |= 63;
        else
            return step + (uint64_t)__builtin_ctzll(word) <= to;
    }
    return false;
}

/* A version that the strand has left, and that nobody waits for. */
static void drop_version(struct fth_clocks *clocks, struct strand *strand, struct version *version)
{
    bool is_last = version + 1 == strand->versions + strand->version_count;
    uint32_t last_moment = is_last ? UINT32_MAX : version[1].start;
    if (version->clock && !has_mark(strand, version->start + 1, last_moment)) {
        let_go(clocks, version->clock);
        version->clock = NULL;
    }
}

/* Its newest version is over at event `step`: what is still to come of edges from it. */
static void close_version(struct strand *strand, uint32_t step)
{
    struct version *version = &strand->versions[strand->version_count - 1];
    uint32_t edges = 0;
    for (; strand->scanned < step && strand->scanned < strand->degree_room; strand->scanned++) {
        uint8_t degree = strand->degrees[strand->scanned];
        edges = degree == ENDLESS_DEGREE || edges > UINT32_MAX / 2 ? UINT32_MAX / 2 + ENDLESS_DEGREE
                                                                   : edges + degree;
    }
    version->pending += edges;
}

static void begin_version(struct fth_clocks *clocks, struct strand *strand, uint32_t step,
                          struct clock *clock)
{
    if (strand->version_count == strand->version_room) {
        strand->version_room = strand->version_room ? strand->version_room * 3 / 2 + 1 : 8;
        strand->versions =
            fth_resize(strand->versions, strand->version_room, sizeof *strand->versions);
    }
    strand->versions[strand->version_count++] = (struct version){step, 0, clock};
    if (strand->version_count > 1 && strand->versions[strand->version_count - 2].pending == 0)
        drop_version(clocks, strand, &strand->versions[strand->version_count - 2]);
}

/* An edge from this event was followed, or never will be. */
static void edge_is_over(struct fth_clocks *clocks, struct fth_event from)
{
    struct strand *strand = &clocks->strands[from.strand];
    struct version *version = version_at(strand, from.step);
    version->pending--;
    if (version + 1 < strand->versions + strand->version_count && version->pending == 0)
        drop_version(clocks, strand, version);
}

/* ---- going on ---- */

static bool is_left_out(const struct fth_order_edge *edge)
{
    return edge->from == FTH_NO_STRAND && edge->step == UINT32_MAX;
}

/* Events before this step were reached. */
static uint32_t reached(const struct strand *strand)
{
    return strand->at < strand->edge_count ? strand->edges[strand->at].to : UINT32_MAX;
}

/* What `clock` knows, and what was known right behind an event of another strand. Whoever knows of an event knows all that came before it. */
static void learn(struct fth_clocks *clocks, struct clock *clock, struct fth_event from)
{
    const struct strand *strand = &clocks->strands[from.strand];
    if (clock->known[from.strand] > from.step)
        return;
    join(clocks, clock, version_at(strand, from.step)->clock);
    clock->known[from.strand] = from.step + 1;
}

/* An edge from it was followed. */
static void leave_hub(struct fth_clocks *clocks, struct hub *hub)
{
    if (--hub->left == 0) {
        let_go(clocks, hub->clock);
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
        hub->clock = new_clock(clocks, hub[-1].clock);
        leave_hub(clocks, &hub[-1]);
    } else {
        hub->clock = new_clock(clocks, clocks->nothing);
    }
    const struct clock *before = NULL;
    for (size_t i = 0; i < hub->count; i++) {
        struct fth_event from = clocks->inputs[hub->first + i];
        const struct clock *clock = version_at(&clocks->strands[from.strand], from.step)->clock;
        if (clock != before)
            join(clocks, hub->clock, clock);
        before = clock;
        if (hub->clock->known[from.strand] <= from.step)
            hub->clock->known[from.strand] = from.step + 1;
    }
    for (size_t i = 0; i < hub->count; i++)
        edge_is_over(clocks, clocks->inputs[hub->first + i]);
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
    struct strand *strand = &clocks->strands[own];
    const struct fth_order_edge *first = &strand->edges[strand->at];
    uint32_t step = first->to;
    struct clock *before = strand->versions[strand->version_count - 1].clock;
    struct hub *only = end - strand->at == 1 && first->from == FTH_NO_STRAND && !is_left_out(first)
                           ? &clocks->hubs[first->step]
                           : NULL;
    bool as_the_hub = only && covers(clocks, only->clock, before, own);
    struct clock *now = as_the_hub ? share(only->clock) : new_clock(clocks, before);
    for (size_t i = strand->at; i < end; i++) {
        const struct fth_order_edge *edge = &strand->edges[i];
        if (is_left_out(edge))
            continue;
        if (edge->from != FTH_NO_STRAND) {
            learn(clocks, now, (struct fth_event){edge->from, edge->step});
            edge_is_over(clocks, (struct fth_event){edge->from, edge->step});
            continue;
        }
        struct hub *hub = &clocks->hubs[edge->step];
        if (!as_the_hub)
            join(clocks, now, hub->clock);
        leave_hub(clocks, hub);
    }
    close_version(strand, step);
    begin_version(clocks, strand, step, now);
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

static void wake_waiters(struct fth_clocks *clocks, struct strand *strand)
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
    struct strand *strand = &clocks->strands[number];
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
    struct strand *strand = &clocks->strands[number];
    struct fth_order_edge *edge = &strand->edges[strand->ready];
    if (edge->from == FTH_NO_STRAND) {
        clocks->hubs[edge->step].outputs--;
        clocks->hubs[edge->step].left--;
    } else if (clocks->strands[edge->from].degrees[edge->step] < ENDLESS_DEGREE) {
        clocks->strands[edge->from].degrees[edge->step]--;
    }
    if (cycle)
        cycle(context, (struct fth_event){number, edge->to});
    *edge = (struct fth_order_edge){edge->to, FTH_NO_STRAND, UINT32_MAX};
}

/* Nobody can go on: the first who waits does so no longer; when that has happened too often, nobody does. Returns false when nobody waits. */
static bool break_circle(struct fth_clocks *clocks,
                         void (*cycle)(void *context, struct fth_event waiting), void *context)
{
    bool one = clocks->circles < MOST_CIRCLES, any = false;
    for (uint32_t i = 0; i < clocks->strand_count; i++) {
        struct strand *strand = &clocks->strands[i];
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

static void sort_edges(struct strand *strand)
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
        struct strand *strand = &clocks->strands[i];
        for (size_t k = 0; k < strand->version_count; k++)
            let_go(clocks, strand->versions[k].clock);
        strand->version_count = 0;
    }
    for (size_t i = 0; i < clocks->hub_count; i++) {
        let_go(clocks, clocks->hubs[i].clock);
        clocks->hubs[i].clock = NULL;
    }
    let_go(clocks, clocks->nothing);
    clocks->nothing = NULL;
    while (clocks->idle) {
        struct clock *idle = clocks->idle;
        memcpy(&clocks->idle, idle->known, sizeof clocks->idle);
        free(idle);
    }
}

static void begin(struct fth_clocks *clocks)
{
    free_clocks(clocks);
    clocks->nothing = fth_new(1, clock_size(clocks));
    clocks->nothing->references = 1;
    clocks->circles = 0;
    for (uint32_t i = 0; i < clocks->strand_count; i++) {
        struct strand *strand = &clocks->strands[i];
        sort_edges(strand);
        strand->at = strand->ready = 0;
        strand->scanned = 0;
        strand->first_waiter = FTH_NO_STRAND;
        begin_version(clocks, strand, 0, share(clocks->nothing));
        queue(clocks, i);
    }
    for (size_t i = 0; i < clocks->hub_count; i++) {
        clocks->hubs[i].ready = 0;
        clocks->hubs[i].done = false;
        clocks->hubs[i].left = clocks->hubs[i].outputs;
    }
}

/* What is kept of a strand when nobody waits for anything any more. */
static void keep_marked(struct fth_clocks *clocks, struct strand *strand)
{
    close_version(strand, UINT32_MAX);
    size_t kept = 0;
    for (size_t i = 0; i < strand->version_count; i++)
        drop_version(clocks, strand, &strand->versions[i]);
    for (size_t i = 0; i < strand->version_count; i++)
        if (strand->versions[i].clock)
            strand->versions[kept++] = strand->versions[i];
    strand->version_count = kept;
    strand->version_room = kept;
    strand->versions = fth_resize(strand->versions, kept + !kept, sizeof *strand->versions);
}

/* About one landmark for each version, so that few are looked at to find one. */
static void set_landmarks(struct strand *strand)
{
    size_t count = strand->version_count, at = 0;
    if (!count)
        return;
    uint32_t last = strand->versions[count - 1].start;
    while (last >> strand->landmark_shift > count)
        strand->landmark_shift++;
    size_t limit = (last >> strand->landmark_shift) + 1;
    strand->landmarks = fth_new(limit + 1, sizeof *strand->landmarks);
    for (size_t i = 0; i < limit; i++) {
        while (at + 1 < count && strand->versions[at + 1].start <= i << strand->landmark_shift)
            at++;
        strand->landmarks[i] = (uint32_t)at;
    }
    strand->landmarks[limit] = (uint32_t)count - 1;
}

/* As version_at, of clocks that are computed. */
static const struct version *version_near(const struct strand *strand, uint32_t step)
{
    const struct version *last = &strand->versions[strand->version_count - 1];
    if (step >= last->start)
        return last;
    const uint32_t *landmark = &strand->landmarks[step >> strand->landmark_shift];
    return version_among(strand, landmark[0], (size_t)landmark[1] + 1, step);
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
        keep_marked(clocks, &clocks->strands[i]);
    for (size_t i = 0; i < clocks->strand_count; i++)
        set_landmarks(&clocks->strands[i]);
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

bool fth_clocks_before(const struct fth_clocks *clocks, struct fth_moment a, struct fth_moment b)
{
    if (a.strand == b.strand)
        return a.step <= b.step;
    if (a.strand >= clocks->strand_count || b.strand >= clocks->strand_count || b.step == 0)
        return false;
    const struct strand *strand = &clocks->strands[b.strand];
    if (!strand->version_count)
        return false;
    const struct version *version = version_near(strand, b.step - 1);
    return version->start < b.step && version->clock->known[a.strand] > a.step;
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
