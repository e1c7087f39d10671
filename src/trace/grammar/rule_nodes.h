/* What a grammar is for those who read it. Inner header of rules.c, rule_lists.c, rule_places.c and
 * rule_cursor.c. */
#ifndef FTH_TRACE_GRAMMAR_RULE_NODES_H
#define FTH_TRACE_GRAMMAR_RULE_NODES_H

#include "trace/grammar/rules.h"

struct fth_rule_list {
    uint32_t symbol;
    bool open; /* it stands elsewhere */
    const struct fth_count_column *column;
};

struct fth_rule {
    uint32_t first, count; /* runs */
    uint32_t height;       /* rules inside one another, this one included; 0: not known yet */
    bool counted;          /* a list says how long it is */
    uint64_t length, worth;
};

struct fth_rules {
    struct fth_rule *rules;
    struct fth_rule_run *runs;
    uint32_t *order;   /* rules, each after those it names */
    uint64_t *weights; /* of terminals; NULL: 1 each */
    uint64_t *worths;  /* of terminals; NULL: 0 each */
    /* Of runs: what those before it in its rule weigh, and are worth; NULL: not asked for. */
    uint64_t *weights_before, *worths_before;
    uint32_t count, run_count, terminals;
    struct fth_rule_list *lists;      /* in ascending order of symbols */
    struct fth_count_column *columns; /* those that came with the rules */
    uint32_t list_count, column_count;
    uint64_t length;
    struct fth_bytes text; /* its own, if columns stand in it */
};

/* Makes one for each symbol that has runs of length 0. */
void fth_rule_lists_find(struct fth_rules *rules);
/* Those that stand behind the rules: to the end of the view. */
int fth_rule_lists_read(struct fth_rules *rules, struct fth_view *view, struct fth_error **error);
/* How long the whole is, and whether each list has as many counts as are taken from it. */
int fth_rules_measure(struct fth_rules *rules, struct fth_error **error);

#endif
