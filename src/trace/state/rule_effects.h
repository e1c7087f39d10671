/* The effect of the first so many calls of a grammar, without going through them: the effect of
 * each rule is composed once. Rules that take counts from lists are another one each time, so it
 * goes through their runs: a poll of any number of calls is one of these. */
#ifndef FTH_TRACE_STATE_RULE_EFFECTS_H
#define FTH_TRACE_STATE_RULE_EFFECTS_H

#include "trace/state/effect.h"
#include "trace/grammar/rules.h"

/* The effect of a terminal; it must stay as long as it is used. */
typedef const struct fth_effect *fth_terminal_effect(void *context, uint32_t terminal);

struct fth_rule_effects {
    const struct fth_rules *rules;
    fth_terminal_effect *of_terminal;
    void *context;
    struct fth_effect *of_rule;
    bool *is_kept;
    struct fth_composition work, spare;
};
/* Composes the effects of rules. The rules must outlive it. False: they would take too much memory;
 * nothing can be asked of it then. O(runs times the cells that they touch). */
bool fth_rule_effects_open(struct fth_rule_effects *effects, const struct fth_rules *rules,
                           fth_terminal_effect *of_terminal, void *context);
void fth_rule_effects_close(struct fth_rule_effects *effects);
/* Composes the first `length` terminals behind what is there. O(runs of the rules that the last one
 * is in, or that take counts from lists). */
void fth_compose_rules(struct fth_rule_effects *effects, uint64_t length,
                       struct fth_composition *composition);

#endif
