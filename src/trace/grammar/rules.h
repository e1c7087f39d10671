/* Reading a grammar: its rules, checked, and a cursor that gives its terminals one after another
 * without ever expanding it. */
#ifndef FTH_TRACE_GRAMMAR_RULES_H
#define FTH_TRACE_GRAMMAR_RULES_H

#include "base/error.h"
#include "trace/grammar/count_columns.h"

struct fth_rules;

/* Parses what fth_grammar_write made; the bytes must outlive it. Refuses cycles, rules that do not
 * exist, terminals >= `terminals`, lists of counts that do not fit and lengths beyond 2^62. Returns
 * NULL and sets *error then. O(bytes). */
struct fth_rules *fth_rules_read(const uint8_t *bytes, size_t length, uint32_t terminals,
                                 struct fth_error **error);
/* The same from what fth_rules_pack made; the bytes need not outlive it. */
struct fth_rules *fth_rules_read_packed(const uint8_t *packed, size_t length, uint32_t terminals,
                                        struct fth_error **error);
void fth_rules_free(struct fth_rules *rules);

/* Symbols that have runs whose lengths are in a list (those of length 0), while the list stands
 * elsewhere: how many there are. Until they are given, the rules have no length, and nothing can be
 * counted or expanded. */
uint32_t fth_rules_open(const struct fth_rules *rules);
/* As many lists, in ascending order of symbols; they must outlive the rules. O(runs). */
int fth_rules_give(struct fth_rules *rules, const struct fth_count_column *lists,
                   struct fth_error **error);
/* Are there any runs whose lengths are in a list? */
bool fth_rules_are_counted(const struct fth_rules *rules);

/* The symbol of a list, of those that are open: number i in ascending order. */
uint32_t fth_rules_open_symbol(const struct fth_rules *rules, uint32_t i);
/* Which rules have one of these terminals in them; free() it. */
bool *fth_rules_reach(const struct fth_rules *rules, const bool *terminals);

/* Terminals of the whole. */
uint64_t fth_rules_length(const struct fth_rules *rules);
/* One more than the largest of its terminals. */
uint32_t fth_rules_terminals(const struct fth_rules *rules);
/* Adds how often each terminal occurs to counts[terminal]; lists count as they are. O(runs). */
void fth_rules_count(const struct fth_rules *rules, uint64_t *counts);

/* The following three are about rules without lists. From here on terminal i counts as weights[i]
 * >= 1 of them in fth_rules_length. False: it is too long then. */
bool fth_rules_weigh(struct fth_rules *rules, const uint64_t *weights);
/* Terminal i is worth worths[i]: for fth_rules_at. */
void fth_rules_value(struct fth_rules *rules, const uint64_t *worths);
/* The terminal at a place below the length, and what all terminals before it are worth, modulo
 * 2^64; of rules that are weighed and valued. O(rules that it is in * log(their runs)). */
uint32_t fth_rules_at(const struct fth_rules *rules, uint64_t place, uint64_t *before);

/* Its rules from 0, and the runs of each, for those who go through a grammar themselves. An even
 * symbol is terminal symbol / 2, an odd one rule symbol / 2. */
struct fth_rule_run {
    uint32_t symbol, times; /* 0: the next of its list */
    uint32_t list;
};
uint32_t fth_rules_size(const struct fth_rules *rules);
const struct fth_rule_run *fth_rule_runs(const struct fth_rules *rules, uint32_t rule,
                                         uint32_t *count);
/* Is it a rule that takes counts from lists? Then it is not the same each time. */
bool fth_symbol_is_counted(const struct fth_rules *rules, uint32_t symbol);
/* Terminals of a symbol that is not counted. */
uint64_t fth_symbol_length(const struct fth_rules *rules, uint32_t symbol);
/* All rules, each after those that it names. */
const uint32_t *fth_rules_order(const struct fth_rules *rules);

struct fth_rule_frame {
    uint32_t rule, run, left;
};
struct fth_rule_cursor {
    const struct fth_rules *rules;
    struct fth_rule_frame *frames; /* as many as rules can nest */
    uint32_t depth;
    uint32_t terminal, times; /* the run that is being given */
    struct fth_rule_place {
        uint64_t next;
        uint32_t line;
    } * places;      /* in the lists */
    bool with_empty; /* gives runs of length 0, too */
};
void fth_rule_cursor_open(struct fth_rule_cursor *cursor, const struct fth_rules *rules);
void fth_rule_cursor_close(struct fth_rule_cursor *cursor);
/* One more, to be closed, that stands where this one does. O(fth_rule_cursor_size). */
struct fth_rule_cursor fth_rule_cursor_copy(const struct fth_rule_cursor *cursor);
uint64_t fth_rule_cursor_size(const struct fth_rule_cursor *cursor);
/* The next run of one terminal: false at the end. */
bool fth_rule_cursor_run(struct fth_rule_cursor *cursor, uint32_t *terminal, uint32_t *times);
/* Goes over so many terminals, and reports which symbols they are of: rules as a whole, unless they
 * are counted or the last terminal is in them. O(runs of the rules that are counted or that the
 * last one is in). */
typedef void fth_rule_visit(void *context, uint32_t symbol, uint64_t times);
void fth_rule_cursor_skip(struct fth_rule_cursor *cursor, uint64_t count, fth_rule_visit *visit,
                          void *context);
/* The next terminal: false at the end. */
static inline bool fth_rule_cursor_next(struct fth_rule_cursor *cursor, uint32_t *terminal)
{
    if (cursor->times == 0 && !fth_rule_cursor_run(cursor, &cursor->terminal, &cursor->times))
        return false;
    cursor->times--;
    *terminal = cursor->terminal;
    return true;
}

#endif
