/* Appending to a grammar: runs that grow, loops that are followed, and which lengths leave it.
 *
 * The cursor: once the start rule ends in a loop R^n with n >= 2, the flattened body of R is
 * compared with what comes; as long as it fits, a whole turn costs one comparison per run and one
 * addition. For a run whose length left the grammar it takes any length.
 *
 * The echo (grammar_echo.c): else, once the last node stood somewhere before, what comes is
 * compared with what is behind it there.
 *
 * The trial: where little repeats, looking for pairs is most of the work, and the few rules that
 * come of it take more bytes than runs that stand in a row, which zstd has behind it. So the nodes
 * that a number of runs become are counted, and if they are more than half as many, the next runs
 * stay as they are: as many, then twice as many, until a trial is worth it again. */
#include "trace/grammar/grammar_nodes.h"

enum {
    TRIAL = 1024,           /* runs */
    MOST_PAUSE = 64 * TRIAL /* between two trials */
};

static void append_run(struct fth_grammar *grammar, uint32_t symbol, uint32_t length)
{
    fth_grammar_queue(grammar, fth_grammar_put_behind(grammar, symbol, length));
    fth_grammar_settle(grammar);
}

/* Flattens the body of `rule` into the cursor's; false when it is too long. */
static bool flatten(struct fth_grammar *grammar, uint32_t rule, unsigned nesting)
{
    uint32_t guard = grammar->rules[rule].guard;
    for (uint32_t node = grammar->nodes[guard].next; node != guard;
         node = grammar->nodes[node].next) {
        struct run run = {grammar->nodes[node].symbol, grammar->nodes[node].length};
        if (!IS_RULE(run.symbol)) {
            if (grammar->body_length == FTH_GRAMMAR_BODY)
                return false;
            grammar->body[grammar->body_length++] = run;
            continue;
        }
        if (nesting == 32 || !run.length || run.length > FTH_GRAMMAR_BODY)
            return false;
        while (run.length--)
            if (!flatten(grammar, RULE_OF(run.symbol), nesting + 1))
                return false;
    }
    return true;
}

/* The terminal that the rule begins with, or ends with. */
static uint32_t first_of(const struct fth_grammar *grammar, uint32_t rule)
{
    uint32_t symbol = rule << 1 | 1;
    while (IS_RULE(symbol))
        symbol = grammar->nodes[grammar->nodes[grammar->rules[RULE_OF(symbol)].guard].next].symbol;
    return symbol;
}

static uint32_t last_of(const struct fth_grammar *grammar, uint32_t rule)
{
    uint32_t symbol = rule << 1 | 1;
    while (IS_RULE(symbol))
        symbol =
            grammar->nodes[grammar->nodes[grammar->rules[RULE_OF(symbol)].guard].previous].symbol;
    return symbol;
}

/* Of a loop, from the terminals at its ends. */
static uint32_t hash_of_ends(uint32_t first, uint32_t last)
{
    return (uint32_t)((first * 0x9E3779B97F4A7C15u ^ last) * 0xBF58476D1CE4E5B9u >> 32);
}

/* What goes around in the loop that is followed: its terminals, however often each; its ends are
 * the lower half. Two loops that look alike by chance do no harm. */
static uint64_t followed_loop(const struct fth_grammar *grammar)
{
    uint64_t hash = grammar->body_length;
    for (uint32_t i = 0; i < grammar->body_length; i++)
        hash = (hash ^ grammar->body[i].symbol ^ hash >> 32) * 0x9E3779B97F4A7C15u;
    return hash >> 32 << 32 |
           hash_of_ends(grammar->body[0].symbol, grammar->body[grammar->body_length - 1].symbol);
}

static bool is_known(const struct fth_counts *counts, uint64_t loop)
{
    for (uint32_t i = 0; i < counts->loop_count; i++)
        if (counts->loops[i] == loop)
            return true;
    return false;
}

/* Might the rule be a known loop? Long rules come with every call of what repeats, and most of them
 * have other ends. */
static bool may_be_known(const struct fth_grammar *grammar, uint32_t rule)
{
    const struct fth_counts *counts = &grammar->counts;
    if (!counts->loop_count)
        return false;
    uint32_t ends = hash_of_ends(first_of(grammar, rule), last_of(grammar, rule));
    for (uint32_t i = 0; i < counts->loop_count; i++)
        if ((uint32_t)counts->loops[i] == ends)
            return true;
    return false;
}

/* Adds the lengths of the symbol's runs below `rule` to its list, or, with list -1, only looks how
 * many there are. False: they are too many, or their order is not to be seen from here. */
static bool list_runs(struct fth_grammar *grammar, uint32_t rule, uint32_t symbol, int64_t list,
                      uint32_t *budget)
{
    const struct node *nodes = grammar->nodes;
    uint32_t guard = grammar->rules[rule].guard;
    for (uint32_t node = nodes[guard].next; node != guard; node = nodes[node].next) {
        if (*budget == 0)
            return false;
        --*budget;
        if (nodes[node].symbol == symbol) {
            if (list >= 0)
                fth_counts_put(&grammar->counts, (uint32_t)list, nodes[node].length);
            continue;
        }
        if (!IS_RULE(nodes[node].symbol))
            continue;
        if (!nodes[node].length)
            return false;
        for (uint32_t i = 0; i < nodes[node].length; i++)
            if (!list_runs(grammar, RULE_OF(nodes[node].symbol), symbol, list, budget))
                return false;
    }
    return true;
}

