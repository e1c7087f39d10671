/* Trains: packets that nothing stands in the way of are counted, not played through. Where a way is
 * slow in the middle, a packet of full size finds everything behind that idle and is through before
 * the next one comes; and before it all is full, so that each packet that goes on lets one follow
 * everywhere at once, and everything is as before when the next one goes on. What happens in
 * between is known beforehand. So parts of ways are given to a train:
 *
 * - an *arriving* train has what is from the entry of a flow to its end. A packet that comes to the
 *   entry goes through to the receiver;
 * - a *leaving* train has what is before the exit of all the flows that begin there. When a packet
 *   goes on at the exit, all that wait
 *   behind it follow by one place, and a new one is made.
 *
 * Where many flows share a place in the middle, a switch say, that is slower still for each of them
 * than the slow parts beside it. So trains also leave to one place behind the exit, if all waits
 * there, and arrive from one before the entry on, if packets come slowly.
 *
 * Only packets of full size from the middle of a message are moved so, nobody outside learns of
 * those. When anything else touches a component of a train, or a packet comes before the last one
 * is through, the train is *settled*: hops and components get their numbers, and what has not
 * happened yet of the last packet becomes events. As an event's place in its instant does not
 * depend on when it was asked for, all times are the same as without trains, to the nanosecond, and
 * so are the numbers of events. */
#include "sim/network/trains.h"

enum { LEAST = 2 }; /* hops of a train */

/* ---- where trains can be ---- */

static void settle_leaving(struct fth_sim_engine *engine, struct fth_sim_train *train);
static void land(struct fth_sim_engine *engine, struct fth_sim_target *target);

static void make_exit(struct fth_sim_hop *before, struct fth_sim_landing *landing)
{
    before->is_before_exit = true;
    landing->exit = before + 1;
    landing->target.happen = land;
    /* Behind a component without a latency packets arrive in the event in which they leave. */
    landing->target.order =
        before->component->speed.latency ? before[1].arrival.order : before->component->done.order;
}

/* The last place that is slower than all before it, so that what follows there is through in
 * time. */
static void plan_exit(struct fth_sim_flow *flow)
{
    int64_t longest = 0;
    for (uint32_t i = 0; i < flow->hop_count; i++) {
        const struct fth_sim_hop *hop = &flow->hops[i];
        if (i >= LEAST && hop->full > longest)
            flow->exit = i;
        int64_t length = hop->full + hop->component->speed.latency;
        longest = length > longest ? length : longest;
    }
    if (!flow->exit)
        return;
    flow->leaving.is_leaving = true;
    make_exit(&flow->hops[flow->exit - 1], &flow->landings[0]);
    if (flow->exit + 1 < flow->hop_count)
        make_exit(&flow->hops[flow->exit], &flow->landings[1]);
}

/* The first place from which the way to the end is shorter than what some component before it
 * takes. */
static void plan_entry(struct fth_sim_flow *flow)
{
    int64_t left = 0, slowest = 0;
    for (uint32_t i = 0; i < flow->hop_count; i++)
        left += flow->hops[i].full + flow->hops[i].component->speed.latency;
    for (uint32_t i = 0; i + LEAST <= flow->hop_count; i++) {
        struct fth_sim_hop *hop = &flow->hops[i];
        if (left < slowest) {
            flow->entry = i;
            flow->entry_length = left;
            hop->is_entry = true;
            hop[-1].is_entry = i > 1;
            return;
        }
        left -= hop->full + hop->component->speed.latency;
        slowest = hop->full > slowest ? hop->full : slowest;
    }
}

void fth_sim_trains_plan(struct fth_sim_flow *flow)
{
    for (uint32_t i = 0; i < flow->hop_count; i++)
        if (!flow->hops[i].full)
            return;
    flow->arriving.flow = flow->leaving.flow = flow;
    plan_exit(flow);
    plan_entry(flow);
}

/* ---- what both kinds have in common ---- */

static bool is_quiet(const struct fth_sim_component *component)
{
    return !component->serving && !component->ready && !component->refused && !component->closed &&
           !component->train;
}

