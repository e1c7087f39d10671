/* Graphs of MPI: the neighbours of each rank in a communicator that was created with edges
 * between its members, from the edges that all members gave. The edges are between ranks of the
 * old communicator, and apply to the processes with these ranks in the new one. Lists longer
 * than those in a trace are unknown. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

/* The topology that the member at this place of the old communicator reported; NULL: it is
 * not known. */
static struct fth_topology *reported_by(const struct fth_match_turn *turn, uint32_t place)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    const struct fth_order_creation *creation = turn->creations[place];
    const struct fth_member *member =
        creation ? fth_match_member(turn->matching, group->procs[place], creation->made) : NULL;
    return member && member->topology && member->topology->graph ? member->topology : NULL;
}

/* Where a member of the old communicator is in the new one; UINT32_MAX: it is not known. */
static uint32_t place_in_graph(const struct fth_match_turn *turn, uint32_t place)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    const struct fth_member *member =
        fth_match_member(turn->matching, group->procs[place], turn->creations[place]->made);
    return member->group == FTH_NO_GROUP ? UINT32_MAX : member->place;
}

static void add_source(struct fth_topology *topology, int64_t source)
{
    FTH_GROW(topology->sources, topology->source_count);
    topology->sources[topology->source_count++] = source;
}

/* ---- each reports its own ---- */

/* The old rank is the number of the node, which another process may have become. */
static void of_sources(struct fth_topology *to, const struct fth_topology *reported)
{
    const struct fth_order_list *from = &reported->graph->from;
    if (reported->graph->form != FTH_GRAPH_OF_SOURCES || !from->whole)
        return;
    for (size_t i = 0; i < from->count; i++)
        add_source(to, from->all[i]);
    to->known = true;
}

/* ---- all report all ---- */

static bool is_whole(const struct fth_reported_graph *graph)
{
    return graph->from.whole && graph->degrees.whole && graph->to.whole &&
           graph->from.count == graph->degrees.count;
}

/* Adds what one of them reports; `graphs`: the topologies by place in the new communicator. False:
 * it makes no sense. */
static bool add_edges(struct fth_topology **graphs, uint32_t size,
                      const struct fth_reported_graph *reported)
{
    size_t next = 0;
    for (size_t i = 0; i < reported->from.count; i++) {
        for (int64_t k = 0; k < reported->degrees.all[i]; k++, next++) {
            if (next >= reported->to.count || reported->to.all[next] < 0 ||
                reported->to.all[next] >= size)
                return false;
            if (graphs[reported->to.all[next]])
                add_source(graphs[reported->to.all[next]], reported->from.all[i]);
        }
    }
    return next == reported->to.count;
}

static int by_number(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

/* The library puts them into an order of its own, which it may have reported. */
static void put_in_order(struct fth_topology *topology)
{
    struct fth_order_list *asked = &topology->graph->asked;
    size_t count = topology->source_count, bytes = count * sizeof *topology->sources;
    topology->disordered = count > 1;
    if (count < 2 || asked->count < count)
        return;
    int64_t *sorted = fth_new(count, sizeof *sorted);
    memcpy(sorted, asked->all, bytes);
    qsort(sorted, count, sizeof *sorted, by_number);
    qsort(topology->sources, count, sizeof *topology->sources, by_number);
    topology->disordered = memcmp(sorted, topology->sources, bytes) != 0;
    if (!topology->disordered)
        memcpy(topology->sources, asked->all, bytes);
    free(sorted);
}

static void of_edges(const struct fth_match_turn *turn, struct fth_topology **graphs)
{
    uint32_t size = turn->matching->groups[turn->group].size;
    bool known = true;
    for (uint32_t i = 0; known && i < size; i++) {
        const struct fth_topology *reported = reported_by(turn, i);
        known = reported && reported->graph->form == FTH_GRAPH_OF_EDGES &&
                is_whole(reported->graph) && add_edges(graphs, size, reported->graph);
    }
    for (uint32_t i = 0; known && i < size; i++) {
        if (!graphs[i])
            continue;
        graphs[i]->known = true;
        put_in_order(graphs[i]);
    }
}

/* ---- all report the same ---- */

static int64_t end_of(const struct fth_reported_graph *graph, int64_t node)
{
    return node < 0 ? 0 : graph->degrees.all[node];
}

static bool is_sane(const struct fth_reported_graph *graph)
{
    int64_t nodes = (int64_t)graph->degrees.count;
    for (int64_t i = 0; i < nodes; i++)
        if (end_of(graph, i) < end_of(graph, i - 1) || end_of(graph, i) > (int64_t)graph->to.count)
            return false;
    return graph->degrees.whole && graph->to.whole;
}

static bool has_edge(const struct fth_reported_graph *graph, int64_t node, int64_t other)
{
    if (node < 0 || node >= (int64_t)graph->degrees.count)
        return false;
    for (int64_t i = end_of(graph, node - 1); i < end_of(graph, node); i++)
        if (graph->to.all[i] == other)
            return true;
    return false;
}

/* Neighbours send to each other and receive from each other; whom only one of both names gives
 * nothing that is certain. */
static void of_nodes(struct fth_topology *topology, uint32_t place)
{
    const struct fth_reported_graph *graph = topology->graph;
    if (graph->form != FTH_GRAPH_OF_NODES || place >= graph->degrees.count || !is_sane(graph))
        return;
    for (int64_t i = end_of(graph, (int64_t)place - 1); i < end_of(graph, place); i++)
        add_source(topology, has_edge(graph, graph->to.all[i], place) ? graph->to.all[i] : -1);
    topology->known = true;
}

/* ---- all of it ---- */

void fth_match_graph(struct fth_match_turn *turn)
{
    uint32_t size = turn->matching->groups[turn->group].size;
    struct fth_topology **graphs = fth_new(size + 1, sizeof *graphs);
    bool of_all = false;
    for (uint32_t i = 0; i < size; i++) {
        struct fth_topology *topology = reported_by(turn, i);
        uint32_t place = topology ? place_in_graph(turn, i) : UINT32_MAX;
        if (place < size)
            graphs[place] = topology;
        of_all |= topology && topology->graph->form == FTH_GRAPH_OF_EDGES;
    }
    for (uint32_t i = 0; i < size && !of_all; i++) {
        const struct fth_topology *reported = reported_by(turn, i);
        if (!graphs[i] || !reported)
            continue;
        of_sources(graphs[i], reported);
        of_nodes(graphs[i], i);
    }
    if (of_all)
        of_edges(turn, graphs);
    free(graphs);
}