/* Runs of the rule that are in the grammar already become counted ones. */
static void count_earlier_runs(struct fth_grammar *grammar, uint32_t symbol, int64_t list)
{
    enum { MOST = 4096 };
    uint32_t budget = MOST;
    struct node *nodes = grammar->nodes;
    if (grammar->counts.used + 2 * MOST > grammar->counts.limit ||
        !list_runs(grammar, START, symbol, -1, &budget))
        return;
    budget = MOST;
    list_runs(grammar, START, symbol, list, &budget);
    for (uint32_t node = 1; node < grammar->node_top; node++) {
        if (nodes[node].symbol != symbol || !nodes[node].length)
            continue;
        fth_grammar_forget(grammar, nodes[node].previous);
        fth_grammar_forget(grammar, node);
        nodes[node].length = 0;
        fth_grammar_queue(grammar, nodes[node].previous);
        fth_grammar_queue(grammar, node);
        fth_grammar_settle(grammar);
        node = 0; /* others have moved */
    }
}

/* The loop that the start rule ends in is known to be one that is counted: as if it had been so
 * from the beginning. The run itself goes on. */
static void count_known_loop(struct fth_grammar *grammar)
{
    uint32_t guard = grammar->rules[START].guard, last = grammar->nodes[guard].previous;
    struct node run = grammar->nodes[last];
    int64_t list = fth_counts_begin(&grammar->counts, run.symbol);
    if (list < 0 || grammar->rules[RULE_OF(run.symbol)].uses < 2)
        return;
    fth_grammar_forget(grammar, run.previous);
    fth_grammar_join(grammar, run.previous, guard);
    fth_grammar_drop_node(grammar, last);
    count_earlier_runs(grammar, run.symbol, list);
    append_run(grammar, run.symbol, run.length);
}

/* Follows the loop that the start rule ends in, if it does. One that is counted is followed from
 * its first turn on: where it ends, its length leaves the grammar, and it must not be cut
 * before. */
static void start_following(struct fth_grammar *grammar)
{
    uint32_t guard = grammar->rules[START].guard, last = grammar->nodes[guard].previous;
    uint32_t symbol = grammar->nodes[last].symbol, length = grammar->nodes[last].length;
    if ((symbol & GUARD) || !IS_RULE(symbol) || !length)
        return;
    bool counted = fth_counts_find(&grammar->counts, symbol) >= 0;
    if (length == 1 && !counted && !may_be_known(grammar, RULE_OF(symbol)))
        return;
    if (!flatten(grammar, RULE_OF(symbol), 0))
        grammar->body_length = 0;
    if (grammar->body_length && !counted && is_known(&grammar->counts, followed_loop(grammar))) {
        count_known_loop(grammar);
        last = grammar->nodes[guard].previous;
        counted = grammar->nodes[last].symbol == symbol;
        length = 1;
    }
    if (length == 1 && !counted)
        grammar->body_length = 0;
    if (grammar->body_length)
        fth_grammar_forget(grammar, grammar->nodes[last].previous);
    grammar->body_at = 0;
}

/* Begins to compare what comes with what is expected to, if anything is. */
static void start_comparing(struct fth_grammar *grammar)
{
    start_following(grammar);
    if (!grammar->body_length)
        fth_grammar_start_echo(grammar);
}

/* The list of a loop that has ended, or -1. One in which nothing but counted runs goes around is
 * counted at once: it waits for something. */
static int64_t judge_loop(struct fth_grammar *grammar, const struct node *loop)
{
    uint32_t counted = 0;
    while (counted < grammar->body_length && !grammar->body[counted].length)
        counted++;
    int64_t list = counted == grammar->body_length
                       ? fth_counts_begin(&grammar->counts, loop->symbol)
                       : fth_counts_judge(&grammar->counts, loop->symbol, loop->length);
    if (list >= 0)
        grammar->counts.lists[list].loop = followed_loop(grammar);
    return list;
}

/* Leaves the loop, whose length is known now: what was compared of an unfinished turn is appended
 * after all. */
static void stop_following(struct fth_grammar *grammar)
{
    uint32_t guard = grammar->rules[START].guard, last = grammar->nodes[guard].previous;
    uint32_t begun = grammar->body_at;
    struct node *loop = &grammar->nodes[last];
    int64_t list = judge_loop(grammar, loop);
    if (list >= 0) {
        fth_counts_put(&grammar->counts, (uint32_t)list, loop->length);
        loop->length = 0;
    }
    grammar->body_length = grammar->body_at = 0;
    fth_grammar_queue(grammar, grammar->nodes[last].previous);
    fth_grammar_settle(grammar);
    for (uint32_t i = 0; i < begun; i++)
        append_run(grammar, grammar->body[i].symbol, grammar->body[i].length);
}

