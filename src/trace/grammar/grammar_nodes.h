/* A grammar as it is in memory: nodes are runs in doubly linked rule bodies, a hash table finds a
 * pair of neighbours. Inner header of grammar.c, which rewrites pairs, of grammar_append.c, which
 * appends runs and follows loops, and of grammar_write.c. */
#ifndef FTH_TRACE_GRAMMAR_GRAMMAR_NODES_H
#define FTH_TRACE_GRAMMAR_GRAMMAR_NODES_H

#include "trace/grammar/counts.h"
#include "trace/grammar/grammar.h"

enum { NONE = 0, START = 0 };

/* Symbols: terminal * 2, rule * 2 + 1; a guard (both ends of a rule's body) has GUARD set. */
#define GUARD 0x80000000u
#define IS_RULE(symbol) ((symbol)&1u)
#define RULE_OF(symbol) (((symbol) & ~GUARD) >> 1)

struct node {
    uint32_t previous, next;
    uint32_t symbol, length;
};

struct rule {
    uint32_t guard;
    uint32_t uses;       /* nodes that name it; 0: free */
    uint32_t occurrence; /* a node that named it not long ago, and may name something else now */
};

struct run {
    uint32_t symbol, length;
};

/* A node that is being compared, and how many of its turns are over. */
struct echo_place {
    uint32_t node, turns;
};
enum { ECHO_DEPTH = 16 };

/* What comes is compared with what stood behind an earlier occurrence of the last node; see
 * grammar_echo.c. */
struct echo {
    uint32_t begin; /* the earlier occurrence; NONE: nothing is compared */
    uint32_t depth;
    /* from a node in the body of the earlier occurrence down to the run that is expected */
    struct echo_place path[ECHO_DEPTH];
    bool is_over; /* the last place of the path is where no more can be expected */
    /* The run before was the end of loops: the path to where the innermost of them goes on, which
     * has so many places (0: there was none), and the place of the outermost. */
    uint32_t loop_depth, loop_least;
    struct echo_place loop[ECHO_DEPTH];
};

/* A place of the table. With the hash of the pair beside it, nodes are looked at only where the
 * pair is found: they are rarely in a cache. */
struct pair_place {
    uint32_t hash;
    uint32_t node; /* first node of the pair; NONE: free */
};

/* Does folding make less of what comes? Tried with some runs out of many; see grammar_append.c. */
struct trial {
    uint32_t tried, made; /* runs, and the nodes that they have become */
    uint32_t plain;       /* so many of the next runs stay as they are */
    uint32_t pause;       /* between the last two trials */
};

struct fth_grammar {
    uint32_t node_limit, table_mask;
    uint32_t node_top, node_free,
        node_used; /* nodes 1 .. node_top - 1 were handed out at least once */
    uint32_t rule_top, rule_free;
    uint64_t length;
    struct run pending; /* the run that is still growing; length 0: none */
    uint32_t queued;
    uint32_t queue[64];
    struct trial trial;
    struct echo echo;
    uint32_t body_length, body_at; /* the cursor; body_length 0: off */
    struct run body[FTH_GRAMMAR_BODY];
    struct node *nodes;
    struct rule *rules;
    struct pair_place *table;
    uint32_t *numbers; /* while writing: rule -> number */
    struct fth_counts counts;
};

/* What changes a body first takes the pairs that it breaks out of the table (forget), then queues
 * the pairs that it makes, then settles: pairs in the queue are looked at until there are none, and
 * the invariants hold again. */
uint32_t fth_grammar_new_node(struct fth_grammar *grammar, uint32_t symbol, uint32_t length);
void fth_grammar_drop_node(struct fth_grammar *grammar, uint32_t node);
void fth_grammar_join(struct fth_grammar *grammar, uint32_t left, uint32_t right);
void fth_grammar_forget(struct fth_grammar *grammar, uint32_t node);
/* A pair that stands nowhere else. */
void fth_grammar_enter(struct fth_grammar *grammar, uint32_t node);
void fth_grammar_queue(struct fth_grammar *grammar, uint32_t node);
void fth_grammar_settle(struct fth_grammar *grammar);
/* Puts a run behind the last one, without looking for pairs; the new pair begins with the node that
 * is returned. */
uint32_t fth_grammar_put_behind(struct fth_grammar *grammar, uint32_t symbol, uint32_t length);
/* A rule with nothing in it but its guard. */
uint32_t fth_grammar_new_rule(struct fth_grammar *grammar);
/* A rule that is named by this one node only, once: its body takes the node's place. */
void fth_grammar_inline_single(struct fth_grammar *grammar, uint32_t node);
/* One symbol takes the place of the last node. */
void fth_grammar_replace_last(struct fth_grammar *grammar, uint32_t symbol);
/* Are the node and its successor of one symbol, and both lengths here to be added? Then: makes one
 * run of them; the pairs around them are not in the table. */
bool fth_grammar_is_one_run(const struct fth_grammar *grammar, uint32_t node);
void fth_grammar_merge_with_next(struct fth_grammar *grammar, uint32_t node);

/* The last node stood somewhere before: what comes is compared with what is behind it there. */
void fth_grammar_start_echo(struct fth_grammar *grammar);
/* Is it the run that is expected? It is kept in mind, then, and where nothing is expected behind it
 * the echo has ended. Else it has ended before this run. */
bool fth_grammar_echoes(struct fth_grammar *grammar, struct run run);
/* What was compared goes into the grammar. */
void fth_grammar_end_echo(struct fth_grammar *grammar);
/* The run and the symbol behind it, once, may soon be looked for as a pair. */
void fth_grammar_expect(const struct fth_grammar *grammar, struct run run, uint32_t symbol);

#endif
