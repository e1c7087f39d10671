/* JSON: facts are keys of one object, tables arrays of objects among them. The keys are a contract,
 * described by the manual page of each command. */
#include "views/formats/writer.h"

#include "views/verdicts/verify_forms.h"

static void begin(struct fth_writer *writer)
{
    fth_json_open(&writer->facts, &writer->output->sink, writer->page.line_depth);
    if (writer->page.line_depth)
        fth_json_begin_object(&writer->facts);
}

static int end(struct fth_writer *writer, struct fth_error **error)
{
    (void)error;
    if (writer->page.line_depth) {
        fth_json_end_object(&writer->facts);
        fth_json_end_document(&writer->facts);
    }
    return 0;
}

static void put_missing(struct fth_writer *writer, const struct fth_incomplete *incomplete)
{
    fth_views_missing_json(&writer->facts, incomplete);
}

/* ---- tables ---- */

static const char *const unit_words[] = {
    [FTH_UNIT_COUNT] = "count", [FTH_UNIT_NUMBER] = "number",   [FTH_UNIT_BYTES] = "bytes",
    [FTH_UNIT_TIME] = "s",      [FTH_UNIT_PERCENT] = "percent", [FTH_UNIT_RATIO] = "ratio",
    [FTH_UNIT_TEXT] = "text",   [FTH_UNIT_PATH] = "path",       [FTH_UNIT_RATE] = "bytes/s",
};

static const char *type_of(enum fth_unit unit)
{
    switch (unit) {
    case FTH_UNIT_COUNT:
    case FTH_UNIT_NUMBER:
    case FTH_UNIT_BYTES:
    case FTH_UNIT_RATE:
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

static void put_columns(struct fth_json *json, const struct fth_shape *shape)
{
    fth_json_key_text(json, "title", shape->title);
    fth_json_key(json, "columns");
    fth_json_begin_array(json);
    for (size_t i = 0; i < shape->column_count; i++) {
        fth_json_begin_object(json);
        fth_json_key_text(json, "name", shape->columns[i].name);
        fth_json_key_text(json, "type", type_of(shape->columns[i].unit));
        fth_json_key_text(json, "unit", unit_words[shape->columns[i].unit]);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_table(struct fth_writer *writer, const struct fth_table *table,
                      const struct fth_table_layout *layout)
{
    struct fth_json *json = &writer->facts;
    fth_json_key(json, fth_views_name_of(table, layout));
    if (layout->is_one) {
        fth_views_row_json(json, table, 0);
        return;
    }
    if (layout->is_described) {
        fth_json_begin_object(json);
        put_columns(json, fth_table_shape(table));
        if (layout->top_of_all && fth_table_rows(table) > layout->top_of_all)
            fth_json_key_unsigned(json, "all_rows", fth_table_rows(table));
        fth_json_key(json, "rows");
    }
    fth_views_table_json(json, table, layout->top_of_all);
    if (layout->is_described)
        fth_json_end_object(json);
}

/* ---- calls, each a document ---- */

static void put_call(struct fth_writer *writer, struct fth_dump *dump, const struct fth_call *call)
{
    (void)writer;
    fth_views_dump_call_json(dump, call);
}

static void put_operation(struct fth_writer *writer, struct fth_dump *dump,
                          const struct fth_operation *operation)
{
    (void)writer;
    fth_views_dump_operation_json(dump, operation);
}

/* ---- findings ---- */

static void put_list(struct fth_json *json, const char *key, const struct fth_finding_list *list)
{
    fth_json_key(json, key);
    fth_json_begin_array(json);
    for (size_t i = 0; i < list->count && i < FTH_FINDING_LISTED; i++)
        fth_json_text(json, list->items[i]);
    fth_json_end_array(json);
}

/* What the run would be shorter, where that is known. */
static void put_gain(struct fth_json *json, const struct fth_finding *finding)
{
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
}

static void put_relation(void *to, const char *sentence)
{
    fth_json_text(to, sentence);
}

static void put_finding(struct fth_json *json, const struct fth_results *results,
                        const struct fth_finding *finding, bool is_shown)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "kind", finding->kind);
    fth_json_key_text(json, "title", finding->title);
    fth_json_key_seconds(json, "severity_s", finding->severity);
    put_gain(json, finding);
    fth_json_key_number(json, "share", finding->share);
    fth_json_key_boolean(json, "effective", finding->effective);
    fth_json_key_boolean(json, "wrong", finding->wrong);
    fth_json_key_boolean(json, "minor", finding->minor);
    fth_json_key_text(json, "worth", fth_views_worth(finding));
    fth_json_key_boolean(json, "shown", is_shown);
    fth_json_key_text(json, "part_of", finding->part_of);
    fth_json_key_text(json, "partly_due_to", finding->partly_due_to);
    fth_json_key_unsigned(json, "times", finding->times);
    fth_json_key_text(json, "text", finding->text);
    fth_json_key(json, "relations");
    fth_json_begin_array(json);
    fth_views_relations(results, finding, put_relation, json);
    fth_json_end_array(json);
    fth_json_key_text(json, "advice", finding->advice);
    put_list(json, "ranks", &finding->ranks);
    fth_json_key_unsigned(json, "rank_count", finding->ranks.total);
    put_list(json, "late_ranks", &finding->late);
    fth_json_key_unsigned(json, "late_rank_count", finding->late.total);
    put_list(json, "files", &finding->files);
    fth_json_key_unsigned(json, "file_count", finding->files.total);
    put_list(json, "evidence", &finding->evidence);
    fth_json_end_object(json);
}

static void put_findings(struct fth_writer *writer, const struct fth_trace *trace,
                         const struct fth_results *results, const struct fth_report_view *view)
{
    (void)trace;
    const struct fth_finding *minor = fth_views_largest_minor(results, view);
    fth_json_key(&writer->facts, "findings");
    fth_json_begin_array(&writer->facts);
    for (size_t i = 0; i < results->findings.count; i++) {
        const struct fth_finding *finding = &results->findings.list[i];
        put_finding(&writer->facts, results, finding,
                    finding == minor || fth_views_stands_out(finding, view));
    }
    fth_json_end_array(&writer->facts);
}

static void put_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                        const char *asked, size_t top)
{
    (void)asked;
    (void)top;
    fth_views_verify_facts(&writer->facts, verdict);
}

const struct fth_format fth_format_json = {
    .name = "json",
    .help = "Print JSON",
    .has_facts = true,
    .begin = begin,
    .end = end,
    .missing = put_missing,
    .table = put_table,
    .call = put_call,
    .operation = put_operation,
    .findings = put_findings,
    .verdict = put_verdict,
};
