/* Sequitur with run lengths over arrays: nodes are runs in doubly linked rule bodies, a hash table finds a pair of neighbours.
 *
 * What changes a body first takes the pairs that it breaks out of the table (forget), then queues the pairs that it makes;
 * settle() looks at queued pairs until none is left. So there is no recursion, and no order of events that matters.
 *
 * The cursor: once the start rule ends in a loop R^n with n >= 2, the flattened body of R is compared with what comes;
 * as long as it fits, a whole turn costs one comparison per run and one addition.
 *
 * A run of length 0 is one whose length left the grammar (counts.h). It equals another of its symbol, it never becomes one run with a
 * neighbour, and the cursor takes any length for it. */
#include "trace/grammar.h"

#include "base/varint.h"
#include "trace/counts.h"

#include <string.h>

enum { NONE = 0, START = 0 };

/* Symbols: terminal * 2, rule * 2 + 1; a guard (both ends of a rule's body) has GUARD set. */
#define GUARD 0x80000000u
#define IS_RULE(symbol) ((symbol)&1u)
#define RULE_OF(symbol) (((symbol) & ~GUARD) >> 1)

struct node {
    uint32_t previous, next;
    uint32_t symbol, length;
};

struct rule {
    uint32_t guard;
    uint32_t uses; /* nodes that name it; 0: free */
};

struct run {
    uint32_t symbol, length;
};

struct fth_grammar {
    uint32_t node_limit, table_mask;
    uint32_t node_top, node_free,
        node_used; /* nodes 1 .. node_top - 1 were handed out at least once */
    uint32_t rule_top, rule_free;
    uint64_t length;
    struct run pending; /* the run that is still growing; length 0: none */
    uint32_t queued;
    uint32_t queue[64];
    uint32_t body_length, body_at; /* the cursor; body_length 0: off */
    struct run body[FTH_GRAMMAR_BODY];
    struct node *nodes;
    struct rule *rules;
    uint32_t *table;   /* first node of a pair; NONE: free */
    uint32_t *numbers; /* while writing: rule -> number */
    struct fth_counts counts;
};

static uint32_t table_size(uint32_t nodes)
{
    uint32_t size = 64;
    while (size < nodes * 2)
        size *= 2;
    return size;
}

size_t fth_grammar_bytes(uint32_t nodes, uint32_t counts)
{
    return sizeof(struct fth_grammar) + nodes * (sizeof(struct node) + sizeof(struct rule) + 4) +
           table_size(nodes) * 4 + fth_counts_bytes(counts);
}

/* ---- nodes, rules, the table ---- */

static uint32_t new_node(struct fth_grammar *grammar, uint32_t symbol, uint32_t length)
{
    uint32_t node = grammar->node_free;
    if (node)
        grammar->node_free = grammar->nodes[node].next;
    else
        node = grammar->node_top++;
    grammar->node_used++;
    grammar->nodes[node] = (struct node){.symbol = symbol, .length = length};
    if (!(symbol & GUARD) && IS_RULE(symbol))
        grammar->rules[RULE_OF(symbol)].uses++;
    return node;
}

static void drop_node(struct fth_grammar *grammar, uint32_t node)
{
    struct node *dropped = &grammar->nodes[node];
    if (!(dropped->symbol & GUARD) && IS_RULE(dropped->symbol))
        grammar->rules[RULE_OF(dropped->symbol)].uses--;
    *dropped = (struct node){.next = grammar->node_free, .symbol = GUARD};
    grammar->node_free = node;
    grammar->node_used--;
}

static uint32_t new_rule(struct fth_grammar *grammar)
{
    uint32_t rule = grammar->rule_free;
    if (rule)
        grammar->rule_free = grammar->rules[rule].guard;
    else
        rule = grammar->rule_top++;
    uint32_t guard = new_node(grammar, GUARD | (rule << 1) | 1, 0);
    grammar->nodes[guard].next = grammar->nodes[guard].previous = guard;
    grammar->rules[rule] = (struct rule){.guard = guard, .uses = 0};
    return rule;
}

