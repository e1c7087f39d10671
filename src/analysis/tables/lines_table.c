/* The pass of source lines: goes through all calls, and adds up those that the application made
 * itself. */
#include "analysis/tables/lines_table.h"

#include "analysis/survey/call_walk.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN = 1024 };

enum column { SOURCE, FUNC, LAYER, CALLS, ERRORS, READ, WRITTEN, TIME };
static const struct fth_column columns[] = {
    {"source", "line", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"lines", "Source lines", columns,
                                       sizeof columns / sizeof *columns, 3};

/* Rows that were found lately: calls of one signature have the same text at the same place. */
struct known {
    const char *source;
    const struct fth_function *function;
    size_t proc, row;
};

static size_t row_of(struct fth_table *table, struct known *known, const struct fth_call *call)
{
    uintptr_t hash = ((uintptr_t)call->source >> 3) * 31 + ((uintptr_t)call->function >> 4);
    struct known *here = &known[(hash ^ hash >> 10) % KNOWN];
    if (here->source == call->source && here->function == call->function &&
        here->proc == call->proc)
        return here->row;
    const struct fth_cell key[] = {fth_cell_text(call->source), fth_cell_text(call->function->name),
                                   fth_cell_text(call->function->layer)};
    size_t row = fth_table_group(table, key);
    if (row != FTH_NO_ROW)
        *here = (struct known){call->source, call->function, call->proc, row};
    return row;
}

static void add(struct fth_table *table, struct known *known, const struct fth_call *call)
{
    size_t row = row_of(table, known, call);
    fth_table_increase(table, row, CALLS, 1);
    fth_table_increase(table, row, ERRORS, call->error_number != 0);
    fth_table_increase(table, row, READ, fth_analysis_bytes_read(call));
    fth_table_increase(table, row, WRITTEN, fth_analysis_bytes_written(call));
    fth_table_increase(table, row, TIME, (uint64_t)(call->end - call->start));
}

static int add_calls(struct fth_table *table, struct fth_run_walk *walk, struct fth_error **error)
{
    const struct fth_call *call;
    struct known *known = calloc(KNOWN, sizeof *known);
    int more = known ? 1 : fth_fail(error, "out of memory");
    while (more > 0 && (more = fth_analysis_walk_next(walk, &call, error)) > 0)
        if (call->source)
            add(table, known, call);
    free(known);
    return more;
}

static void sort(struct fth_table *table, enum fth_stats_order order)
{
    size_t by[2] = {order == FTH_STATS_BY_CALLS   ? CALLS
                    : order == FTH_STATS_BY_BYTES ? READ
                                                  : TIME,
                    WRITTEN};
    fth_table_sort(table, (size_t[]){SOURCE, FUNC, LAYER}, 3);
    fth_table_sort_by_sum(table, by, order == FTH_STATS_BY_BYTES ? 2 : 1);
}

struct fth_table *fth_analysis_lines(struct fth_trace *trace, const struct fth_selection *selection,
                                     enum fth_stats_order order, struct fth_progress *progress,
                                     struct fth_error **error)
{
    struct fth_table *table = fth_table_new(&shape);
    struct fth_run_walk *walk =
        table ? fth_analysis_walk_open(trace, selection, FTH_WALK_BY_PROCESS, progress, error)
              : NULL;
    int result = walk ? add_calls(table, walk, error) : -1;
    fth_analysis_walk_close(walk);
    if (!result && fth_table_failed(table))
        result = fth_fail(error, "out of memory");
    if (!result && !fth_table_rows(table))
        result = fth_fail(
            error,
            "no %scall has a source line: 'fathom record --lines' keeps those of calls that the "
            "program itself makes",
            selection->where || selection->procs.count || selection->ranks.count ? "selected "
                                                                                 : "");
    if (!result) {
        sort(table, order);
        return table;
    }
    fth_table_free(table);
    return NULL;
}
