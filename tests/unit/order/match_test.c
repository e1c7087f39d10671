/* Matching of messages and collectives against runs that are played through: random programs of a
 * few ranks, whose messages are really delivered by a small model of MPI, and a transitive closure
 * over all events. Beside the world there are parts of it, a graph of random edges, and an
 * intercommunicator of two parts. */
#include "../shortest.h"
#include "base/memory.h"
#include "order/match/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_RANKS = 5,
    MOST_EVENTS = 200,
    MOST_ACTIONS = 80,
    WORLD = 0,
    PART = 1, /* ranks with the same colour, by key */
    GRAPH = 2,
    BETWEEN = 3, /* those of one colour and those of the other */
    COMMUNICATORS = 4,
    MOST_EDGES = 12,
    MOST_STEPS = 60,
    PROGRAMS = 3000
};

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* Something that begins at one event, and ends at another. */
struct action {
    enum fth_order_operation_kind kind;
    int rank, communicator;
    int peer, tag; /* world rank, or -1: any */
    bool both, ended, probe;
    int partner;    /* of messages; -1: none yet */
    int turn;       /* of collectives, on its communicator */
    int begin, end; /* events */
    uint32_t operation;
};

struct run {
    int ranks;
    int event_count, steps[MOST_RANKS], event_rank[MOST_EVENTS], event_step[MOST_EVENTS];
    bool before[MOST_EVENTS][MOST_EVENTS];
    struct action actions[MOST_ACTIONS];
    int action_count;
    int colour[MOST_RANKS], key[MOST_RANKS], place[MOST_RANKS];
    bool has_between; /* there are two colours */
    /* of the graph, by rank: those that it hears of, in the order of their numbers */
    int64_t sources[MOST_RANKS][MOST_EDGES];
    int source_count[MOST_RANKS];
    /* collectives by communicator (parts have two) and turn */
    struct {
        enum fth_order_rule rule;
        int root;
    } turns[COMMUNICATORS + 1][MOST_ACTIONS];
    int entered[MOST_RANKS][COMMUNICATORS];
    struct fth_order_operations operations[MOST_RANKS];
    struct fth_clocks *clocks;
    unsigned findings;
};

static struct run run;

/* ---- events ---- */

static int add_event(int rank)
{
    int event = run.event_count++;
    run.event_rank[event] = rank;
    run.event_step[event] = run.steps[rank]++;
    memset(run.before[event], 0, sizeof run.before[event]);
    for (int i = 0; i < event; i++)
        run.before[i][event] = run.event_rank[i] == rank;
    return event;
}

static struct fth_event event_of(int event)
{
    return (struct fth_event){(uint32_t)run.event_rank[event], (uint32_t)run.event_step[event]};
}

/* Do both have the communicator? */
static bool share(int one, int other, int communicator)
{
    return communicator == BETWEEN ? run.has_between
           : communicator == PART  ? run.colour[one] == run.colour[other]
                                   : true;
}

/* And can one of them send to the other one? */
static bool together(int one, int other, int communicator)
{
    return share(one, other, communicator) &&
           (communicator != BETWEEN || run.colour[one] != run.colour[other]);
}

static int rank_in(int rank, int communicator)
{
    return communicator == PART || communicator == BETWEEN ? run.place[rank] : rank;
}

static int draw_communicator(void)
{
    return (int)draw(run.has_between ? COMMUNICATORS : BETWEEN);
}

static struct action *begin(enum fth_order_operation_kind kind, int rank, int communicator)
{
    struct action *made = &run.actions[run.action_count++];
    *made = (struct action){
        .kind = kind, .rank = rank, .communicator = communicator, .partner = -1, .end = -1};
    made->begin = add_event(rank);
    struct fth_order_operation operation = {.begin = event_of(made->begin),
                                            .end = {FTH_NO_TIMELINE, 0},
                                            .member = (uint32_t)communicator,
                                            .kind = (uint8_t)kind,
                                            .flags = FTH_SYNC_GIVES | FTH_SYNC_GETS};
    made->operation = fth_order_operations_add(&run.operations[rank], operation);
    return made;
}

static struct fth_order_operation *operation_of(const struct action *action)
{
    return &run.operations[action->rank].operations[action->operation];
}

/* When all of them are there. */
static struct fth_order_operation packed_operation_of(const struct action *action)
{
    return fth_order_operation(&run.operations[action->rank], action->operation);
}

static void end(struct action *action)
{
    action->ended = true;
    action->end = add_event(action->rank);
    operation_of(action)->end = event_of(action->end);
    operation_of(action)->flags |= FTH_SYNC_COMPLETED;
}

/* ---- messages, delivered as MPI does ---- */

static bool fits(const struct action *send, const struct action *receive)
{
    return send->communicator == receive->communicator && send->peer == receive->rank &&
           together(send->rank, receive->rank, send->communicator) &&
           (receive->peer < 0 || receive->peer == send->rank) &&
           (receive->tag < 0 || receive->tag == send->tag);
}

static void send_to(int rank, int to, int communicator, int tag)
{
    if (!together(rank, to, communicator))
        return;
    struct action *sent = begin(FTH_SYNC_SEND, rank, communicator);
    sent->peer = to;
    sent->tag = tag;
    sent->both = draw(3) == 0;
    operation_of(sent)->peer = rank_in(to, communicator);
    operation_of(sent)->tag = sent->tag;
    operation_of(sent)->flags |= sent->both ? FTH_SYNC_BOTH : 0;
    for (int i = 0; i < run.action_count; i++) {
        struct action *receive = &run.actions[i];
        if (receive->kind != FTH_SYNC_RECEIVE || receive->partner >= 0 || !fits(sent, receive))
            continue;
        receive->partner = run.action_count - 1;
        sent->partner = i;
        return;
    }
}