static void drop_rule(struct fth_grammar *grammar, uint32_t rule)
{
    drop_node(grammar, grammar->rules[rule].guard);
    grammar->rules[rule] = (struct rule){.guard = grammar->rule_free, .uses = 0};
    grammar->rule_free = rule;
}

static bool is_guard(const struct fth_grammar *grammar, uint32_t node)
{
    return (grammar->nodes[node].symbol & GUARD) != 0;
}

static uint32_t pair_hash(const struct node *first, const struct node *second)
{
    uint64_t hash = first->symbol * 0x9E3779B97F4A7C15u + second->symbol;
    hash = (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9u;
    hash += ((uint64_t)first->length << 32) + second->length;
    hash = (hash ^ (hash >> 32)) * 0x94D049BB133111EBu;
    return (uint32_t)(hash >> 32);
}

static bool same_run(const struct node *one, const struct node *other)
{
    return one->symbol == other->symbol && one->length == other->length;
}

/* Where the pair that begins with `node` stands in the table, or where it would go. */
static uint32_t find(const struct fth_grammar *grammar, uint32_t node)
{
    const struct node *nodes = grammar->nodes;
    const struct node *first = &nodes[node], *second = &nodes[first->next];
    uint32_t at = pair_hash(first, second) & grammar->table_mask;
    for (uint32_t found; (found = grammar->table[at]) != NONE; at = (at + 1) & grammar->table_mask)
        if (same_run(&nodes[found], first) && same_run(&nodes[nodes[found].next], second))
            break;
    return at;
}

static void erase(struct fth_grammar *grammar, uint32_t hole)
{
    const struct node *nodes = grammar->nodes;
    uint32_t mask = grammar->table_mask, at = hole;
    for (;;) {
        at = (at + 1) & mask;
        uint32_t moved = grammar->table[at];
        if (moved == NONE)
            break;
        uint32_t home = pair_hash(&nodes[moved], &nodes[nodes[moved].next]) & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            grammar->table[hole] = moved;
            hole = at;
        }
    }
    grammar->table[hole] = NONE;
}

/* Takes the pair that begins with `node` out of the table, before it is broken. */
static void forget(struct fth_grammar *grammar, uint32_t node)
{
    if (is_guard(grammar, node) || is_guard(grammar, grammar->nodes[node].next))
        return;
    uint32_t at = find(grammar, node);
    if (grammar->table[at] == node)
        erase(grammar, at);
}

static void make_empty(struct fth_grammar *grammar)
{
    grammar->node_top = 1;
    grammar->rule_top = 0;
    grammar->node_free = grammar->node_used = grammar->rule_free = 0;
    grammar->length = 0;
    grammar->pending = (struct run){.symbol = 1, .length = 0};
    grammar->queued = grammar->body_length = grammar->body_at = 0;
    new_rule(grammar); /* START */
}

struct fth_grammar *fth_grammar_place(void *memory, uint32_t nodes, uint32_t counts)
{
    struct fth_grammar *grammar = memory;
    grammar->node_limit = nodes;
    grammar->table_mask = table_size(nodes) - 1;
    grammar->nodes = (struct node *)(grammar + 1);
    grammar->rules = (struct rule *)(grammar->nodes + nodes);
    grammar->table = (uint32_t *)(grammar->rules + nodes);
    grammar->numbers = grammar->table + table_size(nodes);
    fth_counts_place(&grammar->counts, grammar->numbers + nodes, counts);
    make_empty(grammar);
    return grammar;
}

/* ---- rewriting ---- */

static void queue(struct fth_grammar *grammar, uint32_t node)
{
    if (!is_guard(grammar, node) &&
        grammar->queued < sizeof grammar->queue / sizeof *grammar->queue)
        grammar->queue[grammar->queued++] = node;
}

static void join(struct fth_grammar *grammar, uint32_t left, uint32_t right)
{
    grammar->nodes[left].next = right;
    grammar->nodes[right].previous = left;
}

/* Are the node and its successor of one symbol, and both lengths here to be added? */
static bool is_one_run(const struct fth_grammar *grammar, uint32_t node)
{
    const struct node *one = &grammar->nodes[node], *other = &grammar->nodes[one->next];
    return !is_guard(grammar, node) && one->symbol == other->symbol && one->length && other->length;
}

