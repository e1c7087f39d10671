/* Places in a grammar without lists: terminals weigh something, and are worth something. */
#include "trace/grammar/rule_nodes.h"

#include "base/memory.h"

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
    rules->weights_before = fth_new(rules->run_count, sizeof *rules->weights_before);
    for (uint32_t i = 0; i < rules->count; i++) {
        struct fth_rule *rule = &rules->rules[rules->order[i]];
        rule->length = 0;
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct fth_rule_run *run = &rules->runs[rule->first + k];
            uint64_t weight = weight_of(rules, run->symbol);
            if (weight > (UINT64_C(1) << 62) / run->times ||
                rule->length > (UINT64_C(1) << 62) - weight * run->times)
                return false;
            rules->weights_before[rule->first + k] = rule->length;
            rule->length += weight * run->times;
        }
    }
    rules->length = rules->rules[0].length;
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
    rules->worths_before = fth_new(rules->run_count, sizeof *rules->worths_before);
    for (uint32_t i = 0; i < rules->count; i++) {
        struct fth_rule *rule = &rules->rules[rules->order[i]];
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct fth_rule_run *run = &rules->runs[rule->first + k];
            rules->worths_before[rule->first + k] = rule->worth;
            rule->worth += worth_of(rules, run->symbol) * run->times;
        }
    }
}

/* The last run of a rule that does not begin behind a place in it. */
static uint32_t run_at(const struct fth_rules *rules, const struct fth_rule *rule, uint64_t place)
{
    uint32_t low = rule->first, high = rule->first + rule->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (rules->weights_before[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t fth_rules_at(const struct fth_rules *rules, uint64_t place, uint64_t *before)
{
    uint32_t symbol = 1; /* rule 0 */
    *before = 0;
    while (symbol & 1) {
        uint32_t at = run_at(rules, &rules->rules[symbol >> 1], place);
        symbol = rules->runs[at].symbol;
        place -= rules->weights_before[at];
        uint64_t weight = weight_of(rules, symbol), times = place / weight;
        place -= weight * times;
        *before += rules->worths_before[at] + worth_of(rules, symbol) * times;
    }
    return symbol >> 1;
}
