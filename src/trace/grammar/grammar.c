/* Sequitur with run lengths over arrays: nodes are runs in doubly linked rule bodies, a hash table
 * finds a pair of neighbours.
 *
 * What changes a body first takes the pairs that it breaks out of the table (forget), then queues
 * the pairs that it makes; settle() looks at queued pairs until none is left. So there is no
 * recursion, and no order of events that matters.
 *
 * A run of length 0 is one whose length left the grammar (counts.h). It equals another of its
 * symbol, it never becomes one run with a neighbour. */
#include "trace/grammar/grammar_nodes.h"

#include <string.h>

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
           table_size(nodes) * sizeof(struct pair_place) + fth_counts_bytes(counts);
}

/* ---- nodes, rules, the table ---- */

uint32_t fth_grammar_new_node(struct fth_grammar *grammar, uint32_t symbol, uint32_t length)
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

void fth_grammar_drop_node(struct fth_grammar *grammar, uint32_t node)
{
    struct node *dropped = &grammar->nodes[node];
    if (!(dropped->symbol & GUARD) && IS_RULE(dropped->symbol))
        grammar->rules[RULE_OF(dropped->symbol)].uses--;
    *dropped = (struct node){.next = grammar->node_free, .symbol = GUARD};
    grammar->node_free = node;
    grammar->node_used--;
}

uint32_t fth_grammar_new_rule(struct fth_grammar *grammar)
{
    uint32_t rule = grammar->rule_free;
    if (rule)
        grammar->rule_free = grammar->rules[rule].guard;
    else
        rule = grammar->rule_top++;
    uint32_t guard = fth_grammar_new_node(grammar, GUARD | (rule << 1) | 1, 0);
    grammar->nodes[guard].next = grammar->nodes[guard].previous = guard;
    grammar->rules[rule] = (struct rule){.guard = guard, .uses = 0};
    return rule;
}

static void drop_rule(struct fth_grammar *grammar, uint32_t rule)
{
    fth_grammar_drop_node(grammar, grammar->rules[rule].guard);
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
static struct pair_place *find(const struct fth_grammar *grammar, uint32_t node, uint32_t hash)
{
    const struct node *nodes = grammar->nodes;
    const struct node *first = &nodes[node], *second = &nodes[first->next];
    uint32_t at = hash & grammar->table_mask;
    for (uint32_t found; (found = grammar->table[at].node) != NONE;
         at = (at + 1) & grammar->table_mask)
        if (grammar->table[at].hash == hash && same_run(&nodes[found], first) &&
            same_run(&nodes[nodes[found].next], second))
            break;
    return &grammar->table[at];
}

void fth_grammar_expect(const struct fth_grammar *grammar, struct run run, uint32_t symbol)
{
    const struct node first = {.symbol = run.symbol, .length = run.length},
                      second = {.symbol = symbol, .length = 1};
    __builtin_prefetch(&grammar->table[pair_hash(&first, &second) & grammar->table_mask]);
}

static void erase(struct fth_grammar *grammar, uint32_t hole)
{
    struct pair_place *table = grammar->table;
    uint32_t mask = grammar->table_mask, at = hole;
    for (;;) {
        at = (at + 1) & mask;
        struct pair_place moved = table[at];
        if (moved.node == NONE)
            break;
        uint32_t home = moved.hash & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table[hole] = moved;
            hole = at;
        }
    }
    table[hole].node = NONE;
}

/* Takes the pair that begins with `node` out of the table, before it is broken. */
void fth_grammar_forget(struct fth_grammar *grammar, uint32_t node)
{
    const struct node *first = &grammar->nodes[node];
    if (is_guard(grammar, node) || is_guard(grammar, first->next))
        return;
    uint32_t mask = grammar->table_mask, at = pair_hash(first, &grammar->nodes[first->next]) & mask;
    while (grammar->table[at].node != node && grammar->table[at].node != NONE)
        at = (at + 1) & mask;
    if (grammar->table[at].node == node)
        erase(grammar, at);
}

void fth_grammar_enter(struct fth_grammar *grammar, uint32_t node)
{
    const struct node *nodes = grammar->nodes;
    if (is_guard(grammar, node) || is_guard(grammar, nodes[node].next))
        return;
    uint32_t hash = pair_hash(&nodes[node], &nodes[nodes[node].next]);
    struct pair_place *place = find(grammar, node, hash);
    if (place->node == NONE)
        *place = (struct pair_place){hash, node};
}