/* Makes one run of `node` and its successor. The pairs around them are not in the table. */
static void merge_with_next(struct fth_grammar *grammar, uint32_t node)
{
    uint32_t next = grammar->nodes[node].next;
    forget(grammar, next);
    grammar->nodes[node].length += grammar->nodes[next].length;
    join(grammar, node, grammar->nodes[next].next);
    drop_node(grammar, next);
}

/* Puts one `symbol` in the place of the two nodes from `first` on. */
static void replace_pair(struct fth_grammar *grammar, uint32_t first, uint32_t symbol)
{
    struct node *nodes = grammar->nodes;
    uint32_t second = nodes[first].next, before = nodes[first].previous, after = nodes[second].next;
    forget(grammar, before);
    forget(grammar, first);
    forget(grammar, second);
    drop_node(grammar, first);
    drop_node(grammar, second);
    uint32_t node = new_node(grammar, symbol, 1);
    join(grammar, before, node);
    join(grammar, node, after);
    if (is_one_run(grammar, node))
        merge_with_next(grammar, node);
    if (is_one_run(grammar, before)) {
        forget(grammar, nodes[before].previous);
        merge_with_next(grammar, before);
        node = before;
    }
    queue(grammar, nodes[node].previous);
    queue(grammar, node);
}

/* A rule that is named by this one node only, once: its body takes the node's place. */
static void inline_if_single(struct fth_grammar *grammar, uint32_t node)
{
    struct node *nodes = grammar->nodes;
    uint32_t symbol = nodes[node].symbol;
    if ((symbol & GUARD) || !IS_RULE(symbol) || nodes[node].length != 1 ||
        grammar->rules[RULE_OF(symbol)].uses != 1)
        return;
    uint32_t rule = RULE_OF(symbol), guard = grammar->rules[rule].guard;
    uint32_t first = nodes[guard].next, last = nodes[guard].previous;
    uint32_t before = nodes[node].previous, after = nodes[node].next;
    forget(grammar, before);
    forget(grammar, node);
    drop_node(grammar, node);
    drop_rule(grammar, rule);
    join(grammar, before, first);
    join(grammar, last, after);
    if (is_one_run(grammar, last)) {
        forget(grammar, nodes[last].previous);
        merge_with_next(grammar, last);
    }
    if (is_one_run(grammar, before)) {
        forget(grammar, first);
        forget(grammar, nodes[before].previous);
        if (last == first)
            last = before;
        merge_with_next(grammar, before);
        queue(grammar, nodes[before].previous);
    }
    queue(grammar, nodes[last].previous);
    queue(grammar, before);
    queue(grammar, last);
}

/* The pair at `node` stands at `other` as well: both become a rule. */
static void fold(struct fth_grammar *grammar, uint32_t node, uint32_t other)
{
    struct node *nodes = grammar->nodes;
    uint32_t other_second = nodes[other].next;
    uint32_t symbol;
    if (is_guard(grammar, nodes[other].previous) && is_guard(grammar, nodes[other_second].next) &&
        RULE_OF(nodes[nodes[other].previous].symbol) != START) {
        symbol = nodes[nodes[other].previous].symbol & ~GUARD;
        replace_pair(grammar, node, symbol);
    } else {
        uint32_t rule = new_rule(grammar), guard = grammar->rules[rule].guard;
        uint32_t first = new_node(grammar, nodes[node].symbol, nodes[node].length);
        uint32_t second =
            new_node(grammar, nodes[nodes[node].next].symbol, nodes[nodes[node].next].length);
        join(grammar, guard, first);
        join(grammar, first, second);
        join(grammar, second, guard);
        symbol = (rule << 1) | 1;
        replace_pair(grammar, other, symbol);
        replace_pair(grammar, node, symbol);
        queue(grammar, first);
    }
    uint32_t guard = grammar->rules[RULE_OF(symbol)].guard;
    inline_if_single(grammar, nodes[guard].next);
    inline_if_single(grammar, nodes[guard].previous);
}