static bool is_over(const struct fth_sim_engine *engine, const struct fth_sim_train *train)
{
    return engine->now > train->since + train->length;
}

/* So many packets of full size went through a hop. */
static void count(struct fth_sim_hop *hop, int64_t packets)
{
    struct fth_sim_component *component = hop->component;
    component->busy += packets * hop->full;
    component->packets += (uint64_t)packets;
    component->bytes += (uint64_t)packets * fth_sim_flow_of(hop)->full;
    hop->arrived += (uint32_t)packets;
    hop->started += (uint32_t)packets;
}

/* Events that are not played through; fewer than none: that are, after all. */
static void count_events(struct fth_sim_engine *engine, const struct fth_sim_flow *flow,
                         int64_t events)
{
    engine->events += (uint64_t)events;
    flow->hops[0].component->network->counted += (uint64_t)events;
}

/* How long a packet of full size is on its way from the begin of a component's work on it to the
 * next one. */
static uint64_t passage(const struct fth_sim_hop *hop)
{
    return (uint64_t)(hop->full + hop->component->speed.latency);
}

/* A packet that came to a hop at `time` has not come, after all. */
static void take_back(struct fth_sim_hop *hop, uint64_t time)
{
    hop->arrived--;
    hop->component->waiting--;
    hop->component->waited += time;
}

/* An event of the first round of an instant that is not past. */
static void ask(struct fth_sim_engine *engine, int64_t time, struct fth_sim_target *target)
{
    if (time > engine->now)
        fth_sim_after(engine, time - engine->now, target);
    else
        fth_sim_in_this_round(engine, target);
}

/* ---- arriving ---- */

static bool may_arrive(const struct fth_sim_flow *flow, uint32_t entry)
{
    for (uint32_t i = entry; i < flow->hop_count; i++) {
        const struct fth_sim_hop *hop = &flow->hops[i];
        if (!is_quiet(hop->component) || hop->arrived != flow->consumed ||
            hop->started != flow->consumed)
            return false;
    }
    return true;
}

/* Whether packets come slowly enough to the place before the entry: this one did. */
static bool comes_slowly(struct fth_sim_engine *engine, struct fth_sim_flow *flow, int64_t length)
{
    int64_t last = flow->came;
    flow->came = engine->now;
    return engine->now > last + length;
}

static bool begin_arriving(struct fth_sim_engine *engine, struct fth_sim_flow *flow, uint32_t entry,
                           int64_t length)
{
    struct fth_sim_train *train = &flow->arriving;
    if (flow->hops[flow->entry].component->train == train && is_over(engine, train))
        fth_sim_train_settle(engine, train);
    if (!may_arrive(flow, entry))
        return false;
    for (uint32_t i = entry; i < flow->hop_count; i++)
        flow->hops[i].component->train = train;
    train->hop = entry;
    train->length = length;
    return true;
}

bool fth_sim_train_takes(struct fth_sim_engine *engine, struct fth_sim_hop *entry)
{
    struct fth_sim_flow *flow = fth_sim_flow_of(entry);
    struct fth_sim_train *train = &flow->arriving;
    int64_t length = flow->entry_length;
    if (entry->index < flow->entry) {
        length += entry->full + entry->component->speed.latency;
        if (!comes_slowly(engine, flow, length))
            return false;
    }
    bool is_set = entry->component->train == train;
    uint32_t number = entry->arrived + (is_set ? train->packets : 0);
    if (!fth_sim_is_surely_plain(flow, number) &&
        !fth_sim_is_plain(flow, &flow->packets[number & (flow->ring - 1)]))
        return false;
    if (is_set ? train->hop != entry->index || !is_over(engine, train)
               : !begin_arriving(engine, flow, entry->index, length))
        return false;
    train->since = engine->now;
    train->packets++;
    flow->consumed = number; /* this one is not, yet */
    return true;
}