static void send_something(int rank)
{
    int communicator = draw_communicator(), to = (int)draw((uint32_t)run.ranks);
    send_to(rank, to, communicator, (int)draw(2));
}

/* All receives get something in the end. */
static void send_what_is_waited_for(void)
{
    for (int i = 0; i < run.action_count && run.action_count < MOST_ACTIONS; i++) {
        const struct action *waiting = &run.actions[i];
        if (waiting->kind == FTH_SYNC_RECEIVE && waiting->partner < 0) {
            int from = waiting->peer < 0 ? waiting->rank : waiting->peer;
            for (int k = 0; !together(from, waiting->rank, waiting->communicator); k++)
                from = k;
            send_to(from, waiting->rank, waiting->communicator,
                    waiting->tag < 0 ? 1 : waiting->tag);
            i = -1;
        }
    }
}

static void receive_something(int rank)
{
    int communicator = draw_communicator(), from = (int)draw((uint32_t)run.ranks);
    if (!together(rank, from, communicator))
        return;
    bool probes = draw(4) == 0;
    struct action wanted = {.rank = rank,
                            .communicator = communicator,
                            .peer = draw(3) ? from : -1,
                            .tag = draw(3) ? (int)draw(2) : -1};
    int found = -1;
    for (int i = 0; i < run.action_count && found < 0; i++)
        if (run.actions[i].kind == FTH_SYNC_SEND && run.actions[i].partner < 0 &&
            fits(&run.actions[i], &wanted))
            found = i;
    if (probes && found < 0)
        return;
    struct action *made = begin(probes ? FTH_SYNC_PROBE : FTH_SYNC_RECEIVE, rank, communicator);
    made->peer = wanted.peer;
    made->tag = wanted.tag;
    made->partner = found;
    if (found >= 0 && !probes)
        run.actions[found].partner = run.action_count - 1;
}

/* ---- collectives ---- */

/* Of a collective of all: from whom it gets something, or who of all does. */
static void count(struct fth_order_operation *operation, int rank, int members, bool of_members,
                  uint32_t some)
{
    struct fth_order_counts counts = {fth_new(1, sizeof *counts.some), (uint32_t)members,
                                      of_members};
    *counts.some = some;
    operation->flags = FTH_SYNC_GIVES | FTH_SYNC_GETS | FTH_SYNC_COUNTS;
    operation->peer = (int32_t)fth_order_operations_add_counts(&run.operations[rank], counts);
}

/* The root of an intercommunicator is a rank of the first side if the number is even; what each
 * member says of it. */
static int32_t root_between(int rank, int root)
{
    int side = root % 2, places = 0;
    for (int i = 0; i < run.ranks; i++)
        places += run.colour[i] == side;
    int place = root / 2 % places;
    if (run.colour[rank] != side)
        return place;
    return run.place[rank] == place ? FTH_PEER_ROOT : FTH_PEER_NOBODY;
}

/* Of a collective with neighbours: from which of them it gets something. */
static void count_neighbours(struct fth_order_operation *operation, int rank)
{
    if (run.source_count[rank] && draw(2))
        count(operation, rank, run.source_count[rank], false, draw(1u << run.source_count[rank]));
}

static void collect(int rank)
{
    int communicator = draw_communicator();
    struct action *made = begin(FTH_SYNC_COLLECTIVE, rank, communicator);
    made->turn = run.entered[rank][communicator]++;
    int group = communicator == PART && run.colour[rank] ? COMMUNICATORS : communicator;
    enum fth_order_rule rule = run.turns[group][made->turn].rule;
    int members = 0, root = run.turns[group][made->turn].root;
    for (int i = 0; i < run.ranks; i++)
        members += share(rank, i, communicator);
    struct fth_order_operation *operation = operation_of(made);
    operation->peer = communicator == BETWEEN ? root_between(rank, root) : root % members;
    operation->tag = (int32_t)rule;
    operation->function = (uint16_t)rule;
    if (draw(4) == 0)
        operation->flags = (uint8_t)(draw(2) ? FTH_SYNC_GIVES : draw(2) ? FTH_SYNC_GETS : 0);
    if (rule == FTH_RULE_ALL && root % 2 && communicator != BETWEEN)
        count(operation, rank, members, root % 4 == 3, draw(1 << members));
    if (rule == FTH_RULE_NEIGHBOURS)
        count_neighbours(operation, rank);
    fth_order_operations_chain(&run.operations[rank], made->operation);
}

static bool hears_of(const struct action *one, const struct action *other)
{
    struct fth_order_operation mine = packed_operation_of(one);
    const struct fth_order_counts *counts =
        mine.flags & FTH_SYNC_COUNTS ? &run.operations[one->rank].mpi.counts[mine.peer] : NULL;
    for (int i = 0; i < run.source_count[one->rank]; i++)
        if (run.sources[one->rank][i] == other->rank && (!counts || *counts->some >> i & 1))
            return true;
    return false;
}