static void settle(struct fth_grammar *grammar)
{
    struct node *nodes = grammar->nodes;
    while (grammar->queued) {
        uint32_t node = grammar->queue[--grammar->queued];
        if (is_guard(grammar, node) || is_guard(grammar, nodes[node].next))
            continue;
        uint32_t at = find(grammar, node), other = grammar->table[at];
        if (other == NONE)
            grammar->table[at] = node;
        else if (other != node && nodes[other].next != node && nodes[node].next != other)
            fold(grammar, node, other);
    }
}

/* ---- appending ---- */

static void append_run(struct fth_grammar *grammar, uint32_t symbol, uint32_t length)
{
    struct node *nodes = grammar->nodes;
    uint32_t guard = grammar->rules[START].guard, last = nodes[guard].previous;
    if (nodes[last].symbol == symbol && nodes[last].length && length) {
        forget(grammar, nodes[last].previous);
        nodes[last].length += length;
        queue(grammar, nodes[last].previous);
    } else {
        uint32_t node = new_node(grammar, symbol, length);
        join(grammar, last, node);
        join(grammar, node, guard);
        queue(grammar, last);
    }
    settle(grammar);
}

/* Flattens the body of `rule` into the cursor's; false when it is too long. */
static bool flatten(struct fth_grammar *grammar, uint32_t rule, unsigned nesting)
{
    uint32_t guard = grammar->rules[rule].guard;
    for (uint32_t node = grammar->nodes[guard].next; node != guard;
         node = grammar->nodes[node].next) {
        struct run run = {grammar->nodes[node].symbol, grammar->nodes[node].length};
        if (!IS_RULE(run.symbol)) {
            if (grammar->body_length == FTH_GRAMMAR_BODY)
                return false;
            grammar->body[grammar->body_length++] = run;
            continue;
        }
        if (nesting == 32 || !run.length || run.length > FTH_GRAMMAR_BODY)
            return false;
        while (run.length--)
            if (!flatten(grammar, RULE_OF(run.symbol), nesting + 1))
                return false;
    }
    return true;
}

/* What goes around in the loop that is followed: its terminals, however often each. Two loops that look alike by chance do no harm. */
static uint64_t followed_loop(const struct fth_grammar *grammar)
{
    uint64_t hash = grammar->body_length;
    for (uint32_t i = 0; i < grammar->body_length; i++)
        hash = (hash ^ grammar->body[i].symbol ^ hash >> 32) * 0x9E3779B97F4A7C15u;
    return hash;
}

static bool is_known(const struct fth_counts *counts, uint64_t loop)
{
    for (uint32_t i = 0; i < counts->loop_count; i++)
        if (counts->loops[i] == loop)
            return true;
    return false;
}

/* Adds the lengths of the symbol's runs below `rule` to its list, or, with list -1, only looks how many there are. False: they are too many, or
 * their order is not to be seen from here. */
static bool list_runs(struct fth_grammar *grammar, uint32_t rule, uint32_t symbol, int64_t list,
                      uint32_t *budget)
{
    const struct node *nodes = grammar->nodes;
    uint32_t guard = grammar->rules[rule].guard;
    for (uint32_t node = nodes[guard].next; node != guard; node = nodes[node].next) {
        if (*budget == 0)
            return false;
        --*budget;
        if (nodes[node].symbol == symbol) {
            if (list >= 0)
                fth_counts_put(&grammar->counts, (uint32_t)list, nodes[node].length);
            continue;
        }
        if (!IS_RULE(nodes[node].symbol))
            continue;
        if (!nodes[node].length)
            return false;
        for (uint32_t i = 0; i < nodes[node].length; i++)
            if (!list_runs(grammar, RULE_OF(nodes[node].symbol), symbol, list, budget))
                return false;
    }
    return true;
}

/* Runs of the rule that are in the grammar already become counted ones. */
static void count_earlier_runs(struct fth_grammar *grammar, uint32_t symbol, int64_t list)
{
    enum { MOST = 4096 };
    uint32_t budget = MOST;
    struct node *nodes = grammar->nodes;
    if (grammar->counts.used + 2 * MOST > grammar->counts.limit ||
        !list_runs(grammar, START, symbol, -1, &budget))
        return;
    budget = MOST;
    list_runs(grammar, START, symbol, list, &budget);
    for (uint32_t node = 1; node < grammar->node_top; node++) {
        if (nodes[node].symbol != symbol || !nodes[node].length)
            continue;
        forget(grammar, nodes[node].previous);
        forget(grammar, node);
        nodes[node].length = 0;
        queue(grammar, nodes[node].previous);
        queue(grammar, node);
        settle(grammar);
        node = 0; /* others have moved */
    }
}

