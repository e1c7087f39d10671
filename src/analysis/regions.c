/* The pass of regions: goes through all calls, and knows for each thread which ones are open. */
#include "analysis/regions.h"

#include "analysis/walk.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 256 }; /* a depth is kept in one byte */

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

/* The open calls of a thread, the innermost last. */
struct open_calls {
    size_t count;
    struct {
        uint32_t depth;
        bool is_region;
        size_t row;
    } list[DEEPEST];
};

struct pass {
    struct fth_table *table;
    size_t proc; /* that the threads are of */
    size_t thread_count;
    struct open_calls **threads;
};

bool fth_analysis_is_of_application(const struct fth_function *function)
{
    return strcmp(function->layer, "application") == 0;
}

/* A counter has a value, too. */
static bool is_region(const struct fth_function *function)
{
    return fth_analysis_is_of_application(function) && function->parameter_count == 1;
}

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
            if (sums[i].calls && is_region(sums[i].function))
                return 1;
    }
    return 0;
}

static const char *name_of_region(const struct fth_call *call)
{
    if (!is_region(call->function))
        return NULL;
    return call->arguments[0].text ? call->arguments[0].text : "";
}

/* ---- threads ---- */

static void forget_threads(struct pass *pass)
{
    for (size_t i = 0; i < pass->thread_count; i++)
        free(pass->threads[i]);
    free(pass->threads);
    pass->threads = NULL;
    pass->thread_count = 0;
}

/* NULL: out of memory. */
static struct open_calls *thread_of(struct pass *pass, const struct fth_call *call)
{
    if (pass->proc != call->proc)
        forget_threads(pass);
    pass->proc = call->proc;
    if (call->thread >= pass->thread_count) {
        size_t count = 2 * (size_t)call->thread + 1;
        struct open_calls **threads = realloc(pass->threads, count * sizeof *threads);
        if (!threads)
            return NULL;
        memset(threads + pass->thread_count, 0, (count - pass->thread_count) * sizeof *threads);
        pass->threads = threads;
        pass->thread_count = count;
    }
    if (!pass->threads[call->thread])
        pass->threads[call->thread] = calloc(1, sizeof(struct open_calls));
    return pass->threads[call->thread];
}

/* ---- calls ---- */

static bool is_open(const struct open_calls *open, size_t row)
{
    for (size_t i = 0; i < open->count; i++)
        if (open->list[i].is_region && open->list[i].row == row)
            return true;
    return false;
}

static void add_region(struct pass *pass, struct open_calls *open, const struct fth_call *call,
                       const char *name)
{
    struct fth_cell key = fth_cell_text(name);
    size_t row = fth_table_group(pass->table, &key);
    uint64_t time = is_open(open, row) ? 0 : (uint64_t)(call->end - call->start);
    const uint64_t values[] = {1, time, 0, 0, 0, 0}; /* 0 is not null */
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        fth_table_increase(pass->table, row, TIMES + i, values[i]);
    open->list[open->count].row = row;
}

/* Is there a region of the same name further inside? */
static bool is_repeated(const struct open_calls *open, size_t at)
{
    for (size_t i = at + 1; i < open->count; i++)
        if (open->list[i].row == open->list[at].row)
            return true;
    return false;
}

/* It counts for the regions that it was made in, up to the next call around it: what that one does has been counted. */
static void add_call(struct pass *pass, const struct open_calls *open, const struct fth_call *call)
{
    uint64_t bytes = call->bytes_known ? call->bytes : 0;
    const uint64_t values[] = {1, call->reads ? bytes : 0, call->writes ? bytes : 0,
                               (uint64_t)(call->end - call->start)};
    for (size_t i = open->count; i > 0 && open->list[i - 1].is_region; i--)
        for (size_t k = 0; k < 4 && !is_repeated(open, i - 1); k++)
            fth_table_increase(pass->table, open->list[i - 1].row, CALLS + k, values[k]);
}

static bool add(struct pass *pass, const struct fth_call *call)
{
    struct open_calls *open = thread_of(pass, call);
    const char *name = name_of_region(call);
    if (!open)
        return false;
    while (open->count && open->list[open->count - 1].depth >= call->depth)
        open->count--;
    if (open->count == DEEPEST)
        return true;
    open->list[open->count].depth = call->depth;
    open->list[open->count].is_region = name != NULL;
    if (name)
        add_region(pass, open, call, name);
    else
        add_call(pass, open, call);
    open->count++;
    return true;
}

static int add_calls(struct pass *pass, struct fth_walk *walk, struct fth_error **error)
{
    const struct fth_call *call;
    int more;
    while ((more = fth_analysis_walk_next(walk, &call, error)) > 0)
        if (!add(pass, call))
            return fth_fail(error, "out of memory");
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
    struct pass pass = {.table = fth_table_new(&shape)};
    struct fth_walk *walk =
        pass.table ? fth_analysis_walk_open(trace, selection, FTH_WALK_BY_PROCESS, progress, error)
                   : NULL;
    int result = walk ? add_calls(&pass, walk, error) : -1;
    fth_analysis_walk_close(walk);
    forget_threads(&pass);
    if (!result && fth_table_failed(pass.table))
        result = fth_fail(error, "out of memory");
    if (!result && !fth_table_rows(pass.table))
        result = fth_fail(error, "the trace has no regions: <fathom/mark.h> makes them, and "
                                 "'fathom record --regions' and --python");
    if (!result) {
        sort(pass.table, order);
        return pass.table;
    }
    fth_table_free(pass.table);
    return NULL;
}
