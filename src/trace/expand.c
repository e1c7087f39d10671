/* Rules of a grammar and a cursor over them. */
#include "trace/expand.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>

struct run {
    uint32_t symbol, times;
};

struct rule {
    uint32_t first, count; /* runs */
    uint32_t height;       /* rules inside one another, this one included; 0: not known yet */
    uint64_t length, worth;
};

struct fth_rules {
    struct rule *rules;
    struct run *runs;
    uint32_t *order;   /* rules, each after those it names */
    uint64_t *weights; /* of terminals; NULL: 1 each */
    uint64_t *worths;  /* of terminals; NULL: 0 each */
    uint32_t count, run_count, terminals;
};

static int read_runs(struct fth_rules *rules, struct fth_view *view, uint32_t terminals,
                     struct fth_error **error)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        uint64_t count = fth_view_count(view, 2);
        rules->rules[i] = (struct rule){.first = used, .count = (uint32_t)count};
        for (uint64_t k = 0; k < count; k++) {
            uint64_t symbol = fth_view_varint(view), times = fth_view_varint(view);
            if (view->failed || times == 0 || times > UINT32_MAX || symbol > UINT32_MAX ||
                symbol >> 1 >= (symbol & 1 ? rules->count : terminals))
                return fth_fail(error, "rule %u is damaged", i);
            rules->runs[used++] = (struct run){(uint32_t)symbol, (uint32_t)times};
        }
    }
    rules->run_count = used;
    return view->failed || view->at != view->end ? fth_fail(error, "it is cut or too long") : 0;
}

/* A rule that is nothing but another symbol is passed over: a chain of such rules would make a cursor walk far for each terminal. Every
 * other rule is at least two symbols, so that a terminal costs O(1) on the average. */
static void pass_over(struct fth_rules *rules, struct run *run)
{
    const struct rule *named = &rules->rules[run->symbol >> 1];
    const struct run *only = &rules->runs[named->first];
    if (named->count == 1 && only->times == 1)
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
        struct rule *rule = &rules->rules[at];
        if (next[at] == rule->count) {
            open[at] = 0;
            rule->height++;
            rules->order[done++] = at;
            depth--;
            continue;
        }
        struct run *run = &rules->runs[rule->first + next[at]];
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
        if (status == 0 && (length > (UINT64_C(1) << 62) / run->times ||
                            rule->length > (UINT64_C(1) << 62) - length * run->times))
            status = fth_fail(error, "rule %u is too long", at);
        if (status == 0)
            rule->length += length * run->times;
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

struct fth_rules *fth_rules_read(const uint8_t *bytes, size_t length, uint32_t terminals,
                                 struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t count = fth_view_count(&view, 1);
    if (view.failed || count == 0) {
        fth_fail(error, "it has no rules");
        return NULL;
    }
    struct fth_rules *rules = fth_new(1, sizeof *rules);
    rules->count = (uint32_t)count;
    rules->terminals = terminals;
    rules->rules = fth_new(count, sizeof *rules->rules);
    rules->order = fth_new(count, sizeof *rules->order);
    rules->runs = fth_new(length / 2 + 1, sizeof *rules->runs);
    if (read_runs(rules, &view, terminals, error) || order_rules(rules, error)) {
        fth_rules_free(rules);
        return NULL;
    }
    return rules;
}

void fth_rules_free(struct fth_rules *rules)
{
    if (!rules)
        return;
    free(rules->rules);
    free(rules->runs);
    free(rules->order);
    free(rules->weights);
    free(rules->worths);
    free(rules);
}

uint64_t fth_rules_length(const struct fth_rules *rules)
{
    return rules->rules[0].length;
}

uint32_t fth_rules_terminals(const struct fth_rules *rules)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < rules->run_count; i++)
        if (!(rules->runs[i].symbol & 1) && rules->runs[i].symbol >> 1 >= most)
            most = (rules->runs[i].symbol >> 1) + 1;
    return most;
}

static uint64_t weight_of(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1       ? rules->rules[symbol >> 1].length
           : rules->weights ? rules->weights[symbol >> 1]
                            : 1;
}