static bool waits_between(const struct action *one, const struct action *other)
{
    struct fth_order_operation mine = packed_operation_of(one), others = packed_operation_of(other);
    bool gets = mine.flags & FTH_SYNC_GETS, gives = others.flags & FTH_SYNC_GIVES;
    enum fth_order_rule rule = (enum fth_order_rule)mine.tag;
    return run.colour[one->rank] != run.colour[other->rank] &&
           (rule == FTH_RULE_BARRIER || (rule == FTH_RULE_ALL && gets && gives) ||
            (rule == FTH_RULE_FROM_ROOT && gets && others.peer == FTH_PEER_ROOT) ||
            (rule == FTH_RULE_TO_ROOT && gives && mine.peer == FTH_PEER_ROOT));
}

static bool waits_for(const struct action *one, const struct action *other)
{
    struct fth_order_operation mine = packed_operation_of(one), others = packed_operation_of(other);
    enum fth_order_rule rule = (enum fth_order_rule)mine.tag;
    int place = rank_in(one->rank, one->communicator),
        other_place = rank_in(other->rank, other->communicator);
    bool data = (mine.flags & FTH_SYNC_GETS) && (others.flags & FTH_SYNC_GIVES);
    if (one->communicator == BETWEEN)
        return waits_between(one, other);
    if (rule == FTH_RULE_NEIGHBOURS)
        return data && hears_of(one, other);
    if (mine.flags & FTH_SYNC_COUNTS) {
        const struct fth_order_counts *counts = &run.operations[one->rank].mpi.counts[mine.peer];
        return *counts->some >> (counts->of_members ? place : other_place) & 1;
    }
    return rule == FTH_RULE_BARRIER     ? true
           : rule == FTH_RULE_ALL       ? data
           : rule == FTH_RULE_FROM_ROOT ? (mine.flags & FTH_SYNC_GETS) && other_place == mine.peer
           : rule == FTH_RULE_TO_ROOT   ? (others.flags & FTH_SYNC_GIVES) && place == mine.peer
           : rule == FTH_RULE_UPWARDS   ? data && other_place < place
                                        : false;
}

/* May it end now? Then all that it waits for came before. */
static bool end_collective(struct action *action)
{
    int others[MOST_RANKS], count = 0, members = 0;
    for (int i = 0; i < run.ranks; i++)
        members += share(action->rank, i, action->communicator);
    for (int i = 0; i < run.action_count; i++) {
        const struct action *other = &run.actions[i];
        if (other->kind == FTH_SYNC_COLLECTIVE && other->turn == action->turn &&
            other->communicator == action->communicator &&
            share(action->rank, other->rank, action->communicator))
            others[count++] = i;
    }
    if (count < members)
        /* of those that have not come nobody knows whether they will give something */
        return false;
    end(action);
    for (int i = 0; i < count; i++)
        if (&run.actions[others[i]] != action && waits_for(action, &run.actions[others[i]]))
            run.before[run.actions[others[i]].begin][action->end] = true;
    return true;
}

static void end_something(int number)
{
    struct action *action = &run.actions[number];
    if (action->ended)
        return;
    if (action->kind == FTH_SYNC_COLLECTIVE) {
        end_collective(action);
        return;
    }
    const struct action *partner = action->partner >= 0 ? &run.actions[action->partner] : NULL;
    if (action->kind == FTH_SYNC_SEND) {
        if (action->both && !partner)
            return;
        end(action);
        if (action->both)
            run.before[partner->begin][action->end] = true;
        return;
    }
    if (!partner)
        return;
    end(action);
    run.before[partner->begin][action->end] = true;
    operation_of(action)->peer = rank_in(partner->rank, action->communicator);
    operation_of(action)->tag = partner->tag;
}

/* ---- a run ---- */

/* A call on communicator `on` that makes another one. */
static struct fth_order_creation *make(int rank, int on, enum fth_creation_form form)
{
    struct fth_order_operations *operations = &run.operations[rank];
    struct fth_order_operation call = {.begin = event_of(add_event(rank)),
                                       .end = {FTH_NO_TIMELINE, 0},
                                       .member = (uint32_t)on,
                                       .kind = FTH_SYNC_COLLECTIVE,
                                       .flags = FTH_SYNC_MAKES,
                                       .function = (uint16_t)(UINT16_MAX - form)};
    uint32_t operation = fth_order_operations_add(operations, call);
    fth_order_operations_chain(operations, operation);
    FTH_GROW(operations->mpi.creations, operations->mpi.creation_count);
    operations->mpi.creations[operations->mpi.creation_count] = (struct fth_order_creation){
        .operation = operation,
        .made = fth_order_operations_add_member(operations, FTH_MEMBER_MADE, NULL),
        .form = form};
    return &operations->mpi.creations[operations->mpi.creation_count++];
}

static void add_to(struct fth_order_list *list, int64_t number)
{
    FTH_GROW(list->all, list->count);
    list->all[list->count++] = number;
    list->whole = true;
}

static void make_graph(int rank)
{
    struct fth_order_creation *creation = make(rank, WORLD, FTH_MAKES_GRAPH);
    struct fth_topology *topology = fth_order_operations_add_topology(&run.operations[rank]);
    topology->graph = fth_new(1, sizeof *topology->graph);
    topology->graph->form = FTH_GRAPH_OF_EDGES;
    topology->graph->from.whole = topology->graph->degrees.whole = topology->graph->to.whole = true;
    run.operations[rank].mpi.members[creation->made].topology = topology;
}

