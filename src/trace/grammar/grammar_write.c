/* A grammar as bytes, and the counts that left it. */
#include "trace/grammar/grammar_nodes.h"

#include "base/varint.h"

enum {
    SMALL = 16384,     /* nodes: what processes that do the same have between irregular parts */
    WORTH_OF_RUNS = 32 /* one run of so many is much */
};

size_t fth_grammar_write_bound(const struct fth_grammar *grammar)
{
    /* An echo that ends makes up to four runs of each place of its path. */
    return ((size_t)grammar->node_used + FTH_GRAMMAR_BODY + 4 * ECHO_DEPTH + 2) * 10 + 10 +
           (size_t)grammar->counts.list_count * 15 + (size_t)grammar->counts.used * 7 + 5;
}

static uint8_t *put_run(uint8_t *to, uint32_t symbol, uint32_t length)
{
    return fth_put_varint(fth_put_varint(to, symbol), length);
}

/* Numbers the rules breadth first and returns how many are in use. Their order is threaded through
 * the guards' lengths, which mean nothing otherwise. */
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

/* The lists that are not empty, if there are any; each count as a line of its own
 * (count_columns.h). */
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

bool fth_grammar_counts_late(const struct fth_grammar *grammar)
{
    uint32_t late = 0, enough = grammar->node_used / WORTH_OF_RUNS;
    if (grammar->node_used < SMALL)
        return true;
    for (uint32_t node = 1; node < grammar->node_top && late < enough; node++)
        late += grammar->nodes[node].length &&
                fth_counts_find(&grammar->counts, grammar->nodes[node].symbol) >= 0;
    return late >= enough;
}

uint32_t fth_grammar_list_symbol(const struct fth_grammar *grammar, uint32_t list)
{
    return written_symbol(grammar, grammar->counts.lists[list].symbol);
}

uint8_t *fth_grammar_write(struct fth_grammar *grammar, uint8_t *to)
{
    struct node *nodes = grammar->nodes;
    fth_grammar_end_echo(grammar);
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
