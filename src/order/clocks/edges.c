/* Edges are added in any order, and asked for by the event that they go to. */
#include "order/clocks/edges.h"

#include "base/memory.h"

void fth_clock_edges_add(struct fth_clock_edges *edges, struct fth_order_edge edge)
{
    edges->rows.columns = 3;
    edges->unsorted |= edges->rows.count && edge.to < edges->last;
    edges->last = edge.to;
    fth_rows_add(&edges->rows, (int64_t[]){edge.to, edge.from, edge.step});
}

static int by_step(const void *one, const void *other)
{
    const struct fth_order_edge *a = one, *b = other;
    return (a->to > b->to) - (a->to < b->to);
}

/* The same ones, sorted, and those that are left out as they are then. */
static void make_anew(struct fth_clock_edges *edges)
{
    uint32_t count = edges->rows.count;
    struct fth_order_edge *all = fth_resize(NULL, (size_t)count + 1, sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = fth_clock_edge(edges, i);
    if (edges->unsorted)
        qsort(all, count, sizeof *all, by_step);
    fth_clock_edges_free(edges);
    for (uint32_t i = 0; i < count; i++)
        fth_clock_edges_add(edges, all[i]);
    free(all);
}

void fth_clock_edges_sort(struct fth_clock_edges *edges)
{
    if (edges->unsorted || edges->left_out)
        make_anew(edges);
}

void fth_clock_edges_leave_out(struct fth_clock_edges *edges, uint32_t i)
{
    if (!edges->left_out)
        edges->left_out = fth_new(edges->rows.count / 64 + 1, sizeof *edges->left_out);
    edges->left_out[i / 64] |= (uint64_t)1 << i % 64;
}

void fth_clock_edges_free(struct fth_clock_edges *edges)
{
    fth_rows_leave(&edges->place);
    fth_rows_free(&edges->rows);
    free(edges->left_out);
    *edges = (struct fth_clock_edges){0};
}