/* Each edge is reported by anybody. */
static void add_edges(void)
{
    for (uint32_t i = draw(MOST_EDGES); i > 0; i--) {
        int from = (int)draw((uint32_t)run.ranks), to = (int)draw((uint32_t)run.ranks);
        struct fth_order_operations *operations = &run.operations[draw((uint32_t)run.ranks)];
        struct fth_reported_graph *graph = operations->mpi.members[GRAPH].topology->graph;
        add_to(&graph->from, from);
        add_to(&graph->degrees, 1);
        add_to(&graph->to, to);
        run.sources[to][run.source_count[to]++] = from;
    }
    for (int rank = 0; rank < run.ranks; rank++) {
        struct fth_reported_graph *graph = run.operations[rank].mpi.members[GRAPH].topology->graph;
        for (int i = run.source_count[rank]; i > 1; i--) { /* the library's order is any */
            int other = (int)draw((uint32_t)i);
            int64_t last = run.sources[rank][i - 1];
            run.sources[rank][i - 1] = run.sources[rank][other];
            run.sources[rank][other] = last;
        }
        for (int i = 0; i < run.source_count[rank]; i++)
            add_to(&graph->asked, run.sources[rank][i]);
    }
}

/* The first of each part are the leaders. */
static void make_between(int rank)
{
    struct fth_order_creation *creation = make(rank, PART, FTH_MAKES_INTER);
    creation->tag = 5;
    for (int i = 0; i < run.ranks; i++)
        if (run.colour[i] != run.colour[rank] && run.place[i] == 0)
            creation->key = i;
}

static void make_communicators(int rank)
{
    run.operations[rank] = (struct fth_order_operations){.first_timeline = (uint32_t)rank,
                                                         .timeline_count = 1,
                                                         .mpi.world = 0,
                                                         .mpi.rank = (uint32_t)rank};
    fth_order_operations_add_member(&run.operations[rank], FTH_MEMBER_WORLD, NULL);
    struct fth_order_creation *split = make(rank, WORLD, FTH_MAKES_SPLIT);
    split->colour = run.colour[rank];
    split->key = run.key[rank];
    make_graph(rank);
    if (run.has_between)
        make_between(rank);
}

static void choose(void)
{
    for (int i = 0; i < run.ranks; i++) {
        run.colour[i] = (int)draw(2);
        run.key[i] = (int)draw(3);
    }
    for (int i = 0; i < run.ranks; i++)
        for (int k = 0; k < run.ranks; k++)
            run.place[i] += run.colour[k] == run.colour[i] &&
                            (run.key[k] < run.key[i] || (run.key[k] == run.key[i] && k < i));
    for (int i = 1; i < run.ranks; i++)
        run.has_between |= run.colour[i] != run.colour[0];
    static const enum fth_order_rule rules[] = {
        FTH_RULE_NONE,    FTH_RULE_BARRIER, FTH_RULE_ALL,       FTH_RULE_FROM_ROOT,
        FTH_RULE_TO_ROOT, FTH_RULE_UPWARDS, FTH_RULE_NEIGHBOURS};
    for (int group = 0; group <= COMMUNICATORS; group++)
        for (int turn = 0; turn < MOST_ACTIONS; turn++) {
            /* two sides have no order of ranks, and only the graph has neighbours */
            uint32_t choices = group == GRAPH ? 7 : group == BETWEEN ? 5 : 6;
            run.turns[group][turn].rule = rules[draw(choices)];
            run.turns[group][turn].root = (int)draw(2 * MOST_RANKS);
        }
}

static void play(uint32_t most)
{
    memset(&run, 0, sizeof run);
    run.ranks = 2 + (int)draw(MOST_RANKS - 1);
    choose();
    for (int i = 0; i < run.ranks; i++)
        make_communicators(i);
    add_edges();
    uint32_t length = 10 + draw(50);
    for (uint32_t i = 0; i < length && i < most; i++) {
        int rank = (int)draw((uint32_t)run.ranks);
        uint32_t what = draw(8);
        if (what < 2)
            send_something(rank);
        else if (what < 4)
            receive_something(rank);
        else if (what == 4)
            collect(rank);
        else if (run.action_count)
            end_something((int)draw((uint32_t)run.action_count));
    }
    if (draw(8))
        send_what_is_waited_for();
    for (int i = 0; i < run.action_count; i++)
        end_something(i);
}

static void close_transitively(void)
{
    for (int middle = 0; middle < run.event_count; middle++)
        for (int from = 0; from < run.event_count; from++)
            for (int to = 0; run.before[from][middle] && to < run.event_count; to++)
                run.before[from][to] |= run.before[middle][to];
}

/* A receive that took anything and was never found complete may be the one that took a message: all
 * behind it is not known. Such runs are not compared. */
static bool is_doubtful(void)
{
    for (int i = 0; i < run.action_count; i++)
        if (run.actions[i].kind == FTH_SYNC_RECEIVE && !run.actions[i].ended &&
            (run.actions[i].peer < 0 || run.actions[i].tag < 0))
            return true;
    return false;
}

static void find_nothing_bad(void *context, enum fth_order_finding_kind kind, size_t proc,
                             const struct fth_order_operation *operation, const char *why)
{
    (void)context, (void)proc, (void)operation, (void)why;
    assert_int_not_equal(kind, FTH_ORDER_MISMATCHED_COLLECTIVE);
    assert_int_not_equal(kind, FTH_ORDER_UNKNOWN_COMMUNICATOR);
    assert_int_not_equal(kind, FTH_ORDER_CYCLE);
    run.findings++;
}

