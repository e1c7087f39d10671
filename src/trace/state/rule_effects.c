/* Composing effects along a grammar. */
#include "trace/state/rule_effects.h"

#include "base/memory.h"

enum {
    SHORT = 64,          /* terminals: what is shorter costs less to go through than to keep */
    MOST_KEPT = 1 << 20, /* cells of all effects that are kept */
};

/* Behind what is there: `times` times the symbol. What is long is kept. */
static void add_symbol(struct fth_rule_effects *effects, uint32_t symbol, uint64_t times,
                       struct fth_composition *composition)
{
    uint32_t rule = symbol >> 1, count;
    if (!(symbol & 1)) {
        const struct fth_effect *effect = effects->of_terminal(effects->context, symbol >> 1);
        fth_compose_power(composition, effect, times, &effects->spare);
        return;
    }
    if (effects->is_kept[rule]) {
        fth_compose_power(composition, &effects->of_rule[rule], times, &effects->spare);
        return;
    }
    const struct fth_rule_run *runs = fth_rule_runs(effects->rules, rule, &count);
    while (times--)
        for (uint32_t i = 0; i < count; i++)
            add_symbol(effects, runs[i].symbol, runs[i].times, composition);
}

/* Which rules are long, or repeated until they are, and always the same. */
static void choose_rules(struct fth_rule_effects *effects)
{
    const struct fth_rules *rules = effects->rules;
    for (uint32_t rule = 0; rule < fth_rules_size(rules); rule++) {
        uint32_t count;
        const struct fth_rule_run *runs = fth_rule_runs(rules, rule, &count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t symbol = runs[i].symbol;
            if (!(symbol & 1) || fth_symbol_is_counted(rules, symbol))
                continue;
            if (!runs[i].times || fth_symbol_length(rules, symbol) * runs[i].times >= SHORT)
                effects->is_kept[symbol >> 1] = true;
        }
    }
}

bool fth_rule_effects_open(struct fth_rule_effects *effects, const struct fth_rules *rules,
                           fth_terminal_effect *of_terminal, void *context)
{
    uint32_t rule_count = fth_rules_size(rules);
    const uint32_t *order = fth_rules_order(rules);
    uint64_t kept = 0;
    *effects =
        (struct fth_rule_effects){.rules = rules, .of_terminal = of_terminal, .context = context};
    effects->of_rule = fth_new(rule_count, sizeof *effects->of_rule);
    effects->is_kept = fth_new(rule_count, sizeof *effects->is_kept);
    choose_rules(effects);
    for (uint32_t i = 0; i < rule_count && kept < MOST_KEPT; i++) {
        uint32_t rule = order[i], count;
        if (!effects->is_kept[rule])
            continue;
        const struct fth_rule_run *runs = fth_rule_runs(rules, rule, &count);
        for (uint32_t k = 0; k < count; k++)
            add_symbol(effects, runs[k].symbol, runs[k].times, &effects->work);
        fth_composition_take(&effects->work, &effects->of_rule[rule]);
        kept += effects->of_rule[rule].count;
    }
    return kept < MOST_KEPT;
}

void fth_rule_effects_close(struct fth_rule_effects *effects)
{
    for (uint32_t i = 0; effects->of_rule && i < fth_rules_size(effects->rules); i++)
        fth_effect_free(&effects->of_rule[i]);
    free(effects->of_rule);
    free(effects->is_kept);
    fth_composition_free(&effects->work);
    fth_composition_free(&effects->spare);
}

struct visit {
    struct fth_rule_effects *effects;
    struct fth_composition *composition;
};

static void visit_symbol(void *context, uint32_t symbol, uint64_t times)
{
    struct visit *visit = context;
    add_symbol(visit->effects, symbol, times, visit->composition);
}

void fth_compose_rules(struct fth_rule_effects *effects, uint64_t length,
                       struct fth_composition *composition)
{
    struct visit visit = {effects, composition};
    struct fth_rule_cursor cursor;
    fth_rule_cursor_open(&cursor, effects->rules);
    fth_rule_cursor_skip(&cursor, length, visit_symbol, &visit);
    fth_rule_cursor_close(&cursor);
}
