/* The report for programs: {"run", "tables": {NAME: {"columns", "rows"}}, "findings"}. */
#include "views/report.h"

#include "views/incomplete.h"
#include "views/meta.h"
#include "views/tables.h"

#include <stdlib.h>

static const char *const unit_words[] = {
    [FTH_UNIT_COUNT] = "count", [FTH_UNIT_NUMBER] = "number",   [FTH_UNIT_BYTES] = "bytes",
    [FTH_UNIT_TIME] = "s",      [FTH_UNIT_PERCENT] = "percent", [FTH_UNIT_RATIO] = "ratio",
    [FTH_UNIT_TEXT] = "text",   [FTH_UNIT_PATH] = "path",
};

static const char *type_of(enum fth_unit unit)
{
    switch (unit) {
    case FTH_UNIT_COUNT:
    case FTH_UNIT_NUMBER:
    case FTH_UNIT_BYTES:
        return "integer";
    case FTH_UNIT_TEXT:
    case FTH_UNIT_PATH:
        return "text";
    case FTH_UNIT_TIME:
    case FTH_UNIT_PERCENT:
    case FTH_UNIT_RATIO:
        break;
    }
    return "real";
}

static void put_key_text(struct fth_json *json, const char *key, const char *text)
{
    fth_json_key(json, key);
    fth_json_text(json, text);
}

static void put_table(struct fth_json *json, const struct fth_table *table)
{
    const struct fth_shape *shape = fth_table_shape(table);
    fth_json_key(json, shape->name);
    fth_json_begin_object(json);
    put_key_text(json, "title", shape->title);
    fth_json_key(json, "columns");
    fth_json_begin_array(json);
    for (size_t i = 0; i < shape->column_count; i++) {
        fth_json_begin_object(json);
        put_key_text(json, "name", shape->columns[i].name);
        put_key_text(json, "type", type_of(shape->columns[i].unit));
        put_key_text(json, "unit", unit_words[shape->columns[i].unit]);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    fth_json_key(json, "rows");
    fth_views_table_json(json, table, 0);
    fth_json_end_object(json);
}

static void put_list(struct fth_json *json, const char *key, const struct fth_finding_list *list)
{
    fth_json_key(json, key);
    fth_json_begin_array(json);
    for (size_t i = 0; i < list->count && i < FTH_FINDING_LISTED; i++)
        fth_json_text(json, list->items[i]);
    fth_json_end_array(json);
}

static void put_finding(struct fth_json *json, const struct fth_finding *finding)
{
    fth_json_begin_object(json);
    put_key_text(json, "kind", finding->kind);
    put_key_text(json, "title", finding->title);
    fth_json_key(json, "severity_s");
    fth_json_seconds(json, finding->severity);
    fth_json_key(json, "gain_s");
    if (finding->gain >= 0)
        fth_json_seconds(json, finding->gain);
    else
        fth_json_null(json);
    fth_json_key(json, "gain_share");
    if (finding->gain >= 0)
        fth_json_number(json, finding->gain_share);
    else
        fth_json_null(json);
    fth_json_key(json, "share");
    fth_json_number(json, finding->share);
    fth_json_key(json, "effective");
    fth_json_boolean(json, finding->effective);
    fth_json_key(json, "wrong");
    fth_json_boolean(json, finding->wrong);
    fth_json_key(json, "minor");
    fth_json_boolean(json, finding->minor);
    fth_json_key(json, "part_of");
    if (finding->part_of)
        fth_json_text(json, finding->part_of);
    else
        fth_json_null(json);
    fth_json_key(json, "times");
    fth_json_unsigned(json, finding->times);
    put_key_text(json, "text", finding->text);
    put_key_text(json, "advice", finding->advice);
    put_list(json, "ranks", &finding->ranks);
    fth_json_key(json, "rank_count");
    fth_json_unsigned(json, finding->ranks.total);
    put_list(json, "files", &finding->files);
    fth_json_key(json, "file_count");
    fth_json_unsigned(json, finding->files.total);
    put_list(json, "evidence", &finding->evidence);
    fth_json_end_object(json);
}

static void put_run(struct fth_json *json, const struct fth_trace *trace,
                    const struct fth_results *results, const struct fth_report_view *view)
{
    char *meta = fth_views_meta_json(fth_trace_info(trace));
    fth_json_key(json, "run");
    fth_json_begin_object(json);
    put_key_text(json, "trace", view->trace_path);
    fth_views_missing_json(json, &view->incomplete);
    char *job = fth_views_job(fth_trace_info(trace));
    put_key_text(json, "job", job);
    free(job);
    fth_json_key(json, "duration_s");
    fth_json_seconds(json, fth_trace_info(trace)->end);
    fth_json_key(json, "mpi_share");
    fth_json_number(json, results->mpi_share);
    fth_json_key(json, "total");
    fth_views_row_json(json, view->stats->tables[FTH_STATS_TOTAL], 0);
    fth_json_key(json, "meta");
    if (meta)
        fth_json_raw(json, meta);
    else
        fth_json_null(json);
    fth_json_key(json, "blind_spots");
    fth_json_begin_array(json);
    for (size_t i = 0; i < fth_trace_info(trace)->blind_spot_count; i++)
        fth_json_text(json, fth_trace_info(trace)->blind_spots[i]);
    fth_json_end_array(json);
    fth_json_end_object(json);
    free(meta);
}

void fth_views_report_json(struct fth_output *output, const struct fth_trace *trace,
                           const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_json json;
    fth_json_open(&json, &output->sink, 3);
    fth_json_begin_object(&json);
    if (trace)
        put_run(&json, trace, results, view);
    fth_json_key(&json, "tables");
    fth_json_begin_object(&json);
    for (size_t i = 0; i < results->table_count; i++)
        put_table(&json, results->tables[i]);
    for (size_t i = FTH_STATS_FUNCTIONS; !view->results_only && i < FTH_STATS_TABLES; i++)
        put_table(&json, view->stats->tables[i]);
    fth_json_end_object(&json);
    fth_json_key(&json, "findings");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < results->findings.count; i++)
        put_finding(&json, &results->findings.list[i]);
    fth_json_end_array(&json);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
}