bool fth_rules_weigh(struct fth_rules *rules, const uint64_t *weights)
{
    rules->weights = fth_new(rules->terminals, sizeof *rules->weights);
    memcpy(rules->weights, weights, rules->terminals * sizeof *weights);
    for (uint32_t i = 0; i < rules->count; i++) {
        struct rule *rule = &rules->rules[rules->order[i]];
        rule->length = 0;
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct run *run = &rules->runs[rule->first + k];
            uint64_t weight = weight_of(rules, run->symbol);
            if (weight > (UINT64_C(1) << 62) / run->times ||
                rule->length > (UINT64_C(1) << 62) - weight * run->times)
                return false;
            rule->length += weight * run->times;
        }
    }
    return true;
}

static uint64_t worth_of(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1      ? rules->rules[symbol >> 1].worth
           : rules->worths ? rules->worths[symbol >> 1]
                           : 0;
}

void fth_rules_value(struct fth_rules *rules, const uint64_t *worths)
{
    rules->worths = fth_new(rules->terminals, sizeof *rules->worths);
    memcpy(rules->worths, worths, rules->terminals * sizeof *worths);
    for (uint32_t i = 0; i < rules->count; i++) {
        struct rule *rule = &rules->rules[rules->order[i]];
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct run *run = &rules->runs[rule->first + k];
            rule->worth += worth_of(rules, run->symbol) * run->times;
        }
    }
}

uint32_t fth_rules_at(const struct fth_rules *rules, uint64_t place, uint64_t *before)
{
    const struct run *run = &rules->runs[rules->rules[0].first];
    uint64_t sum = 0;
    for (;;) {
        uint64_t weight = weight_of(rules, run->symbol), times = place / weight;
        if (times >= run->times) {
            place -= weight * run->times;
            sum += worth_of(rules, run->symbol) * run->times;
            run++;
            continue;
        }
        place -= weight * times;
        sum += worth_of(rules, run->symbol) * times;
        if (!(run->symbol & 1))
            break;
        run = &rules->runs[rules->rules[run->symbol >> 1].first];
    }
    if (before)
        *before = sum;
    return run->symbol >> 1;
}

void fth_rules_count(const struct fth_rules *rules, uint64_t *counts)
{
    uint64_t *uses = fth_new(rules->count, sizeof *uses);
    uses[0] = 1;
    for (uint32_t i = rules->count; i-- > 0;) {
        uint32_t at = rules->order[i];
        const struct rule *rule = &rules->rules[at];
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct run *run = &rules->runs[rule->first + k];
            uint64_t *count = run->symbol & 1 ? &uses[run->symbol >> 1] : &counts[run->symbol >> 1];
            *count += uses[at] * run->times;
        }
    }
    free(uses);
}

void fth_rule_cursor_open(struct fth_rule_cursor *cursor, const struct fth_rules *rules)
{
    *cursor = (struct fth_rule_cursor){.rules = rules};
    cursor->frames = fth_new((size_t)rules->rules[0].height + 1, sizeof *cursor->frames);
    cursor->frames[0] = (struct fth_rule_frame){0, 0, 0};
    cursor->depth = 1;
}

void fth_rule_cursor_close(struct fth_rule_cursor *cursor)
{
    free(cursor->frames);
    cursor->frames = NULL;
}

bool fth_rule_cursor_run(struct fth_rule_cursor *cursor, uint32_t *terminal, uint32_t *times)
{
    const struct fth_rules *rules = cursor->rules;
    while (cursor->depth) {
        struct fth_rule_frame *frame = &cursor->frames[cursor->depth - 1];
        const struct rule *rule = &rules->rules[frame->rule];
        if (frame->run == rule->count) {
            cursor->depth--;
            continue;
        }
        const struct run *run = &rules->runs[rule->first + frame->run];
        if (!(run->symbol & 1)) {
            frame->run++;
            *terminal = run->symbol >> 1;
            *times = run->times;
            return true;
        }
        if (frame->left == 0)
            frame->left = run->times;
        if (--frame->left == 0)
            frame->run++;
        cursor->frames[cursor->depth++] = (struct fth_rule_frame){run->symbol >> 1, 0, 0};
    }
    return false;
}
