/* The numbers of an overview: its bins, calls, tree of calls, histograms and latencies, in columns
 * of varints, one column after the other, as neighbours in a column are alike and deflate well. */
#include "views/browser/pack.h"

#include "base/varint.h"

/* ---- bins and calls ---- */

void fth_views_pack(struct fth_sink *to, uint64_t value)
{
    uint8_t bytes[FTH_VARINT_MAX];
    fth_sink_bytes(to, (const char *)bytes, (size_t)(fth_put_varint(bytes, value) - bytes));
}

/* How many places, then the column of how far each is behind the one before, then those of its
 * bin. */
static void put_places(struct fth_sink *to, const struct fth_overview_place *places, size_t count)
{
    uint32_t next = 0;
    fth_views_pack(to, count);
    for (size_t i = 0; i < count; next = places[i++].number + 1)
        fth_views_pack(to, places[i].number - next);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, (uint64_t)places[i].bin.busy);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, places[i].bin.calls);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, (uint64_t)places[i].bin.longest);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, places[i].bin.read);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, places[i].bin.written);
}

/* Within a row numbers grow, and so do begins. */
static void put_calls(struct fth_sink *to, const struct fth_overview *overview)
{
    const struct fth_overview_call *calls = overview->calls;
    size_t count = overview->call_count;
    fth_views_pack(to, count);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, calls[i].row - (i ? calls[i - 1].row : 0));
    for (size_t i = 0; i < count; i++) {
        bool follows = i && calls[i].row == calls[i - 1].row;
        fth_views_pack(to, calls[i].number - (follows ? calls[i - 1].number : 0));
    }
    for (size_t i = 0; i < count; i++) {
        bool follows = i && calls[i].row == calls[i - 1].row;
        int64_t before = follows ? calls[i - 1].start : overview->origin;
        fth_views_pack(to, calls[i].start > before ? (uint64_t)(calls[i].start - before) : 0);
    }
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, (uint64_t)(calls[i].end - calls[i].start));
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, calls[i].function);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, calls[i].file == FTH_NO_FILE ? 0 : (uint64_t)calls[i].file + 1);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, calls[i].bytes);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, (uint64_t)calls[i].depth * 2 + calls[i].failed);
}

/* ---- the tree of calls, and histograms ---- */

static void put_node(struct fth_sink *to, const struct fth_overview_node *node)
{
    fth_views_pack(to, node->parent == FTH_OVERVIEW_ROOT ? 0 : (uint64_t)node->parent + 1);
    fth_views_pack(to, node->function);
    fth_views_pack(to, node->source);
    fth_views_pack(to, node->failed);
    put_places(to, node->parts, node->part_count);
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
    for (size_t i = 0; classes && i < FTH_VALUE_CLASSES; i++)
        count += classes[i] != 0;
    fth_views_pack(to, count);
    for (size_t i = 0; classes && i < FTH_VALUE_CLASSES; i++) {
        if (!classes[i]) {
            empty++;
            continue;
        }
        fth_views_pack(to, empty);
        fth_views_pack(to, classes[i]);
        empty = 0;
    }
}

static void put_profile(struct fth_sink *to, const struct fth_overview *overview,
                        const struct fth_offset_classes *offsets)
{
    fth_views_pack(to, overview->node_count);
    for (size_t i = 0; i < overview->node_count; i++)
        put_node(to, &overview->nodes[i]);
    fth_views_pack(to, overview->histogram_count);
    for (size_t i = 0; i < overview->histogram_count; i++) {
        put_classes(to, overview->histograms[i].durations);
        put_classes(to, overview->histograms[i].sizes);
        put_classes(to, i < offsets->limit ? offsets->classes[i] : NULL);
    }
}

/* ---- latencies ---- */

static size_t count_parts(const struct fth_overview *overview, uint64_t *const *classes)
{
    size_t count = 0;
    for (uint32_t part = 0; part < overview->part_count; part++)
        count += classes[part] != NULL;
    return count;
}

/* Of each layer: how many parts have calls; of each of them how many without are before it, and its
 * classes. */
static void put_latencies(struct fth_sink *to, const struct fth_overview *overview)
{
    size_t layers = overview->latencies ? overview->classes->layer_count : 0;
    fth_views_pack(to, layers);
    for (size_t layer = 0; layer < layers; layer++) {
        uint64_t *const *classes = overview->latencies + layer * overview->part_count;
        uint32_t next = 0;
        fth_views_pack(to, count_parts(overview, classes));
        for (uint32_t part = 0; part < overview->part_count; part++) {
            if (!classes[part])
                continue;
            fth_views_pack(to, part - next);
            put_classes(to, classes[part]);
            next = part + 1;
        }
    }
}

/* Of each call, if there are any. */
static void put_sources(struct fth_sink *to, const struct fth_overview *overview)
{
    size_t count = overview->source_count ? overview->call_count : 0;
    fth_views_pack(to, count);
    for (size_t i = 0; i < count; i++)
        fth_views_pack(to, overview->calls[i].source);
}

void fth_views_pack_bins(struct fth_sink *to, const struct fth_overview *overview)
{
    fth_views_pack(to, overview->lane_count);
    for (size_t i = 0; i < overview->lane_count; i++) {
        const struct fth_overview_lane *lane = &overview->lanes[i];
        fth_views_pack(to, lane->row);
        fth_views_pack(to, lane->layer);
        put_places(to, lane->places, lane->count);
    }
    put_calls(to, overview);
}

void fth_views_pack_numbers(struct fth_sink *to, const struct fth_overview *overview,
                            const struct fth_offset_classes *offsets)
{
    fth_views_pack_bins(to, overview);
    put_profile(to, overview, offsets);
    put_latencies(to, overview);
    put_sources(to, overview);
}
