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
    for (uint32_t i = 0; i < rules->count; i++) {
        struct fth_rule *rule = &rules->rules[rules->order[i]];
        rule->length = 0;
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct fth_rule_run *run = &rules->runs[rule->first + k];
            uint64_t weight = weight_of(rules, run->symbol);
            if (weight > (UINT64_C(1) << 62) / run->times ||
                rule->length > (UINT64_C(1) << 62) - weight * run->times)
                return false;
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
    for (uint32_t i = 0; i < rules->count; i++) {
        struct fth_rule *rule = &rules->rules[rules->order[i]];
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct fth_rule_run *run = &rules->runs[rule->first + k];
            rule->worth += worth_of(rules, run->symbol) * run->times;
        }
    }
}

uint32_t fth_rules_at(const struct fth_rules *rules, uint64_t place, uint64_t *before)
{
    const struct fth_rule_run *run = &rules->runs[rules->rules[0].first];
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