static void make_empty(struct fth_grammar *grammar)
{
    grammar->node_top = 1;
    grammar->rule_top = 0;
    grammar->node_free = grammar->node_used = grammar->rule_free = 0;
    grammar->length = 0;
    grammar->pending = (struct run){.symbol = 1, .length = 0};
    grammar->queued = grammar->body_length = grammar->body_at = 0;
    grammar->trial = (struct trial){0};
    grammar->echo = (struct echo){0};
    fth_grammar_new_rule(grammar); /* START */
}

struct fth_grammar *fth_grammar_place(void *memory, uint32_t nodes, uint32_t counts)
{
    struct fth_grammar *grammar = memory;
    grammar->node_limit = nodes;
    grammar->table_mask = table_size(nodes) - 1;
    grammar->nodes = (struct node *)(grammar + 1);
    grammar->rules = (struct rule *)(grammar->nodes + nodes);
    grammar->table = (struct pair_place *)(grammar->rules + nodes);
    grammar->numbers = (uint32_t *)(grammar->table + table_size(nodes));
    fth_counts_place(&grammar->counts, grammar->numbers + nodes, counts);
    make_empty(grammar);
    return grammar;
}

/* The pairs of a small grammar are taken out one by one: the table may be of megabytes that were
 * never touched. All that stands behind a pair's home without a gap goes with it. */
static void empty_table(struct fth_grammar *grammar)
{
    if (grammar->node_top > grammar->table_mask / 32) {
        memset(grammar->table, 0, ((size_t)grammar->table_mask + 1) * sizeof *grammar->table);
        return;
    }
    for (uint32_t node = 1; node < grammar->node_top; node++) {
        uint32_t next = grammar->nodes[node].next;
        if (is_guard(grammar, node) || is_guard(grammar, next))
            continue;
        uint32_t at = pair_hash(&grammar->nodes[node], &grammar->nodes[next]) & grammar->table_mask;
        for (; grammar->table[at].node != NONE; at = (at + 1) & grammar->table_mask)
            grammar->table[at].node = NONE;
    }
}

void fth_grammar_reset(struct fth_grammar *grammar)
{
    empty_table(grammar);
    fth_counts_reset(&grammar->counts);
    make_empty(grammar);
}

/* ---- rewriting ---- */

void fth_grammar_queue(struct fth_grammar *grammar, uint32_t node)
{
    if (!is_guard(grammar, node) &&
        grammar->queued < sizeof grammar->queue / sizeof *grammar->queue)
        grammar->queue[grammar->queued++] = node;
}

void fth_grammar_join(struct fth_grammar *grammar, uint32_t left, uint32_t right)
{
    grammar->nodes[left].next = right;
    grammar->nodes[right].previous = left;
}

uint32_t fth_grammar_put_behind(struct fth_grammar *grammar, uint32_t symbol, uint32_t length)
{
    struct node *nodes = grammar->nodes;
    uint32_t guard = grammar->rules[START].guard, last = nodes[guard].previous;
    if (nodes[last].symbol == symbol && nodes[last].length && length) {
        fth_grammar_forget(grammar, nodes[last].previous);
        nodes[last].length += length;
        return nodes[last].previous;
    }
    uint32_t node = fth_grammar_new_node(grammar, symbol, length);
    fth_grammar_join(grammar, last, node);
    fth_grammar_join(grammar, node, guard);
    return last;
}

bool fth_grammar_is_one_run(const struct fth_grammar *grammar, uint32_t node)
{
    const struct node *one = &grammar->nodes[node], *other = &grammar->nodes[one->next];
    return !is_guard(grammar, node) && one->symbol == other->symbol && one->length && other->length;
}

void fth_grammar_merge_with_next(struct fth_grammar *grammar, uint32_t node)
{
    uint32_t next = grammar->nodes[node].next;
    fth_grammar_forget(grammar, next);
    grammar->nodes[node].length += grammar->nodes[next].length;
    fth_grammar_join(grammar, node, grammar->nodes[next].next);
    fth_grammar_drop_node(grammar, next);
}

/* Where the rule stands now, if that is one. */
static void note_occurrence(struct fth_grammar *grammar, uint32_t node)
{
    uint32_t symbol = grammar->nodes[node].symbol;
    if (IS_RULE(symbol) && !(symbol & GUARD))
        grammar->rules[RULE_OF(symbol)].occurrence = node;
}