/* The loop that the start rule ends in is known to be one that is counted: as if it had been so from the beginning. The run itself goes on. */
static void count_known_loop(struct fth_grammar *grammar)
{
    uint32_t guard = grammar->rules[START].guard, last = grammar->nodes[guard].previous;
    struct node run = grammar->nodes[last];
    int64_t list = fth_counts_begin(&grammar->counts, run.symbol);
    if (list < 0 || grammar->rules[RULE_OF(run.symbol)].uses < 2)
        return;
    forget(grammar, run.previous);
    join(grammar, run.previous, guard);
    drop_node(grammar, last);
    count_earlier_runs(grammar, run.symbol, list);
    append_run(grammar, run.symbol, run.length);
}

/* Follows the loop that the start rule ends in, if it does. One that is counted is followed from its first turn on: where it ends, its length
 * leaves the grammar, and it must not be cut before. */
static void start_following(struct fth_grammar *grammar)
{
    uint32_t guard = grammar->rules[START].guard, last = grammar->nodes[guard].previous;
    uint32_t symbol = grammar->nodes[last].symbol, length = grammar->nodes[last].length;
    bool counted = fth_counts_find(&grammar->counts, symbol) >= 0;
    if ((symbol & GUARD) || !IS_RULE(symbol) || !length ||
        (length == 1 && !counted && !grammar->counts.loop_count))
        return;
    if (!flatten(grammar, RULE_OF(symbol), 0))
        grammar->body_length = 0;
    if (grammar->body_length && !counted && is_known(&grammar->counts, followed_loop(grammar))) {
        count_known_loop(grammar);
        last = grammar->nodes[guard].previous;
        counted = grammar->nodes[last].symbol == symbol;
        length = 1;
    }
    if (length == 1 && !counted)
        grammar->body_length = 0;
    if (grammar->body_length)
        forget(grammar, grammar->nodes[last].previous);
    grammar->body_at = 0;
}

/* The list of a loop that has ended, or -1. One in which nothing but counted runs goes around is counted at once: it waits for something. */
static int64_t judge_loop(struct fth_grammar *grammar, const struct node *loop)
{
    uint32_t counted = 0;
    while (counted < grammar->body_length && !grammar->body[counted].length)
        counted++;
    int64_t list = counted == grammar->body_length
                       ? fth_counts_begin(&grammar->counts, loop->symbol)
                       : fth_counts_judge(&grammar->counts, loop->symbol, loop->length);
    if (list >= 0)
        grammar->counts.lists[list].loop = followed_loop(grammar);
    return list;
}

/* Leaves the loop, whose length is known now: what was compared of an unfinished turn is appended after all. */
static void stop_following(struct fth_grammar *grammar)
{
    uint32_t guard = grammar->rules[START].guard, last = grammar->nodes[guard].previous;
    uint32_t begun = grammar->body_at;
    struct node *loop = &grammar->nodes[last];
    int64_t list = judge_loop(grammar, loop);
    if (list >= 0) {
        fth_counts_put(&grammar->counts, (uint32_t)list, loop->length);
        loop->length = 0;
    }
    grammar->body_length = grammar->body_at = 0;
    queue(grammar, grammar->nodes[last].previous);
    settle(grammar);
    for (uint32_t i = 0; i < begun; i++)
        append_run(grammar, grammar->body[i].symbol, grammar->body[i].length);
}

/* Moves the run's length to the list of its symbol, if it has one. */
static void count(struct fth_grammar *grammar, struct run *run)
{
    int64_t list = fth_counts_judge(&grammar->counts, run->symbol, run->length);
    if (list < 0)
        return;
    fth_counts_put(&grammar->counts, (uint32_t)list, run->length);
    run->length = 0;
}

