/* Rows of the tables about the run. */
#include "export/arrow/arrow_rows.h"

#include "analysis/tables/handles_table.h"
#include "analysis/tables/samples_table.h"
#include "analysis/tables/stats_table.h"
#include "export/shared/run_tables.h"
#include "export/shared/table_rows.h"

int fth_arrow_fill_processes(struct fth_arrow_rows *rows)
{
    size_t count = fth_trace_process_count(rows->trace);
    for (; rows->next < count && !fth_arrow_is_full(rows); rows->next++) {
        if (!fth_analysis_selects_process(rows->selection, rows->trace, rows->next))
            continue;
        fth_process_table_put(&rows->batch, rows->next, fth_trace_process(rows->trace, rows->next));
        rows->batch.rows++;
    }
    rows->is_over = rows->next == count;
    return 0;
}

int fth_arrow_fill_messages(struct fth_arrow_rows *rows)
{
    struct fth_message_list *list = &rows->messages;
    if (!rows->has_messages && fth_export_messages(list, rows->trace, 0, &rows->error))
        return -1;
    rows->has_messages = true;
    if (list->too_many)
        return fth_fail(&rows->error, "%llu messages are more than are kept in memory",
                        (unsigned long long)(list->too_many + list->count));
    for (; rows->next < list->count && !fth_arrow_is_full(rows); rows->next++) {
        fth_message_table_put(&rows->batch, list, &list->all[rows->next]);
        rows->batch.rows++;
    }
    rows->is_over = rows->next == list->count;
    return 0;
}

/* Opens the next selected counter; NULL: there are no more. */
static struct fth_samples_reader *next_counter(struct fth_arrow_rows *rows)
{
    size_t count = fth_trace_counter_count(rows->trace);
    for (; rows->next < count; rows->next++)
        if (fth_analysis_selects_counter(rows->selection, rows->trace,
                                         fth_trace_counter(rows->trace, rows->next)))
            return fth_samples_open(rows->trace, rows->next);
    return NULL;
}

int fth_arrow_fill_samples(struct fth_arrow_rows *rows)
{
    struct fth_sample sample;
    while (!fth_arrow_is_full(rows)) {
        if (!rows->samples && !(rows->samples = next_counter(rows))) {
            rows->is_over = true;
            break;
        }
        if (fth_samples_next(rows->samples, &sample)) {
            fth_sample_table_put(&rows->batch, rows->trace,
                                 fth_trace_counter(rows->trace, rows->next), &sample);
            rows->batch.rows++;
            continue;
        }
        fth_samples_close(rows->samples);
        rows->samples = NULL;
        rows->next++;
    }
    return 0;
}

/* ---- tables of the analysis ---- */

/* Adds what is left of rows->table, as far as there is room. */
static void put_table(struct fth_arrow_rows *rows, const int64_t *leading, size_t leading_count)
{
    for (; rows->next < fth_table_rows(rows->table) && !fth_arrow_is_full(rows); rows->next++) {
        fth_table_batch_put(&rows->batch, rows->table, rows->next, leading, leading_count);
        rows->batch.rows++;
    }
}

int fth_arrow_fill_files(struct fth_arrow_rows *rows)
{
    if (!rows->table) {
        struct fth_stats *stats =
            fth_analysis_stats(rows->trace, rows->selection, FTH_WHERE_ITSELF, NULL, &rows->error);
        if (!stats)
            return -1;
        rows->table = stats->tables[FTH_STATS_FILES];
        stats->tables[FTH_STATS_FILES] = NULL;
        fth_analysis_stats_free(stats);
    }
    put_table(rows, NULL, 0);
    rows->is_over = rows->next == fth_table_rows(rows->table);
    return 0;
}

const char *const fth_arrow_handles_leading[FTH_ARROW_HANDLES_LEADING] = {"proc", "rank"};

/* 1: rows->table is that of the next selected process, which has any; 0: there are no more; -1:
 * rows->error is set. */
static int next_handles(struct fth_arrow_rows *rows)
{
    fth_table_free(rows->table);
    rows->table = NULL;
    rows->next = 0;
    size_t count = fth_trace_process_count(rows->trace);
    while (rows->next_proc < count &&
           !fth_analysis_selects_process(rows->selection, rows->trace, rows->next_proc))
        rows->next_proc++;
    if (rows->next_proc == count)
        return 0;
    rows->table = fth_analysis_handles(rows->trace, rows->next_proc++, rows->selection, true, NULL,
                                       &rows->error);
    return rows->table ? 1 : -1;
}

int fth_arrow_fill_handles(struct fth_arrow_rows *rows)
{
    while (!fth_arrow_is_full(rows)) {
        if (!rows->table || rows->next == fth_table_rows(rows->table)) {
            int more = next_handles(rows);
            rows->is_over = more <= 0;
            if (more <= 0)
                return more;
        }
        size_t proc = rows->next_proc - 1;
        put_table(rows,
                  (const int64_t[FTH_ARROW_HANDLES_LEADING]){
                      (int64_t)proc, fth_trace_process(rows->trace, proc)->rank},
                  FTH_ARROW_HANDLES_LEADING);
    }
    return 0;
}