static bool is_before(int from, int to)
{
    struct fth_event one = event_of(from), other = event_of(to);
    return fth_clocks_before(run.clocks, (struct fth_moment){one.timeline, one.step},
                             (struct fth_moment){other.timeline, other.step + 1});
}

/* Two events of which something else is said, or {-1, -1}. */
static struct {
    int from, to;
} differs;

static bool is_as_played(void)
{
    for (int from = 0; from < run.event_count; from++) {
        for (int to = 0; to < run.event_count; to++) {
            if (run.event_rank[from] == run.event_rank[to] ||
                is_before(from, to) == run.before[from][to])
                continue;
            differs.from = from;
            differs.to = to;
            return false;
        }
    }
    return true;
}

/* Receives that were posted, and never ended, have what they asked for. */
static void report_what_was_asked(void)
{
    for (int i = 0; i < run.action_count; i++) {
        struct action *action = &run.actions[i];
        if (action->kind != FTH_SYNC_RECEIVE || action->ended)
            continue;
        operation_of(action)->peer =
            action->peer < 0 ? FTH_PEER_ANY : rank_in(action->peer, action->communicator);
        operation_of(action)->tag = action->tag < 0 ? FTH_TAG_ANY : action->tag;
    }
}

static void match_run(bool packed)
{
    run.clocks = fth_clocks_new((size_t)run.ranks);
    for (int i = 0; i < run.event_count; i++)
        fth_clocks_mark(run.clocks,
                        (struct fth_moment){event_of(i).timeline, event_of(i).step + 1});
    for (int i = 0; i < run.ranks && packed; i++)
        fth_order_operations_pack(&run.operations[i]);
    struct fth_matching matching = {.processes = run.operations,
                                    .process_count = (size_t)run.ranks,
                                    .clocks = run.clocks,
                                    .find = find_nothing_bad};
    fth_match_groups(&matching);
    fth_match_messages(&matching);
    fth_clocks_compute(run.clocks, NULL, NULL);
    close_transitively();
    fth_match_free(&matching);
}

static void end_run(void)
{
    fth_clocks_free(run.clocks);
    for (int i = 0; i < run.ranks; i++)
        fth_order_operations_free(&run.operations[i]);
}

static bool agrees(uint32_t seed, uint32_t steps)
{
    state = seed * 2654435761u;
    play(steps);
    report_what_was_asked();
    match_run(seed % 2);
    bool holds = is_doubtful() || is_as_played();
    end_run();
    return holds;
}

static void print_run(void)
{
    static const char *const communicators[] = {"the world", "a part", "the graph",
                                                "the two parts"};
    static const char *const rules[] = {
        [FTH_RULE_NONE] = "nothing",          [FTH_RULE_BARRIER] = "a barrier",
        [FTH_RULE_ALL] = "all of all",        [FTH_RULE_FROM_ROOT] = "from a root",
        [FTH_RULE_TO_ROOT] = "to a root",     [FTH_RULE_UPWARDS] = "upwards",
        [FTH_RULE_NEIGHBOURS] = "neighbours",
    };
    for (int rank = 0; rank < run.ranks; rank++)
        print_error("  rank %d: colour %d, key %d\n", rank, run.colour[rank], run.key[rank]);
    for (int i = 0; i < run.action_count; i++) {
        const struct action *action = &run.actions[i];
        print_error("  event %d: rank %d in %s ", action->begin, action->rank,
                    communicators[action->communicator]);
        if (action->kind == FTH_SYNC_COLLECTIVE) {
            int group = action->communicator == PART && run.colour[action->rank]
                            ? COMMUNICATORS
                            : action->communicator;
            print_error("collective %d, %s (%d)", action->turn,
                        rules[run.turns[group][action->turn].rule],
                        run.turns[group][action->turn].root);
        } else {
            print_error("%s rank %d, tag %d%s",
                        action->kind == FTH_SYNC_SEND    ? "sends to"
                        : action->kind == FTH_SYNC_PROBE ? "probes for"
                                                         : "receives from",
                        action->peer, action->tag, action->both ? ", synchronous" : "");
        }
        if (action->ended)
            print_error(", ends at event %d", action->end);
        print_error("\n");
    }
}

/* ---- cases by hand ---- */

static void begin_run(int ranks)
{
    memset(&run, 0, sizeof run);
    run.ranks = ranks;
    for (int rank = 0; rank < ranks; rank++) {
        run.operations[rank] = (struct fth_order_operations){
            .first_timeline = (uint32_t)rank, .timeline_count = 1, .mpi.rank = (uint32_t)rank};
        fth_order_operations_add_member(&run.operations[rank], FTH_MEMBER_WORLD, NULL);
    }
}

static struct action *message(enum fth_order_operation_kind kind, int rank, int peer, int tag)
{
    struct action *made = begin(kind, rank, WORLD);
    operation_of(made)->peer = peer;
    operation_of(made)->tag = tag;
    return made;
}

static struct action *collective(int rank, enum fth_order_rule rule, int root)
{
    struct action *made = begin(FTH_SYNC_COLLECTIVE, rank, WORLD);
    operation_of(made)->peer = root;
    operation_of(made)->tag = (int32_t)rule;
    operation_of(made)->function = (uint16_t)rule;
    fth_order_operations_chain(&run.operations[rank], made->operation);
    return made;
}