static void take(struct fth_grammar *grammar, struct run run)
{
    if (grammar->body_length) {
        const struct run *expected = &grammar->body[grammar->body_at];
        if (expected->symbol == run.symbol &&
            (expected->length == run.length || !expected->length)) {
            if (!expected->length)
                count(grammar, &run);
            if (++grammar->body_at == grammar->body_length) {
                uint32_t guard = grammar->rules[START].guard;
                grammar->nodes[grammar->nodes[guard].previous].length++;
                grammar->body_at = 0;
            }
            return;
        }
        stop_following(grammar);
    }
    count(grammar, &run);
    append_run(grammar, run.symbol, run.length);
    start_following(grammar);
}

void fth_grammar_append_run(struct fth_grammar *grammar, uint32_t terminal, uint32_t count)
{
    uint32_t symbol = terminal << 1;
    grammar->length += count;
    if (grammar->pending.symbol == symbol && grammar->pending.length <= UINT32_MAX / 2 - count) {
        grammar->pending.length += count;
        return;
    }
    struct run finished = grammar->pending;
    grammar->pending = (struct run){symbol, count};
    if (finished.length)
        take(grammar, finished);
}

void fth_grammar_append(struct fth_grammar *grammar, uint32_t terminal)
{
    fth_grammar_append_run(grammar, terminal, 1);
}

void fth_grammar_count(struct fth_grammar *grammar, uint32_t terminal)
{
    fth_counts_begin(&grammar->counts, terminal << 1);
}

void fth_grammar_know(struct fth_grammar *grammar, uint64_t loop)
{
    struct fth_counts *counts = &grammar->counts;
    if (counts->limit && counts->loop_count < FTH_KNOWN_LOOPS && !is_known(counts, loop))
        counts->loops[counts->loop_count++] = loop;
}

uint32_t fth_grammar_lists(const struct fth_grammar *grammar)
{
    return grammar->counts.list_count;
}

bool fth_grammar_list_terminal(const struct fth_grammar *grammar, uint32_t list, uint32_t *terminal,
                               uint64_t *loop)
{
    const struct fth_count_list *of = &grammar->counts.lists[list];
    *terminal = of->symbol >> 1;
    *loop = of->loop;
    return !IS_RULE(of->symbol);
}

/* The growing run ends. */
static void end_run(struct fth_grammar *grammar)
{
    struct run last = grammar->pending;
    grammar->pending.length = 0;
    if (last.length)
        take(grammar, last);
}

void fth_grammar_append_none(struct fth_grammar *grammar, uint32_t terminal)
{
    struct run none = {.symbol = terminal << 1};
    if ((grammar->pending.length && grammar->pending.symbol == none.symbol) ||
        fth_counts_find(&grammar->counts, none.symbol) < 0)
        return;
    end_run(grammar);
    take(grammar, none);
}

void fth_grammar_finish(struct fth_grammar *grammar)
{
    end_run(grammar);
    if (grammar->body_length)
        stop_following(grammar);
}

bool fth_grammar_full(const struct fth_grammar *grammar)
{
    return grammar->node_used + 2 * FTH_GRAMMAR_BODY + 64 > grammar->node_limit ||
           grammar->length >> 31 || fth_grammar_counts_full(grammar);
}

bool fth_grammar_counts_full(const struct fth_grammar *grammar)
{
    const struct fth_counts *counts = &grammar->counts;
    return counts->used + 2 * FTH_GRAMMAR_BODY > counts->limit && counts->limit;
}

uint64_t fth_grammar_length(const struct fth_grammar *grammar)
{
    return grammar->length;
}

void fth_grammar_reset(struct fth_grammar *grammar)
{
    memset(grammar->table, 0, ((size_t)grammar->table_mask + 1) * 4);
    fth_counts_reset(&grammar->counts);
    make_empty(grammar);
}

/* ---- writing ---- */

size_t fth_grammar_write_bound(const struct fth_grammar *grammar)
{
    return ((size_t)grammar->node_used + FTH_GRAMMAR_BODY + 2) * 10 + 10 +
           (size_t)grammar->counts.list_count * 15 + (size_t)grammar->counts.used * 7 + 5;
}

static uint8_t *put_run(uint8_t *to, uint32_t symbol, uint32_t length)
{
    return fth_put_varint(fth_put_varint(to, symbol), length);
}

