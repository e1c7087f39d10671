/* Rows of the tables of calls and accesses. */
#include "export/arrow/arrow_rows.h"

/* ---- calls ---- */

/* 1: rows->call is the next one; 0: there are no more; -1: rows->error is set. */
static int next_call(struct fth_arrow_rows *rows, const struct fth_call **call)
{
    if (!rows->walk) {
        rows->walk = fth_analysis_walk_open(rows->trace, rows->selection, FTH_WALK_BY_PROCESS, NULL,
                                            &rows->error);
        if (!rows->walk)
            return -1;
        if (rows->of_accesses)
            fth_analysis_walk_accesses(rows->walk);
    }
    int more = fth_analysis_walk_next(rows->walk, call, &rows->error);
    if (more > 0 && (*call)->proc != rows->proc) {
        rows->proc = (*call)->proc;
        fth_call_table_next_process(rows->of_calls ? &rows->batch : NULL,
                                    rows->of_accesses ? &rows->batch : NULL);
        fth_anonymous_forget(&rows->anonymous);
    }
    if (more > 0) {
        rows->access = fth_anonymous_access(&rows->anonymous,
                                            fth_analysis_walk_access(rows->walk, &rows->accesses));
        *call = fth_anonymous_call(&rows->anonymous, *call);
    }
    return more;
}

int fth_arrow_fill_calls(struct fth_arrow_rows *rows)
{
    const struct fth_call *call;
    while (!fth_arrow_is_full(rows)) {
        int more = next_call(rows, &call);
        rows->is_over = more <= 0;
        if (more <= 0)
            return more;
        fth_call_table_put(&rows->batch, &rows->columns, call,
                           fth_function_number(&rows->functions, call->function));
        rows->batch.rows++;
    }
    return 0;
}

/* ---- accesses ---- */

static void put_range(struct fth_arrow_rows *rows)
{
    fth_access_table_put(&rows->batch, rows->trace, rows->call,
                         fth_function_number(&rows->functions, rows->call->function), &rows->row);
    rows->batch.rows++;
}

/* Rows of the call at hand, as far as there is room; when it has no more it is let go. */
static void put_ranges(struct fth_arrow_rows *rows)
{
    const struct fth_access *access = rows->access;
    while (!fth_arrow_is_full(rows)) {
        if (access->kind == FTH_ACCESS_UNKNOWN && !rows->row.is_known)
            put_range(rows);
        else if (access->kind != FTH_ACCESS_BYTES ||
                 !fth_accesses_range(rows->accesses, &rows->row.range))
            break;
        else
            put_range(rows);
        rows->row.is_known = true; /* or there is no other */
    }
    if (fth_arrow_is_full(rows))
        return;
    if (fth_access_second_row(access, rows->call, &rows->row))
        put_range(rows);
    rows->call = NULL;
}

int fth_arrow_fill_accesses(struct fth_arrow_rows *rows)
{
    while (!fth_arrow_is_full(rows)) {
        int more = rows->call ? 1 : next_call(rows, &rows->call);
        rows->is_over = more <= 0;
        if (more <= 0)
            return more;
        const struct fth_access *access = rows->access;
        if (access->kind == FTH_ACCESS_NONE) {
            rows->call = NULL;
            continue;
        }
        if (!rows->goes_on) {
            rows->row = (struct fth_access_row){rows->call->file,
                                                rows->call->writes,
                                                access->kind == FTH_ACCESS_BYTES,
                                                {0, access->length}};
        }
        put_ranges(rows);
        rows->goes_on = rows->call;
    }
    return 0;
}
