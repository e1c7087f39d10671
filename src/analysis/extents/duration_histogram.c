/* The pass of durations: adds up the histograms of processes. */
#include "analysis/extents/duration_histogram.h"

#include <string.h>

enum column { FUNC, FROM, TO, CALLS };
static const struct fth_column columns[] = {
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"from", "from", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"to", "to", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"durations", "Durations", columns,
                                       sizeof columns / sizeof *columns, 0};

/* Of all processes. */
struct bins {
    uint64_t calls[FTH_DURATION_BINS];
    int64_t from[FTH_DURATION_BINS], to[FTH_DURATION_BINS];
    bool any;
};

static const struct fth_function *find(const struct fth_trace *trace, const char *name)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        if (strcmp(function->name, name) == 0)
            return function;
    }
    return NULL;
}

/* A process without such calls says nothing about ranges. */
static void add(struct bins *bins, const struct fth_durations *durations)
{
    bool any = false;
    for (size_t i = 0; i < FTH_DURATION_BINS; i++)
        any |= durations->calls[i] > 0;
    for (size_t i = 0; any && i < FTH_DURATION_BINS; i++) {
        bins->calls[i] += durations->calls[i];
        if (!bins->any || durations->edges[i] < bins->from[i])
            bins->from[i] = durations->edges[i];
        if (!bins->any || durations->edges[i + 1] > bins->to[i])
            bins->to[i] = durations->edges[i + 1];
    }
    bins->any |= any;
}

static struct fth_table *table_of(const struct bins *bins, const char *name)
{
    struct fth_table *table = fth_table_new(&shape);
    size_t first = 0, end = FTH_DURATION_BINS;
    while (first < end && !bins->calls[first])
        first++;
    while (end > first && !bins->calls[end - 1])
        end--;
    for (size_t i = first; table && i < end; i++) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, FUNC, fth_cell_text(name));
        fth_table_set(table, row, FROM, fth_cell_integer(bins->from[i]));
        fth_table_set(table, row, TO, fth_cell_integer(bins->to[i]));
        fth_table_increase(table, row, CALLS, bins->calls[i]);
    }
    if (table && !fth_table_failed(table))
        return table;
    fth_table_free(table);
    return NULL;
}

struct fth_table *fth_analysis_durations(struct fth_trace *trace,
                                         const struct fth_selection *selection, const char *name,
                                         struct fth_progress *progress, struct fth_error **error)
{
    const struct fth_function *function = find(trace, name);
    struct bins bins = {0};
    if (!function) {
        fth_fail(error,
                 "the trace has no calls of '%s'; 'fathom stats --by function' lists the functions "
                 "that it has",
                 name);
        return NULL;
    }
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        struct fth_durations durations;
        if (fth_analysis_selects_process(selection, trace, proc)) {
            if (!fth_trace_durations(trace, proc, function, &durations, error))
                return NULL;
            add(&bins, &durations);
        }
        fth_progress_add(progress, 1);
    }
    struct fth_table *table = table_of(&bins, function->name);
    if (!table)
        fth_fail(error, "out of memory");
    return table;
}
