/* The tree of calls and the histograms of an overview, in columns of varints. */
#include "views/browser/pack.h"

static void put_node(struct fth_sink *to, const struct fth_overview_node *node)
{
    fth_views_pack(to, node->parent == FTH_OVERVIEW_ROOT ? 0 : (uint64_t)node->parent + 1);
    fth_views_pack(to, node->function);
    fth_views_pack(to, node->failed);
    fth_views_pack_places(to, node->parts, node->part_count);
    fth_views_pack(to, node->share_count);
    for (size_t i = 0; i < node->share_count; i++)
        fth_views_pack(to, node->shares[i].proc - (i ? node->shares[i - 1].proc : 0));
    for (size_t i = 0; i < node->share_count; i++)
        fth_views_pack(to, node->shares[i].calls);
    for (size_t i = 0; i < node->share_count; i++)
        fth_views_pack(to, (uint64_t)node->shares[i].time);
}

/* How many classes are not empty; for each how many empty ones are before it, and its calls. */
static void put_classes(struct fth_sink *to, const uint64_t *classes)
{
    size_t count = 0, empty = 0;
    for (size_t i = 0; classes && i < FTH_OVERVIEW_CLASSES; i++)
        count += classes[i] != 0;
    fth_views_pack(to, count);
    for (size_t i = 0; classes && i < FTH_OVERVIEW_CLASSES; i++) {
        if (!classes[i]) {
            empty++;
            continue;
        }
        fth_views_pack(to, empty);
        fth_views_pack(to, classes[i]);
        empty = 0;
    }
}

void fth_views_pack_profile(struct fth_sink *to, const struct fth_overview *overview)
{
    fth_views_pack(to, overview->node_count);
    for (size_t i = 0; i < overview->node_count; i++)
        put_node(to, &overview->nodes[i]);
    fth_views_pack(to, overview->histogram_count);
    for (size_t i = 0; i < overview->histogram_count; i++) {
        put_classes(to, overview->histograms[i].durations);
        put_classes(to, overview->histograms[i].sizes);
    }
}
