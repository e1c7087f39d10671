/* How long calls took in each part of the run, by layer, so that percentiles over time are
 * known. */
#include "overview/latencies.h"

#include "base/memory.h"
#include "base/time_parts.h"
#include "base/value_class.h"

#include <stdlib.h>

static size_t count_of(const struct fth_overview_latencies *latencies)
{
    return latencies->layer_count * latencies->axis->bin_count;
}

void fth_overview_took(struct fth_overview_latencies *latencies, uint16_t layer, int64_t start,
                       int64_t duration)
{
    const struct fth_overview_axis *axis = latencies->axis;
    if (!latencies->classes)
        latencies->classes = fth_new(count_of(latencies) + 1, sizeof *latencies->classes);
    uint64_t **classes =
        &latencies->classes[(size_t)layer * axis->bin_count +
                            fth_part_at(axis->begin, axis->width, axis->bin_count, start)];
    if (!*classes)
        *classes = fth_new(FTH_VALUE_CLASSES, sizeof **classes);
    (*classes)[fth_value_class(duration > 0 ? (uint64_t)duration : 0)]++;
}

void fth_overview_latencies_merge(struct fth_overview_latencies *into,
                                  struct fth_overview_latencies *from)
{
    if (!into->classes) {
        into->classes = from->classes;
        from->classes = NULL;
    }
    for (size_t i = 0; from->classes && i < count_of(from); i++) {
        uint64_t *more = from->classes[i];
        if (!into->classes[i]) {
            into->classes[i] = more;
            continue;
        }
        for (size_t class = 0; more && class < FTH_VALUE_CLASSES; class ++)
            into->classes[i][class] += more[class];
        free(more);
    }
    free(from->classes);
    from->classes = NULL;
}

void fth_overview_latencies_free(struct fth_overview_latencies *latencies)
{
    for (size_t i = 0; latencies->classes && i < count_of(latencies); i++)
        free(latencies->classes[i]);
    free(latencies->classes);
    latencies->classes = NULL;
}
