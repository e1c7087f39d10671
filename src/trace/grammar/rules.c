/* Rules of a grammar: reading and checking them.
 *
 * How often a rule is used follows from who names it, and how often; of a symbol whose runs have
 * their lengths in a list, it is the list's sum, whatever the order of its counts. So the length of
 * the whole is known without expanding anything. */
#include "trace/grammar/rule_nodes.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "trace/grammar/packed_rules.h"

static int read_runs(struct fth_rules *rules, struct fth_view *view, uint32_t terminals,
                     struct fth_error **error)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        uint64_t count = fth_view_count(view, 2);
        rules->rules[i] = (struct fth_rule){.first = used, .count = (uint32_t)count};
        for (uint64_t k = 0; k < count; k++) {
            uint64_t symbol = fth_view_varint(view), times = fth_view_varint(view);
            if (view->failed || times > UINT32_MAX || symbol > UINT32_MAX ||
                symbol >> 1 >= (symbol & 1 ? rules->count : terminals) ||
                (times == 0 && count == 1 && i != 0))
                return fth_fail(error, "rule %u is damaged", i);
            rules->runs[used++] = (struct fth_rule_run){(uint32_t)symbol, (uint32_t)times, 0};
        }
    }
    rules->run_count = used;
    return view->failed ? fth_fail(error, "it is truncated") : 0;
}

/* A rule that is nothing but another symbol is passed over: a chain of such rules would make a
 * cursor walk far for each terminal. Every other rule is at least two symbols, so that a terminal
 * costs O(1) on the average. */
static void pass_over(struct fth_rules *rules, struct fth_rule_run *run)
{
    const struct fth_rule *named = &rules->rules[run->symbol >> 1];
    const struct fth_rule_run *only = &rules->runs[named->first];
    if (run->times && named->count == 1 && only->times == 1)
        run->symbol = only->symbol;
}

/* Depth first, without recursion: a rule is done when all that it names are. */
static int order_rules(struct fth_rules *rules, struct fth_error **error)
{
    uint32_t *stack = fth_new(rules->count, sizeof *stack),
             *next = fth_new(rules->count, sizeof *next);
    uint8_t *open = fth_new(rules->count, 1);
    uint32_t depth = 0, done = 0;
    int status = 0;
    stack[depth++] = 0;
    open[0] = 1;
    while (depth && status == 0) {
        uint32_t at = stack[depth - 1];
        struct fth_rule *rule = &rules->rules[at];
        if (next[at] == rule->count) {
            open[at] = 0;
            rule->height++;
            rules->order[done++] = at;
            depth--;
            continue;
        }
        struct fth_rule_run *run = &rules->runs[rule->first + next[at]];
        uint64_t length = 1;
        if (run->symbol & 1) {
            uint32_t named = run->symbol >> 1;
            if (open[named]) {
                status = fth_fail(error, "rule %u contains itself", named);
                break;
            }
            if (!rules->rules[named].height) {
                stack[depth++] = named;
                open[named] = 1;
                continue;
            }
            length = rules->rules[named].length;
            if (length == 0)
                status = fth_fail(error, "rule %u is empty", named);
            else if (rule->height < rules->rules[named].height)
                rule->height = rules->rules[named].height;
            pass_over(rules, run);
        }
        rule->counted |= run->times == 0 || fth_symbol_is_counted(rules, run->symbol);
        /* or as often as its list says: see fth_rules_measure() */
        uint64_t times = run->times ? run->times : 1;
        if (status == 0 && (length > (UINT64_C(1) << 62) / times ||
                            rule->length > (UINT64_C(1) << 62) - length * times))
            status = fth_fail(error, "rule %u is too long", at);
        if (status == 0)
            rule->length += length * times;
        next[at]++;
    }
    free(stack);
    free(next);
    free(open);
    /* Unused rules would make reading a grammar cost more than the calls that it gives. */
    return status == 0 && done < rules->count
               ? fth_fail(error, "%u of its rules are not used", rules->count - done)
               : status;
}

bool *fth_rules_reach(const struct fth_rules *rules, const bool *terminals)
{
    bool *reach = fth_new(rules->count, sizeof *reach);
    for (uint32_t i = 0; i < rules->count; i++) {
        const struct fth_rule *rule = &rules->rules[rules->order[i]];
        for (uint32_t k = 0; k < rule->count; k++) {
            uint32_t symbol = rules->runs[rule->first + k].symbol;
            reach[rules->order[i]] |= symbol & 1 ? reach[symbol >> 1] : terminals[symbol >> 1];
        }
    }
    return reach;
}

static int read_rules(struct fth_rules *rules, struct fth_view *view, uint32_t terminals,
                      struct fth_error **error)
{
    uint64_t count = fth_view_count(view, 1);
    if (view->failed || count == 0)
        return fth_fail(error, "it has no rules");
    rules->count = (uint32_t)count;
    rules->terminals = terminals;
    rules->rules = fth_new(count, sizeof *rules->rules);
    rules->order = fth_new(count, sizeof *rules->order);
    rules->runs = fth_new_rows(fth_view_left(view) / 2 + 1, sizeof *rules->runs);
    if (read_runs(rules, view, terminals, error))
        return -1;
    fth_rule_lists_find(rules);
    if (order_rules(rules, error) || fth_rule_lists_read(rules, view, error))
        return -1;
    return fth_rules_open(rules) ? 0 : fth_rules_measure(rules, error);
}

struct fth_rules *fth_rules_read(const uint8_t *bytes, size_t length, uint32_t terminals,
                                 struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    struct fth_rules *rules = fth_new(1, sizeof *rules);
    if (read_rules(rules, &view, terminals, error) == 0)
        return rules;
    fth_rules_free(rules);
    return NULL;
}

struct fth_rules *fth_rules_read_packed(const uint8_t *packed, size_t length, uint32_t terminals,
                                        struct fth_error **error)
{
    struct fth_bytes text = {0};
    struct fth_rules *rules = NULL;
    if (!fth_rules_unpack(packed, length, &text))
        fth_fail(error, "it is damaged");
    else
        rules = fth_rules_read(text.data, text.length, terminals, error);
    if (rules && rules->column_count)
        rules->text = text;
    else
        fth_bytes_free(&text);
    return rules;
}

void fth_rules_free(struct fth_rules *rules)
{
    if (!rules)
        return;
    fth_bytes_free(&rules->text);
    free(rules->rules);
    free(rules->runs);
    free(rules->order);
    for (uint32_t i = 0; i < rules->column_count; i++)
        fth_count_column_free(&rules->columns[i]);
    free(rules->columns);
    free(rules->lists);
    free(rules->weights);
    free(rules->worths);
    free(rules->weights_before);
    free(rules->worths_before);
    free(rules);
}

uint32_t fth_rules_terminals(const struct fth_rules *rules)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < rules->run_count; i++)
        if (!(rules->runs[i].symbol & 1) && rules->runs[i].symbol >> 1 >= most)
            most = (rules->runs[i].symbol >> 1) + 1;
    return most;
}

uint32_t fth_rules_size(const struct fth_rules *rules)
{
    return rules->count;
}

const struct fth_rule_run *fth_rule_runs(const struct fth_rules *rules, uint32_t rule,
                                         uint32_t *count)
{
    *count = rules->rules[rule].count;
    return &rules->runs[rules->rules[rule].first];
}

bool fth_symbol_is_counted(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1 && rules->rules[symbol >> 1].counted;
}

uint64_t fth_symbol_length(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1 ? rules->rules[symbol >> 1].length : 1;
}

const uint32_t *fth_rules_order(const struct fth_rules *rules)
{
    return rules->order;
}