/* Its last packet is somewhere: at a component, or on the way to the next one. */
static void place_last(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    struct fth_sim_flow *flow = train->flow;
    struct fth_sim_hop *hop = &flow->hops[train->hop];
    int64_t time = train->since;
    for (;; hop++) {
        int64_t latency = hop->component->speed.latency;
        time += hop->full;
        if (!fth_sim_is_past(engine, time, hop->component->done.order)) {
            hop->component->serving = hop;
            count_events(engine, flow, -1);
            ask(engine, time, &hop->component->done);
            break;
        }
        if (hop->is_last) {
            flow->consumed++;
            return;
        }
        time += latency;
        if (latency && !fth_sim_is_past(engine, time, hop[1].arrival.order)) {
            ask(engine, time, &hop[1].arrival);
            break;
        }
    }
    if (!hop->is_last)
        hop->ahead += hop->full;
    for (; !hop->is_last; hop++) {
        count(hop + 1, -1);
        count_events(engine, flow, -2);
    }
}

static void settle_arriving(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    struct fth_sim_flow *flow = train->flow;
    for (uint32_t i = train->hop; i < flow->hop_count; i++) {
        flow->hops[i].component->train = NULL;
        count(&flow->hops[i], train->packets);
    }
    /* Two for each component, but for the arrival that was there. */
    count_events(engine, flow, (int64_t)train->packets * (2 * (flow->hop_count - train->hop) - 1));
    train->packets = 0;
    place_last(engine, train);
}

/* ---- leaving ---- */

/* Every hop waits, though nobody else is there: it has sent as much as it may, and sends one more
 * for each that the next one begins with. And nothing is on its way between them. */
static bool may_leave(struct fth_sim_engine *engine, const struct fth_sim_flow *flow, uint32_t exit,
                      const struct fth_sim_train *train)
{
    if (train && (!train->is_leaving || train->hop != exit || !is_over(engine, train)))
        return false;
    for (uint32_t i = 0; i < exit; i++) {
        const struct fth_sim_hop *hop = &flow->hops[i];
        const struct fth_sim_component *component = hop->component;
        if (train ? component->train != train : !is_quiet(component))
            return false;
        if (hop->arrived == hop->started || (i && hop->arrived != hop[-1].started))
            return false;
    }
    return true;
}

/* How long the slowest part of it takes: so long after a packet was moved all of the train is
 * idle. */
static int64_t leaving_length(const struct fth_sim_flow *flow, uint32_t exit)
{
    int64_t length = flow->hops[exit - 1].full;
    for (uint32_t i = 0; i + 1 < exit; i++) {
        int64_t time = flow->hops[i].full + flow->hops[i].component->speed.latency;
        length = time > length ? time : length;
    }
    return length;
}

static struct fth_sim_train *begin_leaving(struct fth_sim_flow *flow, uint32_t exit)
{
    flow->leaving.hop = exit;
    flow->leaving.length = leaving_length(flow, exit);
    return &flow->leaving;
}

static void ride(struct fth_sim_flow *flow, struct fth_sim_train *train)
{
    flow->ridden = train;
    flow->next_rider = train->riders;
    train->riders = flow;
    for (uint32_t i = 0; i < train->hop; i++)
        flow->hops[i].component->train = train;
}

/* The packet of the sender that takes the place of the last one moved. */
static void make_due(struct fth_sim_train *train)
{
    if (train->is_due)
        fth_sim_make_packet(train->flow);
    train->is_due = false;
}

static bool next_is_plain(const struct fth_sim_flow *flow)
{
    const struct fth_sim_message *message = flow->messages;
    return message && message->packed && !message->in_parts &&
           message->bytes - message->packed > flow->hops[0].component->network->packet;
}

/* Who waits for the place behind the exit may take the train to there instead of the one to the
 * exit. */
static void leave_shorter(struct fth_sim_engine *engine, const struct fth_sim_flow *flow,
                          const struct fth_sim_hop *before)
{
    struct fth_sim_train *shorter = flow->ridden;
    if (shorter && shorter->hop <= before->index && !before->component->serving &&
        before->arrived != before->started && is_over(engine, shorter))
        settle_leaving(engine, shorter);
}