/* Numbers the rules breadth first and returns how many are in use. Their order is threaded through the guards' lengths, which
 * mean nothing otherwise. */
static uint32_t number_rules(struct fth_grammar *grammar)
{
    struct node *nodes = grammar->nodes;
    for (uint32_t rule = 0; rule < grammar->rule_top; rule++)
        grammar->numbers[rule] = UINT32_MAX;
    grammar->numbers[START] = 0;
    uint32_t count = 1, last = START;
    for (uint32_t rule = START;; rule = nodes[grammar->rules[rule].guard].length) {
        uint32_t guard = grammar->rules[rule].guard;
        for (uint32_t node = nodes[guard].next; node != guard; node = nodes[node].next) {
            uint32_t named = RULE_OF(nodes[node].symbol);
            if (!IS_RULE(nodes[node].symbol) || grammar->numbers[named] != UINT32_MAX)
                continue;
            grammar->numbers[named] = count++;
            nodes[grammar->rules[last].guard].length = named;
            last = named;
        }
        if (rule == last)
            break;
    }
    return count;
}

static uint32_t written_symbol(const struct fth_grammar *grammar, uint32_t symbol)
{
    return IS_RULE(symbol) ? (grammar->numbers[RULE_OF(symbol)] << 1) | 1 : symbol;
}

/* The lists that are not empty, if there are any; each count as a line of its own (count_columns.h). */
static uint8_t *put_lists(const struct fth_grammar *grammar, uint8_t *to)
{
    const struct fth_counts *counts = &grammar->counts;
    uint32_t used = 0;
    for (uint32_t i = 0; i < counts->list_count; i++)
        used += counts->lists[i].length != 0;
    if (!used)
        return to;
    to = fth_put_varint(to, used);
    for (uint32_t i = 0; i < counts->list_count; i++) {
        const struct fth_count_list *list = &counts->lists[i];
        if (!list->length)
            continue;
        to = fth_put_varint(to, written_symbol(grammar, list->symbol));
        to = fth_put_varint(to, list->length);
        to = fth_put_varint(to, list->length);
        for (uint32_t at = list->first; at; at = counts->entries[at - 1].next) {
            to = fth_put_varint(to, 1);
            to = fth_put_varint(to, fth_zigzag(counts->entries[at - 1].count));
            to = fth_put_varint(to, 0);
        }
    }
    return to;
}

void fth_grammar_take_counts(struct fth_grammar *grammar, fth_count_sink *sink, void *context)
{
    struct fth_counts *counts = &grammar->counts;
    for (uint32_t i = 0; i < counts->list_count; i++)
        for (uint32_t at = counts->lists[i].first; at; at = counts->entries[at - 1].next)
            sink(context, i, counts->entries[at - 1].count);
    fth_counts_empty(counts);
}

uint32_t fth_grammar_list_symbol(const struct fth_grammar *grammar, uint32_t list)
{
    return written_symbol(grammar, grammar->counts.lists[list].symbol);
}

uint8_t *fth_grammar_write(struct fth_grammar *grammar, uint8_t *to)
{
    struct node *nodes = grammar->nodes;
    uint32_t count = number_rules(grammar);
    to = fth_put_varint(to, count);
    for (uint32_t rule = START; count--; rule = nodes[grammar->rules[rule].guard].length) {
        uint32_t guard = grammar->rules[rule].guard, runs = 0;
        for (uint32_t node = nodes[guard].next; node != guard; node = nodes[node].next)
            runs++;
        if (rule == START)
            runs += grammar->body_at + (grammar->pending.length != 0);
        to = fth_put_varint(to, runs);
        for (uint32_t node = nodes[guard].next; node != guard; node = nodes[node].next)
            to = put_run(to, written_symbol(grammar, nodes[node].symbol), nodes[node].length);
        if (rule != START)
            continue;
        for (uint32_t i = 0; i < grammar->body_at; i++)
            to = put_run(to, grammar->body[i].symbol, grammar->body[i].length);
        if (grammar->pending.length)
            to = put_run(to, grammar->pending.symbol, grammar->pending.length);
    }
    return put_lists(grammar, to);
}
