/* Arithmetic of ranges: see the header. */
#include "sim/plan/ranges.h"

struct fth_sim_extent fth_sim_range(const struct fth_sim_ranges *ranges, uint64_t index)
{
    if (ranges->list)
        return ranges->list[index];
    return (struct fth_sim_extent){ranges->offset + index * ranges->stride, ranges->bytes};
}

uint64_t fth_sim_ranges_total(const struct fth_sim_ranges *ranges)
{
    if (!ranges->list)
        return ranges->bytes * ranges->count;
    uint64_t total = 0;
    for (uint64_t i = 0; i < ranges->count; i++)
        total += ranges->list[i].bytes;
    return total;
}

static uint64_t rule_before(const struct fth_sim_ranges *ranges, uint64_t end)
{
    if (end <= ranges->offset || !ranges->count)
        return 0;
    uint64_t distance = end - ranges->offset;
    uint64_t full = ranges->stride ? distance / ranges->stride : 0;
    if (full >= ranges->count)
        return ranges->count * ranges->bytes;
    uint64_t rest = distance - full * ranges->stride;
    return full * ranges->bytes + (rest < ranges->bytes ? rest : ranges->bytes);
}

static uint64_t in_both(struct fth_sim_extent extent, uint64_t from, uint64_t to)
{
    uint64_t start = extent.offset > from ? extent.offset : from;
    uint64_t end = extent.offset + extent.bytes < to ? extent.offset + extent.bytes : to;
    return end > start ? end - start : 0;
}

uint64_t fth_sim_ranges_first(const struct fth_sim_ranges *ranges, uint64_t from)
{
    if (!ranges->list) {
        if (from < ranges->offset + ranges->bytes)
            return 0;
        if (!ranges->stride)
            return ranges->count;
        return (from - ranges->offset - ranges->bytes) / ranges->stride + 1;
    }
    uint64_t low = 0, high = ranges->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (ranges->list[middle].offset + ranges->list[middle].bytes <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t fth_sim_ranges_between(const struct fth_sim_ranges *ranges, uint64_t from, uint64_t to)
{
    if (!ranges->list)
        return rule_before(ranges, to) - rule_before(ranges, from);
    uint64_t total = 0;
    for (uint64_t i = fth_sim_ranges_first(ranges, from);
         i < ranges->count && ranges->list[i].offset < to; i++)
        total += in_both(ranges->list[i], from, to);
    return total;
}

struct fth_sim_extent fth_sim_ranges_hull(const struct fth_sim_ranges *ranges)
{
    if (!ranges->count)
        return (struct fth_sim_extent){0};
    struct fth_sim_extent first = fth_sim_range(ranges, 0);
    struct fth_sim_extent last = fth_sim_range(ranges, ranges->count - 1);
    return (struct fth_sim_extent){first.offset, last.offset + last.bytes - first.offset};
}

uint64_t fth_sim_layout_before(const struct fth_sim_layout *layout, uint32_t index, uint64_t offset)
{
    uint64_t round = layout->stripe * layout->servers, start = layout->stripe * index;
    uint64_t rest = offset % round;
    uint64_t partial = rest <= start ? 0 : rest - start;
    return offset / round * layout->stripe + (partial < layout->stripe ? partial : layout->stripe);
}
