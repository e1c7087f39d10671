/* Histograms of functions. */
#include "overview/histograms.h"

#include "base/memory.h"
#include "base/value_class.h"

static void count(uint64_t **classes, uint64_t value, uint64_t times)
{
    if (!*classes)
        *classes = fth_new(FTH_VALUE_CLASSES, sizeof **classes);
    (*classes)[fth_value_class(value)] += times;
}

void fth_overview_measure(struct fth_overview_histograms *histograms, uint32_t function,
                          int64_t duration, int64_t bytes)
{
    histograms->list =
        fth_reach(histograms->list, &histograms->limit, function, sizeof *histograms->list);
    struct fth_overview_histogram *histogram = &histograms->list[function];
    count(&histogram->durations, duration > 0 ? (uint64_t)duration : 0, 1);
    if (bytes >= 0)
        count(&histogram->sizes, (uint64_t)bytes, 1);
}

static void add(uint64_t **into, uint64_t *from)
{
    if (!*into) {
        *into = from;
        return;
    }
    for (size_t i = 0; from && i < FTH_VALUE_CLASSES; i++)
        (*into)[i] += from[i];
    free(from);
}

void fth_overview_histograms_merge(struct fth_overview_histograms *into,
                                   struct fth_overview_histograms *from)
{
    for (uint32_t i = 0; i < from->limit; i++) {
        if (!from->list[i].durations)
            continue;
        into->list = fth_reach(into->list, &into->limit, i, sizeof *into->list);
        add(&into->list[i].durations, from->list[i].durations);
        add(&into->list[i].sizes, from->list[i].sizes);
    }
    free(from->list);
    *from = (struct fth_overview_histograms){0};
}

void fth_overview_histograms_free(struct fth_overview_histograms *histograms)
{
    for (uint32_t i = 0; i < histograms->limit; i++) {
        free(histograms->list[i].durations);
        free(histograms->list[i].sizes);
    }
    free(histograms->list);
    *histograms = (struct fth_overview_histograms){0};
}
