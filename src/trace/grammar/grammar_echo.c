/* The echo: a stretch that came before, and comes again. Sequitur would make its rule longer by one
 * run with each run that comes, by taking pairs out of the table and putting others in. Instead,
 * runs are only compared with those behind the earlier occurrence of the last node, as long as they
 * are the same; then all of them go into one rule at once: the nodes of the earlier stretch move
 * there, whose pairs stay in the table as they are.
 *
 *     ... X P Q R S ...    T    and then the runs of P, Q and the beginning of R come,
 *     ... N R S ...        N    and what R begins with; N is X P Q.
 *
 * R may be a rule: its own nodes up to where something else came are a rule of their own then, and
 * so on down to the run itself. A loop is not cut where it ends: if it goes on here longer than
 * there, it is not part of what was the same. */
#include "trace/grammar/grammar_nodes.h"

#include <string.h>

/* ---- what is expected ---- */

static bool is_rule(const struct fth_grammar *grammar, uint32_t node)
{
    return !(grammar->nodes[node].symbol & GUARD) && IS_RULE(grammar->nodes[node].symbol);
}

static uint32_t first_in(const struct fth_grammar *grammar, uint32_t node)
{
    return grammar->nodes[grammar->rules[RULE_OF(grammar->nodes[node].symbol)].guard].next;
}

static uint32_t last_node(const struct fth_grammar *grammar)
{
    return grammar->nodes[grammar->rules[START].guard].previous;
}

/* The path goes on to this node, and down to the run that it begins with, if it is known how often
 * what is on the way there goes around. */
static void go_to(struct fth_grammar *grammar, uint32_t depth, uint32_t node)
{
    struct echo *echo = &grammar->echo;
    echo->path[depth] = (struct echo_place){node, 0};
    echo->is_over = (grammar->nodes[node].symbol & GUARD) || node == last_node(grammar);
    while (!echo->is_over && is_rule(grammar, node)) {
        echo->is_over = !grammar->nodes[node].length || depth + 1 == ECHO_DEPTH;
        if (echo->is_over)
            break;
        node = first_in(grammar, node);
        echo->path[++depth] = (struct echo_place){node, 0};
    }
    echo->depth = depth;
}

/* The loop at this place of the path is over; loops in it may be, too. */
static void keep_loop(struct echo *echo, uint32_t depth)
{
    if (!echo->loop_depth) {
        memcpy(echo->loop, echo->path, (depth + 1) * sizeof *echo->path);
        echo->loop_depth = depth + 1;
    }
    echo->loop_least = depth;
}

/* From the run that came to the next one. */
static void go_on(struct fth_grammar *grammar)
{
    struct echo *echo = &grammar->echo;
    uint32_t depth = echo->depth;
    echo->loop_depth = 0;
    for (;; depth--) {
        const struct node *node = &grammar->nodes[echo->path[depth].node];
        if (IS_RULE(node->symbol) && ++echo->path[depth].turns < node->length) {
            go_to(grammar, depth + 1, first_in(grammar, echo->path[depth].node));
            return;
        }
        if (IS_RULE(node->symbol) && node->length > 1)
            keep_loop(echo, depth);
        if (!depth || !(grammar->nodes[node->next].symbol & GUARD)) {
            go_to(grammar, depth, node->next);
            return;
        }
    }
}

/* ---- what was the same ---- */

/* The rule's first nodes, from its first up to `last`, become a rule of their own in their place.
 * Its symbol. */
static uint32_t part_off(struct fth_grammar *grammar, uint32_t first, uint32_t last)
{
    uint32_t before = grammar->nodes[first].previous, after = grammar->nodes[last].next;
    fth_grammar_forget(grammar, before);
    fth_grammar_forget(grammar, last);
    uint32_t rule = fth_grammar_new_rule(grammar), guard = grammar->rules[rule].guard;
    fth_grammar_join(grammar, guard, first);
    fth_grammar_join(grammar, last, guard);
    uint32_t node = fth_grammar_new_node(grammar, rule << 1 | 1, 1);
    fth_grammar_join(grammar, before, node);
    fth_grammar_join(grammar, node, after);
    grammar->rules[rule].occurrence = node;
    fth_grammar_enter(grammar, before);
    fth_grammar_enter(grammar, node);
    return rule << 1 | 1;
}