static void a_receive_ends_behind_its_send(void **unused)
{
    (void)unused;
    begin_run(2);
    struct action *send = message(FTH_SYNC_SEND, 0, 1, 7);
    end(send);
    struct action *receive = message(FTH_SYNC_RECEIVE, 1, 0, 7);
    end(receive);
    match_run(false);
    assert_true(is_before(send->begin, receive->end));
    assert_false(is_before(receive->begin, send->end));
    end_run();
}

static void a_synchronous_send_ends_behind_its_receive(void **unused)
{
    (void)unused;
    begin_run(2);
    struct action *send = message(FTH_SYNC_SEND, 0, 1, 7);
    operation_of(send)->flags |= FTH_SYNC_BOTH;
    struct action *receive = message(FTH_SYNC_RECEIVE, 1, 0, 7);
    end(receive);
    end(send);
    match_run(false);
    assert_true(is_before(send->begin, receive->end));
    assert_true(is_before(receive->begin, send->end));
    end_run();
}

static void messages_do_not_overtake(void **unused)
{
    (void)unused;
    begin_run(2);
    struct action *first = message(FTH_SYNC_SEND, 0, 1, 7);
    end(first);
    struct action *second = message(FTH_SYNC_SEND, 0, 1, 7);
    end(second);
    struct action *receive = message(FTH_SYNC_RECEIVE, 1, 0, 7);
    end(receive);
    match_run(false);
    assert_true(is_before(first->begin, receive->end));
    assert_false(is_before(second->begin, receive->end));
    end_run();
}

static void tags_distinguish_messages(void **unused)
{
    (void)unused;
    begin_run(2);
    struct action *first = message(FTH_SYNC_SEND, 0, 1, 7);
    end(first);
    struct action *second = message(FTH_SYNC_SEND, 0, 1, 8);
    end(second);
    struct action *receive = message(FTH_SYNC_RECEIVE, 1, 0, 8);
    end(receive);
    match_run(false);
    assert_true(is_before(second->begin, receive->end));
    end_run();
}

static void a_barrier_ends_behind_the_beginning_of_all(void **unused)
{
    (void)unused;
    struct action *barriers[3];
    begin_run(3);
    for (int rank = 0; rank < 3; rank++)
        barriers[rank] = collective(rank, FTH_RULE_BARRIER, 0);
    for (int rank = 0; rank < 3; rank++)
        end(barriers[rank]);
    match_run(false);
    for (int one = 0; one < 3; one++)
        for (int other = 0; other < 3; other++)
            assert_true(one == other || is_before(barriers[one]->begin, barriers[other]->end));
    end_run();
}

static void a_broadcast_ends_behind_its_root_only(void **unused)
{
    (void)unused;
    struct action *broadcasts[3];
    begin_run(3);
    for (int rank = 0; rank < 3; rank++)
        broadcasts[rank] = collective(rank, FTH_RULE_FROM_ROOT, 1);
    for (int rank = 0; rank < 3; rank++)
        end(broadcasts[rank]);
    match_run(false);
    assert_true(is_before(broadcasts[1]->begin, broadcasts[0]->end));
    assert_true(is_before(broadcasts[1]->begin, broadcasts[2]->end));
    assert_false(is_before(broadcasts[0]->begin, broadcasts[1]->end));
    assert_false(is_before(broadcasts[0]->begin, broadcasts[2]->end));
    end_run();
}

/* ---- programs that are drawn ---- */

static void agrees_with_runs(void **unused)
{
    (void)unused;
    unsigned compared = 0;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        if (!agrees(seed, MOST_STEPS)) {
            uint32_t steps = shortest_that_fails(agrees, seed, MOST_STEPS);
            agrees(seed, steps);
            print_run();
            fail_msg("event %d is %sbefore event %d: seed %u, %u steps", differs.from,
                     run.before[differs.from][differs.to] ? "" : "not ", differs.to, seed, steps);
        }
        compared += !is_doubtful();
    }
    assert_true(compared > PROGRAMS / 3);
}

/* ---- what no program does ---- */

static void ignore(void *context, enum fth_order_finding_kind kind, size_t proc,
                   const struct fth_order_operation *operation, const char *why)
{
    (void)context, (void)kind, (void)why;
    assert_true(proc < (size_t)run.ranks && operation->begin.timeline < 2 * MOST_RANKS);
}

static void ignore_posted(void *context, struct fth_event begin, struct fth_event end,
                          struct fth_event post)
{
    (void)context, (void)end;
    assert_true(begin.timeline < 2 * MOST_RANKS && post.timeline < 2 * MOST_RANKS);
}

static struct fth_order_list any_list(void)
{
    struct fth_order_list list = {.whole = draw(9)};
    for (uint32_t i = draw(5); i > 0; i--)
        add_to(&list, (int64_t)draw(7) - 1);
    list.whole = draw(9);
    return list;
}

static void add_any_graph(uint32_t rank, uint32_t member)
{
    struct fth_topology *topology = fth_order_operations_add_topology(&run.operations[rank]);
    topology->graph = fth_new(1, sizeof *topology->graph);
    *topology->graph = (struct fth_reported_graph){.form = (enum fth_graph_form)draw(3),
                                                   .from = any_list(),
                                                   .degrees = any_list(),
                                                   .to = any_list(),
                                                   .asked = any_list()};
    run.operations[rank].mpi.members[member].topology = topology;
}

