/* Packing and unpacking the rules of a grammar: see packed_rules.h. */
#include "trace/grammar/packed_rules.h"

#include "base/memory.h"

/* A run of a rule; the runs of one rule are linked, as those of other rules come between them. */
struct run {
    uint32_t symbol, next; /* next: + 1 */
    uint64_t times;
};
struct rule {
    uint32_t first, last; /* runs + 1 */
    uint32_t count, left; /* left: to be gone through */
    uint32_t number;      /* + 1; 0: it has none yet */
};
struct rules {
    struct rule *rules;
    uint32_t rule_count;
    struct run *runs;
    uint32_t run_count;
    uint32_t *stack; /* rules that are being gone through, the innermost one last */
    uint32_t depth;
};

static void free_rules(struct rules *rules)
{
    free(rules->rules);
    free(rules->runs);
    free(rules->stack);
}

static void add_run(struct rules *rules, uint32_t rule, uint32_t symbol, uint64_t times)
{
    struct rule *to = &rules->rules[rule];
    FTH_GROW(rules->runs, rules->run_count);
    rules->runs[rules->run_count++] = (struct run){.symbol = symbol, .times = times};
    if (to->last)
        rules->runs[to->last - 1].next = rules->run_count;
    else
        to->first = rules->run_count;
    to->last = rules->run_count;
}

static void enter(struct rules *rules, uint32_t rule)
{
    rules->stack[rules->depth++] = rule;
}

/* The distance to what is expected, and what is expected next. */
static uint64_t distance_to(uint32_t terminal, uint32_t *expected)
{
    int64_t distance = (int64_t)terminal - *expected;
    *expected = terminal + 1;
    return fth_zigzag(distance);
}

/* ---- packing ---- */

static void take_rules(struct rules *rules, struct fth_view *view)
{
    rules->rule_count = (uint32_t)fth_view_varint(view);
    rules->rules = fth_new(rules->rule_count, sizeof *rules->rules);
    rules->stack = fth_new(rules->rule_count, sizeof *rules->stack);
    for (uint32_t i = 0; i < rules->rule_count; i++) {
        uint32_t count = (uint32_t)fth_view_varint(view);
        rules->rules[i].count = rules->rules[i].left = count;
        for (; count; count--) {
            uint32_t symbol = (uint32_t)fth_view_varint(view);
            add_run(rules, i, symbol, fth_view_varint(view));
        }
    }
}

void fth_rules_pack(const uint8_t *text, size_t length, struct fth_bytes *to)
{
    struct fth_view view = fth_view_of(text, length);
    struct rules rules = {0};
    uint32_t expected = 0, begun = 1;
    take_rules(&rules, &view);
    fth_bytes_varint(to, rules.rule_count);
    fth_bytes_varint(to, rules.rules[0].count);
    rules.rules[0].number = begun;
    enter(&rules, 0);
    while (rules.depth) {
        struct rule *rule = &rules.rules[rules.stack[rules.depth - 1]];
        if (!rule->left--) {
            rules.depth--;
            continue;
        }
        const struct run *run = &rules.runs[rule->first - 1];
        struct rule *named = run->symbol & 1 ? &rules.rules[run->symbol >> 1] : NULL;
        rule->first = run->next;
        if (!named)
            fth_bytes_varint(to, 2 * distance_to(run->symbol >> 1, &expected));
        else
            fth_bytes_varint(to, 2 * (uint64_t)(named->number ? begun + 1 - named->number : 0) + 1);
        fth_bytes_varint(to, run->times);
        if (!named || named->number)
            continue;
        fth_bytes_varint(to, named->count);
        named->number = ++begun;
        enter(&rules, run->symbol >> 1);
    }
    fth_bytes_put(to, view.at, fth_view_left(&view)); /* lists */
    free_rules(&rules);
}

/* ---- unpacking ---- */

static bool begin_rule(struct rules *rules, struct fth_view *view, uint32_t most)
{
    if (rules->rule_count == most)
        return false;
    uint32_t count = (uint32_t)fth_view_count(view, 2);
    rules->rules[rules->rule_count].count = rules->rules[rules->rule_count].left = count;
    enter(rules, rules->rule_count++);
    return !view->failed;
}

static bool read_run(struct rules *rules, uint32_t rule, struct fth_view *view, uint32_t most,
                     uint32_t *expected)
{
    uint64_t head = fth_view_varint(view), times = fth_view_varint(view), value = head >> 1;
    if (view->failed)
        return false;
    if (!(head & 1)) {
        int64_t terminal = (int64_t)((uint64_t)fth_unzigzag(value) + *expected);
        if (terminal < 0 || terminal >= UINT32_MAX / 2)
            return false;
        *expected = (uint32_t)terminal + 1;
        add_run(rules, rule, (uint32_t)terminal << 1, times);
        return true;
    }
    if (value > rules->rule_count)
        return false;
    uint32_t named = value ? rules->rule_count - (uint32_t)value : rules->rule_count;
    add_run(rules, rule, named << 1 | 1, times);
    return value || begin_rule(rules, view, most);
}

static bool read_rules(struct rules *rules, struct fth_view *view)
{
    uint64_t most = fth_view_count(view, 1);
    uint32_t expected = 0;
    if (view->failed || most == 0)
        return false;
    rules->rules = fth_new(most, sizeof *rules->rules);
    rules->stack = fth_new(most, sizeof *rules->stack);
    if (!begin_rule(rules, view, (uint32_t)most))
        return false;
    while (rules->depth) {
        uint32_t rule = rules->stack[rules->depth - 1];
        if (!rules->rules[rule].left--)
            rules->depth--;
        else if (!read_run(rules, rule, view, (uint32_t)most, &expected))
            return false;
    }
    return rules->rule_count == most;
}

/* Rules get their numbers in order of their first use, rule after rule, as fth_grammar_write has
 * it. */
static void put_rules(struct rules *rules, struct fth_bytes *text)
{
    uint32_t *order = rules->stack, numbered = 1;
    order[0] = 0;
    rules->rules[0].number = 1;
    fth_bytes_varint(text, rules->rule_count);
    for (uint32_t i = 0; i < rules->rule_count; i++) {
        const struct rule *rule = &rules->rules[order[i]];
        fth_bytes_varint(text, rule->count);
        for (uint32_t at = rule->first; at; at = rules->runs[at - 1].next) {
            uint32_t symbol = rules->runs[at - 1].symbol;
            struct rule *named = symbol & 1 ? &rules->rules[symbol >> 1] : NULL;
            if (named && !named->number) {
                order[numbered] = symbol >> 1;
                named->number = ++numbered;
            }
            fth_bytes_varint(text, named ? (named->number - 1) << 1 | 1 : symbol);
            fth_bytes_varint(text, rules->runs[at - 1].times);
        }
    }
}

bool fth_rules_unpack(const uint8_t *packed, size_t length, struct fth_bytes *text)
{
    struct fth_view view = fth_view_of(packed, length);
    struct rules rules = {0};
    bool good = read_rules(&rules, &view);
    if (good) {
        put_rules(&rules, text);
        fth_bytes_put(text, view.at, fth_view_left(&view));
    }
    free_rules(&rules);
    return good;
}
