/* The pass of regions: goes through all calls, and knows for each thread which ones are open. */
#include "analysis/tables/regions_table.h"

#include "analysis/calls/around.h"
#include "analysis/survey/call_walk.h"

enum column { NAME, TIMES, TIME, CALLS, READ, WRITTEN, CALL_TIME };
static const struct fth_column columns[] = {
    {"name", "region", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"times", "times", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"calls", "calls in it", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"call_time", "time in calls", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"regions", "Regions", columns,
                                       sizeof columns / sizeof *columns, 1};

int fth_analysis_has_regions(struct fth_trace *trace, const struct fth_selection *selection,
                             struct fth_error **error)
{
    const struct fth_function_sum *sums;
    size_t count, processes = fth_trace_process_count(trace);
    for (size_t proc = 0; proc < processes; proc++) {
        if (!fth_analysis_selects_process(selection, trace, proc))
            continue;
        if (!fth_trace_function_sums(trace, proc, &sums, &count, error))
            return -1;
        for (size_t i = 0; i < count; i++)
            if (sums[i].calls && fth_analysis_is_region(sums[i].function))
                return 1;
    }
    return 0;
}

/* The tag of an open region is its row. */
static bool is_open(const struct fth_open_call *open, size_t count, size_t row)
{
    for (size_t i = 0; i < count; i++)
        if (open[i].region && open[i].tag == row)
            return true;
    return false;
}

/* The region is the last of the open calls. */
static void add_region(struct fth_table *table, struct fth_open_call *open, size_t count,
                       const struct fth_call *call)
{
    struct fth_cell key = fth_cell_text(open[count - 1].region);
    size_t row = fth_table_group(table, &key);
    uint64_t time = is_open(open, count - 1, row) ? 0 : (uint64_t)(call->end - call->start);
    const uint64_t values[] = {1, time, 0, 0, 0, 0}; /* 0 is not null */
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        fth_table_increase(table, row, TIMES + i, values[i]);
    open[count - 1].tag = row;
}

/* It counts for the regions that it was made in, up to the next call around it: what that one does
 * has been counted. */
static void add_call(struct fth_table *table, const struct fth_open_call *open, size_t around,
                     const struct fth_call *call)
{
    const uint64_t values[] = {1, fth_analysis_bytes_read(call), fth_analysis_bytes_written(call),
                               (uint64_t)(call->end - call->start)};
    for (size_t i = around; i > 0 && open[i - 1].region; i--) {
        bool repeated = is_open(open + i, around - i, open[i - 1].tag);
        for (size_t k = 0; k < 4 && !repeated; k++)
            fth_table_increase(table, open[i - 1].tag, CALLS + k, values[k]);
    }
}

static int add_calls(struct fth_table *table, struct fth_run_walk *walk, struct fth_error **error)
{
    const struct fth_call *call;
    int more;
    struct fth_around *around = fth_analysis_around_new();
    while ((more = fth_analysis_walk_next(walk, &call, error)) > 0) {
        size_t count;
        fth_analysis_around_enter(around, call);
        struct fth_open_call *open = fth_analysis_around_open(around, &count);
        if (open[count - 1].region)
            add_region(table, open, count, call);
        else if (fth_analysis_walk_selects(walk))
            add_call(table, open, count - 1, call);
    }
    fth_analysis_around_free(around);
    return more;
}

static void sort(struct fth_table *table, enum fth_stats_order order)
{
    size_t by[2] = {order == FTH_STATS_BY_CALLS   ? TIMES
                    : order == FTH_STATS_BY_BYTES ? READ
                                                  : TIME,
                    WRITTEN};
    fth_table_sort(table, (size_t[]){NAME}, 1);
    fth_table_sort_by_sum(table, by, order == FTH_STATS_BY_BYTES ? 2 : 1);
}

struct fth_table *fth_analysis_regions(struct fth_trace *trace,
                                       const struct fth_selection *selection,
                                       enum fth_stats_order order, struct fth_progress *progress,
                                       struct fth_error **error)
{
    struct fth_table *table = fth_table_new(&shape);
    struct fth_run_walk *walk =
        table ? fth_analysis_walk_open(trace, selection, FTH_WALK_BY_PROCESS, progress, error)
              : NULL;
    if (walk)
        fth_analysis_walk_all(walk);
    int result = walk ? add_calls(table, walk, error) : -1;
    fth_analysis_walk_close(walk);
    if (!result && fth_table_failed(table))
        result = fth_fail(error, "out of memory");
    if (!result && !fth_table_rows(table))
        result = fth_fail(error, "the trace has no regions: mark them with <fathom/mark.h>, or "
                                 "record with --regions or --python");
    if (!result) {
        sort(table, order);
        return table;
    }
    fth_table_free(table);
    return NULL;
}