/* Moves the run's length to the list of its symbol, if it has one. */
static void count(struct fth_grammar *grammar, struct run *run)
{
    int64_t list = fth_counts_judge(&grammar->counts, run->symbol, run->length);
    if (list < 0)
        return;
    fth_counts_put(&grammar->counts, (uint32_t)list, run->length);
    run->length = 0;
}

/* A run has become so many nodes: less than 0 where it has made others one. */
static void judge_trial(struct trial *trial, uint32_t nodes)
{
    trial->made += nodes;
    if (++trial->tried < TRIAL)
        return;
    if ((int32_t)trial->made < TRIAL / 2)
        trial->pause = 0;
    else if (trial->pause < MOST_PAUSE)
        trial->pause = trial->pause ? trial->pause * 2 : TRIAL;
    trial->plain = trial->pause;
    trial->tried = trial->made = 0;
}

static void take(struct fth_grammar *grammar, struct run run)
{
    if (grammar->body_length) {
        const struct run *expected = &grammar->body[grammar->body_at];
        if (expected->symbol == run.symbol &&
            (expected->length == run.length || !expected->length)) {
            if (!expected->length)
                count(grammar, &run);
            if (++grammar->body_at == grammar->body_length) {
                uint32_t guard = grammar->rules[START].guard;
                grammar->nodes[grammar->nodes[guard].previous].length++;
                grammar->body_at = 0;
            }
            return;
        }
        stop_following(grammar);
    }
    count(grammar, &run);
    uint32_t before = grammar->node_used;
    if (grammar->echo.begin && fth_grammar_echoes(grammar, run)) {
        if (!grammar->echo.begin)
            start_comparing(grammar);
        judge_trial(&grammar->trial, grammar->node_used - before);
        return;
    }
    if (grammar->trial.plain) {
        grammar->trial.plain--;
        fth_grammar_put_behind(grammar, run.symbol, run.length);
        return;
    }
    append_run(grammar, run.symbol, run.length);
    start_comparing(grammar);
    judge_trial(&grammar->trial, grammar->node_used - before);
}

void fth_grammar_append_run(struct fth_grammar *grammar, uint32_t terminal, uint32_t count)
{
    uint32_t symbol = terminal << 1;
    grammar->length += count;
    if (grammar->pending.symbol == symbol && grammar->pending.length <= UINT32_MAX / 2 - count) {
        grammar->pending.length += count;
        return;
    }
    struct run finished = grammar->pending;
    grammar->pending = (struct run){symbol, count};
    if (finished.length)
        take(grammar, finished);
    if (!grammar->body_length && !grammar->echo.begin && !grammar->trial.plain)
        fth_grammar_expect(grammar, finished, symbol);
}

void fth_grammar_append(struct fth_grammar *grammar, uint32_t terminal)
{
    fth_grammar_append_run(grammar, terminal, 1);
}

void fth_grammar_count(struct fth_grammar *grammar, uint32_t terminal)
{
    fth_counts_begin(&grammar->counts, terminal << 1);
}

void fth_grammar_know(struct fth_grammar *grammar, uint64_t loop)
{
    struct fth_counts *counts = &grammar->counts;
    if (counts->limit && counts->loop_count < FTH_KNOWN_LOOPS && !is_known(counts, loop))
        counts->loops[counts->loop_count++] = loop;
}

uint32_t fth_grammar_lists(const struct fth_grammar *grammar)
{
    return grammar->counts.list_count;
}

bool fth_grammar_list_terminal(const struct fth_grammar *grammar, uint32_t list, uint32_t *terminal,
                               uint64_t *loop)
{
    const struct fth_count_list *of = &grammar->counts.lists[list];
    *terminal = of->symbol >> 1;
    *loop = of->loop;
    return !IS_RULE(of->symbol);
}

/* The growing run ends. */
static void end_run(struct fth_grammar *grammar)
{
    struct run last = grammar->pending;
    grammar->pending.length = 0;
    if (last.length)
        take(grammar, last);
}

void fth_grammar_append_none(struct fth_grammar *grammar, uint32_t terminal)
{
    struct run none = {.symbol = terminal << 1};
    if ((grammar->pending.length && grammar->pending.symbol == none.symbol) ||
        fth_counts_find(&grammar->counts, none.symbol) < 0)
        return;
    end_run(grammar);
    take(grammar, none);
}

void fth_grammar_finish(struct fth_grammar *grammar)
{
    end_run(grammar);
    if (grammar->body_length)
        stop_following(grammar);
    fth_grammar_end_echo(grammar);
}

bool fth_grammar_full(const struct fth_grammar *grammar)
{
    return grammar->node_used + 2 * FTH_GRAMMAR_BODY + 64 > grammar->node_limit ||
           grammar->length >> 31 || fth_grammar_counts_full(grammar);
}

bool fth_grammar_counts_full(const struct fth_grammar *grammar)
{
    const struct fth_counts *counts = &grammar->counts;
    return counts->used + 2 * FTH_GRAMMAR_BODY > counts->limit && counts->limit;
}

uint64_t fth_grammar_length(const struct fth_grammar *grammar)
{
    return grammar->length;
}
