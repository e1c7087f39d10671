/* Edges to the events of one timeline. Inner header of the order room.
 *
 * A program that repeats itself has the same ones again and again, each a turn further on: they are
 * rows (base/rows.h). */
#ifndef FTH_ORDER_CLOCKS_EDGES_H
#define FTH_ORDER_CLOCKS_EDGES_H

#include "order/order.h"

struct fth_clock_edges {
    struct fth_rows rows;
    struct fth_rows_place place;
    uint32_t last;      /* to which step the one goes that was added last */
    bool unsorted;      /* some go to an earlier event than one before them */
    uint64_t *left_out; /* bits by edge; NULL: none is */
};

void fth_clock_edges_add(struct fth_clock_edges *edges, struct fth_order_edge edge);
/* Puts them in order of the events that they go to; those to one event stay in theirs. */
void fth_clock_edges_sort(struct fth_clock_edges *edges);
/* That one waits for nothing any more. */
void fth_clock_edges_leave_out(struct fth_clock_edges *edges, uint32_t i);
void fth_clock_edges_free(struct fth_clock_edges *edges);

static inline struct fth_order_edge fth_clock_edge(struct fth_clock_edges *edges, uint32_t i)
{
    struct fth_order_edge edge = fth_order_edge_at(&edges->rows, &edges->place, i);
    if (edges->left_out && edges->left_out[i / 64] >> i % 64 & 1)
        return (struct fth_order_edge){edge.to, FTH_NO_TIMELINE, UINT32_MAX};
    return edge;
}

#endif