/* Puts one `symbol` in the place of the two nodes from `first` on; where it stands then. */
static uint32_t replace_pair(struct fth_grammar *grammar, uint32_t first, uint32_t symbol)
{
    struct node *nodes = grammar->nodes;
    uint32_t second = nodes[first].next, before = nodes[first].previous, after = nodes[second].next;
    fth_grammar_forget(grammar, before);
    fth_grammar_forget(grammar, first);
    fth_grammar_forget(grammar, second);
    fth_grammar_drop_node(grammar, first);
    fth_grammar_drop_node(grammar, second);
    uint32_t node = fth_grammar_new_node(grammar, symbol, 1);
    fth_grammar_join(grammar, before, node);
    fth_grammar_join(grammar, node, after);
    if (fth_grammar_is_one_run(grammar, node))
        fth_grammar_merge_with_next(grammar, node);
    if (fth_grammar_is_one_run(grammar, before)) {
        fth_grammar_forget(grammar, nodes[before].previous);
        fth_grammar_merge_with_next(grammar, before);
        node = before;
    }
    fth_grammar_queue(grammar, nodes[node].previous);
    fth_grammar_queue(grammar, node);
    return node;
}

void fth_grammar_replace_last(struct fth_grammar *grammar, uint32_t symbol)
{
    struct node *nodes = grammar->nodes;
    uint32_t guard = grammar->rules[START].guard, last = nodes[guard].previous,
             before = nodes[last].previous;
    fth_grammar_forget(grammar, before);
    fth_grammar_join(grammar, before, guard);
    fth_grammar_drop_node(grammar, last);
    fth_grammar_queue(grammar, fth_grammar_put_behind(grammar, symbol, 1));
}

void fth_grammar_inline_single(struct fth_grammar *grammar, uint32_t node)
{
    struct node *nodes = grammar->nodes;
    uint32_t symbol = nodes[node].symbol;
    if ((symbol & GUARD) || !IS_RULE(symbol) || nodes[node].length != 1 ||
        grammar->rules[RULE_OF(symbol)].uses != 1)
        return;
    uint32_t rule = RULE_OF(symbol), guard = grammar->rules[rule].guard;
    uint32_t first = nodes[guard].next, last = nodes[guard].previous;
    uint32_t before = nodes[node].previous, after = nodes[node].next;
    fth_grammar_forget(grammar, before);
    fth_grammar_forget(grammar, node);
    fth_grammar_drop_node(grammar, node);
    drop_rule(grammar, rule);
    fth_grammar_join(grammar, before, first);
    fth_grammar_join(grammar, last, after);
    if (fth_grammar_is_one_run(grammar, last)) {
        fth_grammar_forget(grammar, nodes[last].previous);
        fth_grammar_merge_with_next(grammar, last);
    }
    if (fth_grammar_is_one_run(grammar, before)) {
        fth_grammar_forget(grammar, first);
        fth_grammar_forget(grammar, nodes[before].previous);
        if (last == first)
            last = before;
        fth_grammar_merge_with_next(grammar, before);
        fth_grammar_queue(grammar, nodes[before].previous);
    }
    fth_grammar_queue(grammar, nodes[last].previous);
    fth_grammar_queue(grammar, before);
    fth_grammar_queue(grammar, last);
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
        uint32_t rule = fth_grammar_new_rule(grammar), guard = grammar->rules[rule].guard;
        uint32_t first = fth_grammar_new_node(grammar, nodes[node].symbol, nodes[node].length);
        uint32_t second = fth_grammar_new_node(grammar, nodes[nodes[node].next].symbol,
                                               nodes[nodes[node].next].length);
        fth_grammar_join(grammar, guard, first);
        fth_grammar_join(grammar, first, second);
        fth_grammar_join(grammar, second, guard);
        symbol = (rule << 1) | 1;
        note_occurrence(grammar, first);
        note_occurrence(grammar, second);
        note_occurrence(grammar, replace_pair(grammar, other, symbol));
        replace_pair(grammar, node, symbol);
        fth_grammar_queue(grammar, first);
    }
    uint32_t guard = grammar->rules[RULE_OF(symbol)].guard;
    fth_grammar_inline_single(grammar, nodes[guard].next);
    fth_grammar_inline_single(grammar, nodes[guard].previous);
}

void fth_grammar_settle(struct fth_grammar *grammar)
{
    struct node *nodes = grammar->nodes;
    while (grammar->queued) {
        uint32_t node = grammar->queue[--grammar->queued];
        if (is_guard(grammar, node) || is_guard(grammar, nodes[node].next))
            continue;
        uint32_t hash = pair_hash(&nodes[node], &nodes[nodes[node].next]);
        struct pair_place *place = find(grammar, node, hash);
        uint32_t other = place->node;
        if (other == NONE)
            *place = (struct pair_place){hash, node};
        else if (other != node && nodes[other].next != node && nodes[node].next != other)
            fold(grammar, node, other);
    }
}