bool fth_sim_train_moves(struct fth_sim_engine *engine, struct fth_sim_hop *before)
{
    struct fth_sim_flow *flow = fth_sim_flow_of(before);
    uint32_t exit = before->index + 1;
    if (!fth_sim_is_surely_plain(flow, before[1].started - 1))
        return false;
    leave_shorter(engine, flow, before);
    struct fth_sim_train *train = before->component->train;
    if (train && train == flow->ridden) {
        if (train->hop != exit || !is_over(engine, train))
            return false;
    } else if (may_leave(engine, flow, exit, train)) {
        train = train ? train : begin_leaving(flow, exit);
        ride(flow, train);
    } else {
        return false;
    }
    make_due(train);
    if (!next_is_plain(flow))
        return false;
    train->flow = flow;
    train->since = engine->now;
    train->round = engine->round;
    train->is_due = true;
    flow->moved++;
    fth_sim_after(engine, before->full + before->component->speed.latency,
                  &flow->landings[exit - flow->exit].target);
    return true;
}

/* A packet has come to the exit; or, where it was no train's any more before it was there, to its
 * end before it. */
static void land(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_hop *exit = ((struct fth_sim_landing *)target)->exit, *before = exit - 1;
    struct fth_sim_component *component = before->component;
    if (component->serving == before && !component->speed.latency)
        fth_sim_component_done(engine, &component->done);
    else
        fth_sim_hop_arrival(engine, &exit->arrival);
}

/* The next packet is made in the round behind that of the last move. */
static void place_next(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    struct fth_sim_target *feed = &train->flow->hops[0].arrival;
    uint32_t round = train->round + 1;
    if (train->since < engine->now || engine->round > round ||
        (engine->round == round && engine->order >= feed->order)) {
        make_due(train);
        return;
    }
    train->is_due = false;
    train->flow->feeding = true;
    take_back(&train->flow->hops[0], (uint64_t)train->since);
    count_events(engine, train->flow, -1);
    if (engine->round == round)
        fth_sim_in_this_round(engine, feed);
    else
        fth_sim_after(engine, 0, feed);
}

/* What was moved last is at its components, on the way to the next ones, or there. */
static void place_moved(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    struct fth_sim_flow *flow = train->flow;
    for (uint32_t i = 0; i < train->hop; i++) {
        struct fth_sim_hop *hop = &flow->hops[i];
        struct fth_sim_component *component = hop->component;
        int64_t time = train->since + hop->full, arrival = time + component->speed.latency;
        bool is_before_exit = i + 1 == train->hop; /* the landing stands for the arrival */
        if (!fth_sim_is_past(engine, time, component->done.order)) {
            component->serving = hop;
            count_events(engine, flow, -1);
            if (!is_before_exit || arrival > time)
                ask(engine, time, &component->done);
            hop->is_expected = is_before_exit && arrival > time;
        } else if (is_before_exit || arrival == time ||
                   fth_sim_is_past(engine, arrival, hop[1].arrival.order)) {
            continue;
        } else {
            ask(engine, arrival, &hop[1].arrival);
        }
        if (!is_before_exit) {
            take_back(&hop[1], (uint64_t)arrival);
            count_events(engine, flow, -1);
        }
    }
}

static void settle_leaving(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    const struct fth_sim_hop *hops = train->flow->hops; /* of any rider: the same components */
    for (uint32_t i = 0; i < train->hop; i++)
        hops[i].component->train = NULL;
    for (struct fth_sim_flow *flow = train->riders; flow; flow = flow->next_rider) {
        for (uint32_t i = 0; i < train->hop; i++) {
            count(&flow->hops[i], flow->moved);
            /* Places were empty until the packet behind was there. */
            if (i)
                flow->hops[i].component->waited -= flow->moved * passage(&flow->hops[i - 1]);
        }
        /* Two for each component, but for the landing, and one for the new packet. */
        count_events(engine, flow, (int64_t)flow->moved * 2 * train->hop);
        flow->moved = 0;
        flow->ridden = NULL;
    }
    train->riders = NULL;
    if (!train->is_due)
        return; /* nothing was ever moved, or all of it is past */
    place_next(engine, train);
    place_moved(engine, train);
}

void fth_sim_train_settle(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    if (train->is_leaving)
        settle_leaving(engine, train);
    else
        settle_arriving(engine, train);
}