/* From the earlier occurrence to `last`, and the last node: one symbol takes the place of both. */
static void fold_stretch(struct fth_grammar *grammar, uint32_t first, uint32_t last)
{
    const struct node *nodes = grammar->nodes;
    uint32_t before = nodes[first].previous, after = nodes[last].next;
    bool is_whole =
        (nodes[before].symbol & GUARD) && before == after && RULE_OF(nodes[before].symbol) != START;
    uint32_t symbol = is_whole ? nodes[before].symbol & ~GUARD : part_off(grammar, first, last);
    fth_grammar_replace_last(grammar, symbol);
    fth_grammar_inline_single(grammar, first);
}

/* What the path has behind it below `depth`. */
static void put_begun(struct fth_grammar *grammar, const struct echo_place *path, uint32_t depth)
{
    const struct node *nodes = grammar->nodes;
    for (uint32_t i = 0; i <= depth; i++) {
        struct node node = nodes[path[i].node];
        if (path[i].turns)
            fth_grammar_queue(grammar, fth_grammar_put_behind(grammar, node.symbol, path[i].turns));
        if (i == depth)
            break;
        uint32_t first = first_in(grammar, path[i].node), last = nodes[path[i + 1].node].previous;
        if (first == path[i + 1].node)
            continue;
        struct node run = nodes[first];
        if (first != last)
            run = (struct node){.symbol = part_off(grammar, first, last), .length = 1};
        fth_grammar_queue(grammar, fth_grammar_put_behind(grammar, run.symbol, run.length));
    }
}

static void end_at(struct fth_grammar *grammar, const struct echo_place *path, uint32_t depth)
{
    uint32_t begin = grammar->echo.begin, end = grammar->nodes[path[0].node].previous;
    grammar->echo.begin = NONE;
    if (begin != end)
        fold_stretch(grammar, begin, end);
    put_begun(grammar, path, depth);
    fth_grammar_settle(grammar);
}

void fth_grammar_end_echo(struct fth_grammar *grammar)
{
    struct echo *echo = &grammar->echo;
    if (echo->begin)
        end_at(grammar, echo->path, echo->depth);
}

/* Does the loop that was over go on? Then not all of it was the same. */
static void end_before(struct fth_grammar *grammar, uint32_t symbol)
{
    struct echo *echo = &grammar->echo;
    for (uint32_t depth = echo->loop_depth; depth-- > echo->loop_least;) {
        uint32_t node = echo->loop[depth].node, turns = grammar->nodes[node].length;
        if (turns < 2)
            continue;
        while (is_rule(grammar, node))
            node = first_in(grammar, node);
        if (grammar->nodes[node].symbol == symbol) {
            echo->loop[depth].turns = turns;
            end_at(grammar, echo->loop, depth);
            return;
        }
    }
    fth_grammar_end_echo(grammar);
}

bool fth_grammar_echoes(struct fth_grammar *grammar, struct run run)
{
    struct echo *echo = &grammar->echo;
    const struct node *expected = &grammar->nodes[echo->path[echo->depth].node];
    if (echo->is_over || expected->symbol != run.symbol || expected->length != run.length) {
        end_before(grammar, run.symbol);
        return false;
    }
    go_on(grammar);
    if (echo->is_over && !echo->loop_depth)
        fth_grammar_end_echo(grammar);
    return true;
}

void fth_grammar_start_echo(struct fth_grammar *grammar)
{
    uint32_t last = last_node(grammar);
    const struct node *nodes = grammar->nodes, *node = &nodes[last];
    if (!is_rule(grammar, last) || node->length != 1)
        return;
    struct rule *rule = &grammar->rules[RULE_OF(node->symbol)];
    uint32_t before = rule->occurrence;
    rule->occurrence = last;
    if (before == NONE || before == last || nodes[before].symbol != node->symbol ||
        nodes[before].length != 1)
        return;
    go_to(grammar, 0, nodes[before].next);
    if (grammar->echo.is_over)
        return;
    grammar->echo.begin = before;
    grammar->echo.loop_depth = 0;
}