static void add_anything(uint32_t rank, uint32_t step)
{
    struct fth_order_operations *operations = &run.operations[rank];
    uint32_t timeline = 2 * rank + draw(2);
    struct fth_order_operation operation = {
        .begin = {timeline, step},
        .end = {draw(5) ? timeline : FTH_NO_TIMELINE, step + draw(3)},
        .member = draw(20) ? draw((uint32_t)operations->mpi.member_count) : 99,
        .peer = (int32_t)draw(9) - 4,
        .tag = draw(9) ? (int32_t)draw(8) : FTH_TAG_ANY,
        .kind = (uint8_t)draw(FTH_SYNC_WAIT + 1),
        .function = (uint16_t)draw(2),
        .flags = (uint8_t)draw(256)};
    if (operation.kind == FTH_SYNC_COLLECTIVE && operation.member == 99)
        return;
    uint32_t number = fth_order_operations_add(operations, operation);
    if (operation.kind != FTH_SYNC_COLLECTIVE)
        return;
    fth_order_operations_chain(operations, number);
    if (!(operation.flags & FTH_SYNC_MAKES))
        return;
    FTH_GROW(operations->mpi.creations, operations->mpi.creation_count);
    operations->mpi.creations[operations->mpi.creation_count++] = (struct fth_order_creation){
        .operation = number,
        .made = draw(4) ? fth_order_operations_add_member(operations, FTH_MEMBER_MADE, NULL) : 77,
        .form = (enum fth_creation_form)draw(FTH_MAKES_UNKNOWN + 1),
        .colour = (int64_t)draw(5) - 1,
        .key = (int64_t)draw(5) - 1,
        .node = draw(6),
        .tag = (int32_t)draw(2),
        .text = draw(2) ? strdup(draw(2) ? "one" : "other") : NULL,
        .reorders = draw(2)};
    uint32_t made = operations->mpi.creations[operations->mpi.creation_count - 1].made;
    if (made < operations->mpi.member_count && draw(2))
        add_any_graph(rank, made);
}

static void add_any_node(uint32_t rank)
{
    struct fth_order_operations *operations = &run.operations[rank];
    FTH_GROW(operations->mpi.nodes, operations->mpi.node_count);
    struct fth_group_node node = {.form = (enum fth_node_form)draw(FTH_NODE_PSET + 1),
                                  .one = draw(8),
                                  .other = draw(8),
                                  .ranks = fth_new(3, sizeof(int64_t)),
                                  .rank_count = 2 + draw(2)};
    for (int i = 0; i < 3; i++)
        node.ranks[i] = (int64_t)draw(9) - 2;
    operations->mpi.nodes[operations->mpi.node_count++] = node;
}

static void any_operations_end(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        state = seed * 2246822519u;
        memset(&run, 0, sizeof run);
        run.ranks = 1 + (int)draw(MOST_RANKS);
        run.clocks = fth_clocks_new(2 * (size_t)run.ranks);
        for (uint32_t rank = 0; rank < (uint32_t)run.ranks; rank++) {
            run.operations[rank] =
                (struct fth_order_operations){.first_timeline = 2 * rank,
                                              .timeline_count = 2,
                                              .mpi.world = draw(9) ? 0 : FTH_NO_GROUP,
                                              .mpi.rank = draw(9) ? rank : draw(7)};
            fth_order_operations_add_member(&run.operations[rank], FTH_MEMBER_WORLD, NULL);
            fth_order_operations_add_member(&run.operations[rank], FTH_MEMBER_SELF, NULL);
            if (draw(3) == 0)
                fth_order_operations_add_member(&run.operations[rank], FTH_MEMBER_PARENT, NULL);
            for (uint32_t i = draw(6); i > 0; i--)
                add_any_node(rank);
            for (uint32_t step = 1 + draw(20); step > 0; step--)
                add_anything(rank, 30 - step);
            if (draw(2))
                fth_order_operations_pack(&run.operations[rank]);
        }
        struct fth_matching matching = {
            .processes = run.operations,
            .process_count = (size_t)run.ranks,
            .clocks = run.clocks,
            .find = ignore,
            .options.collectives_synchronize = draw(2),
            .options.posted = ignore_posted,
        };
        fth_match_groups(&matching);
        fth_match_epochs(&matching);
        fth_match_messages(&matching);
        fth_clocks_compute(run.clocks, NULL, NULL);
        fth_match_threaded_groups(&matching);
        fth_match_threaded_channels(&matching);
        fth_clocks_compute(run.clocks, NULL, NULL);
        fth_match_report_threaded_groups(&matching);
        fth_match_report_threaded_channels(&matching);
        fth_match_free(&matching);
        fth_clocks_free(run.clocks);
        for (int i = 0; i < run.ranks; i++)
            fth_order_operations_free(&run.operations[i]);
    }
}

/* ---- epochs of windows ---- */

static struct posted {
    struct fth_event begin, end, post;
} posted[8];
static size_t posted_count;
static void note_posted(void *context, struct fth_event begin, struct fth_event end,
                        struct fth_event post)
{
    (void)context;
    posted[posted_count++] = (struct posted){begin, end, post};
}

