/* Vector clocks over the events of timelines. Inner header of the order room.
 *
 * Given edges between events, each of a timeline and with a step in it, it computes for the moments
 * that were asked for how many events of each other timeline came before them. Where many events
 * come before many others (a barrier) the edges go through a *hub*. */
#ifndef FTH_ORDER_CLOCKS_CLOCKS_H
#define FTH_ORDER_CLOCKS_CLOCKS_H

#include "order/order.h"

struct fth_clocks;
struct fth_clocks *fth_clocks_new(size_t timelines);
void fth_clocks_free(struct fth_clocks *clocks);
/* The same edges, hubs and marks, not computed. */
struct fth_clocks *fth_clocks_copy(const struct fth_clocks *clocks);
/* Edges and hubs of others, of the same timelines. */
void fth_clocks_add(struct fth_clocks *clocks, const struct fth_clocks *more);

/* The moment is one that will be asked for as `b`. For timelines of different processes at the same
 * time by different threads. */
void fth_clocks_mark(struct fth_clocks *clocks, struct fth_moment moment);

/* `from` came before `to`. Events without timeline are left out. */
void fth_clocks_edge(struct fth_clocks *clocks, struct fth_event from, struct fth_event to);
/* A new hub, that the next calls of fth_clocks_into are about. With `chained` what came before the
 * hub made last comes before it, too. */
uint32_t fth_clocks_hub(struct fth_clocks *clocks, bool chained);
void fth_clocks_into(struct fth_clocks *clocks, struct fth_event from);
void fth_clocks_out_of(struct fth_clocks *clocks, uint32_t hub, struct fth_event to);

/* Computes anew, with all edges so far. Where events wait for each other in a circle an edge is
 * left out, and `cycle` is called. O(edges x timelines) time; memory for the clocks of the moments
 * that were marked, and of those that somebody still waits for. */
void fth_clocks_compute(struct fth_clocks *clocks,
                        void (*cycle)(void *context, struct fth_event waiting), void *context);
/* Those to events of a timeline, as fth_order_edges returns them; and what goes into a hub. */
const struct fth_rows *fth_clocks_edges(struct fth_clocks *clocks, uint32_t timeline);
size_t fth_clocks_hubs(const struct fth_clocks *clocks);
size_t fth_clocks_hub_size(const struct fth_clocks *clocks, size_t hub, bool *chained);
struct fth_event fth_clocks_hub_input(const struct fth_clocks *clocks, struct fth_rows_place *place,
                                      size_t hub, size_t i);
/* As fth_order_known, and fth_order_before. */
const struct fth_vector_clock *fth_clocks_known(const struct fth_clocks *clocks,
                                                struct fth_moment b);
bool fth_clocks_before(const struct fth_clocks *clocks, struct fth_moment a, struct fth_moment b);

#endif
