/* Calls that add to something that counts, or take from it, between two that set it: what certainly
 * came before what. Inner header of the order room. */
#ifndef FTH_ORDER_MATCH_TALLY_SPANS_H
#define FTH_ORDER_MATCH_TALLY_SPANS_H

#include "order/clocks/clocks.h"

/* A call that adds or takes. */
struct fth_move {
    const void *of;
    struct fth_event begin, end;
    int64_t start_time, end_time, amount;
};

struct fth_moves {
    struct fth_move *all;
    size_t count;
    int64_t *before; /* the amounts of those before it, of all at the end */
};

/* Between two calls that set it. */
struct fth_tally_span {
    struct fth_moves ups, downs; /* by start; by end */
    int64_t first;               /* what is there at the begin */
};

void fth_moves_add(struct fth_moves *moves, struct fth_move move);
/* Adds the edges of a span that is whole. Returns which of its calls that take may have waited for
 * one of several, by their number; the caller frees that. NULL: more was taken than was added. */
bool *fth_span_order(struct fth_clocks *clocks, struct fth_tally_span *span);
void fth_span_free(struct fth_tally_span *span);

#endif