static void add_epoch_call(uint32_t rank, uint32_t step, enum fth_order_operation_kind kind)
{
    fth_order_operations_add(&run.operations[rank],
                             (struct fth_order_operation){.begin = {2 * rank, step},
                                                          .end = {2 * rank, step + 1},
                                                          .peer = 1, /* node */
                                                          .kind = (uint8_t)kind});
}

/* Rank 0 reaches rank 1 twice; the second time that is exposed, but 0 never completes. */
static void starts_belong_to_posts(void **unused)
{
    (void)unused;
    memset(&run, 0, sizeof run);
    run.ranks = 2;
    run.clocks = fth_clocks_new(4);
    for (uint32_t rank = 0; rank < 2; rank++) {
        struct fth_order_operations *operations = &run.operations[rank];
        *operations = (struct fth_order_operations){
            .first_timeline = 2 * rank, .timeline_count = 2, .mpi.rank = rank};
        fth_order_operations_add_member(operations, FTH_MEMBER_WORLD, NULL);
        operations->mpi.nodes = fth_new(2, sizeof *operations->mpi.nodes);
        operations->mpi.node_count = 2;
        operations->mpi.nodes[0] = (struct fth_group_node){.form = FTH_NODE_MEMBERS};
        operations->mpi.nodes[1] = (struct fth_group_node){
            .form = FTH_NODE_INCL, .ranks = fth_new(1, sizeof(int64_t)), .rank_count = 1};
        operations->mpi.nodes[1].ranks[0] = 1 - rank;
    }
    add_epoch_call(0, 1, FTH_SYNC_START);
    add_epoch_call(0, 3, FTH_SYNC_COMPLETE);
    add_epoch_call(0, 5, FTH_SYNC_START);
    add_epoch_call(1, 11, FTH_SYNC_POST);
    add_epoch_call(1, 13, FTH_SYNC_WAIT);
    add_epoch_call(1, 15, FTH_SYNC_POST);
    struct fth_matching matching = {.processes = run.operations,
                                    .process_count = 2,
                                    .clocks = run.clocks,
                                    .find = ignore,
                                    .options.posted = note_posted};
    fth_match_groups(&matching);
    fth_match_epochs(&matching);
    static const uint32_t steps[][2] = {{1, 11}, {5, 15}, {3, 11}};
    assert_int_equal(posted_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(posted[i].begin.step, steps[i][0]);
        assert_int_equal(posted[i].end.step, steps[i][0] + 1);
        assert_int_equal(posted[i].begin.timeline, 0);
        assert_int_equal(posted[i].post.step, steps[i][1]);
        assert_int_equal(posted[i].post.timeline, 2);
    }
    fth_match_free(&matching);
    fth_clocks_free(run.clocks);
    for (int i = 0; i < 2; i++)
        fth_order_operations_free(&run.operations[i]);
}

/* ---- operations that are packed ---- */

/* As many that are alike as those kinds. */
static void pack(uint32_t kinds, bool fits)
{
    enum { OPERATIONS = 5000 };
    struct fth_order_operations operations = {0};
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        struct fth_event begin = {1, 3 * i}, end = {i % 7 ? 1 : FTH_NO_TIMELINE, 3 * i + i % 5};
        fth_order_operations_add(&operations,
                                 (struct fth_order_operation){.begin = begin,
                                                              .end = end,
                                                              .member = 3,
                                                              .peer = -(int32_t)(i % kinds),
                                                              .tag = 7,
                                                              .call = 2 * i,
                                                              .function = 9,
                                                              .kind = FTH_SYNC_SEND,
                                                              .flags = FTH_SYNC_BOTH});
    }
    fth_order_operations_pack(&operations);
    assert_int_equal(operations.packed != NULL, fits);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        assert_int_equal(fth_order_operation(&operations, i).next, FTH_NO_OPERATION);
        *fth_order_next(&operations, i) = i + 1;
    }
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        struct fth_order_operation operation = fth_order_operation(&operations, i);
        assert_int_equal(operation.begin.timeline, 1);
        assert_int_equal(operation.begin.step, 3 * i);
        assert_int_equal(operation.end.timeline, i % 7 ? 1 : FTH_NO_TIMELINE);
        if (i % 7)
            assert_int_equal(operation.end.step, 3 * i + i % 5);
        assert_int_equal(operation.member, 3);
        assert_int_equal(operation.peer, -(int32_t)(i % kinds));
        assert_int_equal(operation.tag, 7);
        assert_int_equal(operation.next, i + 1);
        assert_int_equal(operation.call, 2 * i);
        assert_int_equal(operation.function, 9);
        assert_int_equal(operation.kind, FTH_SYNC_SEND);
        assert_int_equal(operation.flags, FTH_SYNC_BOTH);
    }
    fth_order_operations_free(&operations);
}

static void packed_operations_are_what_they_were(void **unused)
{
    (void)unused;
    pack(1, true);
    pack(20, true);
    pack(5000, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receive_ends_behind_its_send),
        cmocka_unit_test(a_synchronous_send_ends_behind_its_receive),
        cmocka_unit_test(messages_do_not_overtake),
        cmocka_unit_test(tags_distinguish_messages),
        cmocka_unit_test(a_barrier_ends_behind_the_beginning_of_all),
        cmocka_unit_test(a_broadcast_ends_behind_its_root_only),
        cmocka_unit_test(agrees_with_runs),
        cmocka_unit_test(any_operations_end),
        cmocka_unit_test(starts_belong_to_posts),
        cmocka_unit_test(packed_operations_are_what_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
