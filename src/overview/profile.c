/* The tree of calls: a node is a function in the calls around it. Processes have trees of their
 * own, which are merged into that of the run; a node remembers how much of it was whose. */
#include "overview/profile.h"

#include "base/memory.h"
#include "base/saturating.h"

struct fth_overview_growing_node {
    uint64_t failed;
    struct fth_overview_lane_bins parts;
    size_t share_count;
    struct fth_overview_share *shares;
};

/* A root's children are those of number 0. */
static uint32_t number_of(uint32_t node)
{
    return node == FTH_OVERVIEW_ROOT ? 0 : node + 1;
}

static struct fth_overview_growing_node *node_at(struct fth_overview_profile *profile,
                                                 uint32_t node)
{
    return fth_indexed_item(&profile->nodes, node);
}

/* Of a node, beside its parent. */
static uint64_t key_of(uint32_t function, uint32_t source)
{
    return (uint64_t)source << 32 | function;
}

static uint32_t source_in(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

uint32_t fth_overview_node(struct fth_overview_profile *profile, uint32_t parent, uint32_t function,
                           uint32_t source)
{
    profile->nodes.size = sizeof(struct fth_overview_growing_node);
    if (profile->nodes.count >= FTH_OVERVIEW_NODES)
        return parent;
    uint32_t node = fth_indexed_place(&profile->nodes, number_of(parent), key_of(function, source));
    node_at(profile, node)->parts.axis = profile->axis;
    return node;
}

void fth_overview_spend(struct fth_overview_profile *profile, uint32_t node, int64_t start,
                        int64_t end, const uint64_t moved[2], bool failed)
{
    if (node == FTH_OVERVIEW_ROOT)
        return;
    struct fth_overview_growing_node *here = node_at(profile, node);
    here->failed += failed;
    fth_overview_count(&here->parts, start, end);
    fth_overview_put(&here->parts, start, end, moved);
}

static void add_share(struct fth_overview_growing_node *node, uint32_t proc,
                      const struct fth_overview_lane *parts)
{
    struct fth_overview_share share = {.proc = proc};
    for (size_t i = 0; i < parts->count; i++) {
        share.calls += parts->places[i].bin.calls;
        FTH_ADD_SATURATING(share.time, parts->places[i].bin.busy);
    }
    FTH_GROW(node->shares, node->share_count);
    node->shares[node->share_count++] = share;
}

/* A parent comes before its children, so that its node of the run is known. */
void fth_overview_profile_merge(struct fth_overview_profile *into,
                                struct fth_overview_profile *from, uint32_t proc,
                                const uint32_t *sources)
{
    uint32_t *nodes = fth_new(from->nodes.count + 1, sizeof *nodes);
    for (uint32_t i = 0; i < from->nodes.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&from->nodes, i);
        struct fth_overview_growing_node *node = node_at(from, i);
        struct fth_overview_lane parts = {0};
        uint32_t parent = entry->number ? nodes[entry->number - 1] : FTH_OVERVIEW_ROOT;
        nodes[i] =
            fth_overview_node(into, parent, (uint32_t)entry->sort, sources[source_in(entry->sort)]);
        fth_overview_collect(&node->parts, &parts);
        if (nodes[i] != FTH_OVERVIEW_ROOT && nodes[i] != parent) {
            struct fth_overview_growing_node *sum = node_at(into, nodes[i]);
            sum->failed += node->failed;
            fth_overview_add(&sum->parts, &parts);
            add_share(sum, proc, &parts);
        }
        free(parts.places);
    }
    free(nodes);
    fth_indexed_free(&from->nodes);
}

void fth_overview_profile_collect(struct fth_overview_profile *profile,
                                  struct fth_overview *overview)
{
    overview->node_count = profile->nodes.count;
    overview->nodes = fth_new(profile->nodes.count + 1, sizeof *overview->nodes);
    for (uint32_t i = 0; i < profile->nodes.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&profile->nodes, i);
        struct fth_overview_growing_node *node = node_at(profile, i);
        struct fth_overview_lane parts = {0};
        fth_overview_collect(&node->parts, &parts);
        overview->nodes[i] = (struct fth_overview_node){
            .parent = entry->number ? entry->number - 1 : FTH_OVERVIEW_ROOT,
            .function = (uint32_t)entry->sort,
            .source = source_in(entry->sort),
            .failed = node->failed,
            .part_count = parts.count,
            .parts = parts.places,
            .share_count = node->share_count,
            .shares = node->shares,
        };
    }
    fth_indexed_free(&profile->nodes);
}
