/* What the machine did beside the program: tables, and pictures of counters. */
#include "views/pages/samples_page.h"

#include "base/json.h"
#include "base/memory.h"
#include "views/sentences/meta.h"
#include "views/pages/counter_curve.h"
#include "views/output/display_text.h"

#include <stdio.h>
#include <string.h>

enum { SPARKS = 32, PICTURE_HEIGHT = 8, PICTURE_WIDTH = 100, LABELS = 14 };

/* ---- values with their units ---- */

/* The nearest integer that fits; 0 of what is no number. */
static int64_t whole(double value)
{
    if (!(value > -0x1p62)) /* or no number */
        return value <= -0x1p62 ? -(INT64_C(1) << 62) : 0;
    return value < 0x1p62 ? (int64_t)(value < 0 ? value - 0.5 : value + 0.5) : INT64_C(1) << 62;
}

static struct fth_phrase value_of(const struct fth_counter *counter, double value)
{
    struct fth_phrase phrase;
    const char *each = counter->kind == FTH_RATE ? "/s" : "";
    if (counter->unit == FTH_COUNTER_BYTES)
        snprintf(phrase.text, sizeof phrase.text, "%s%.36s%s", value < 0 ? "-" : "",
                 fth_phrase_bytes((uint64_t)whole(value < 0 ? -value : value)).text, each);
    else if (counter->unit == FTH_COUNTER_SECONDS)
        phrase = counter->kind == FTH_RATE ? fth_phrase_percent(100 * value)
                                           : fth_phrase_duration(whole(1e9 * value));
    else if (counter->unit == FTH_COUNTER_JOULES)
        snprintf(phrase.text, sizeof phrase.text, "%.1f %s", value,
                 counter->kind == FTH_RATE ? "W" : "J");
    else if (value >= 100 || value == (double)whole(value))
        snprintf(phrase.text, sizeof phrase.text, "%.36s%s", fth_phrase_count(whole(value)).text,
                 each);
    else
        snprintf(phrase.text, sizeof phrase.text, "%.36s%s", fth_phrase_ratio(value).text, each);
    return phrase;
}

struct fth_counter_name {
    char text[256];
};

static struct fth_counter_name name_of(const struct fth_counter *counter)
{
    struct fth_counter_name name;
    snprintf(name.text, sizeof name.text, "%s%s%s", counter->name, *counter->instance ? ":" : "",
             counter->instance);
    return name;
}

/* ---- the table of nodes ---- */

enum column { NODE, COUNTER, LEAST, MEAN, MOST, TIMELINE, COLUMNS };
static const struct fth_column columns[COLUMNS] = {
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"counter", "counter", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"min", "min", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"mean", "mean", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"max", "max", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"timeline", "over time", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"nodes", "Nodes", columns, COLUMNS, 0};

/* Each CPU for itself is too much at first sight, and so is what was 0 all the time. */
static bool is_shown(const struct fth_counter *counter, const struct fth_counter_sum *sum,
                     const struct fth_samples_view *view)
{
    bool of_one_cpu = strncmp(counter->name, "cpu.", 4) == 0 && *counter->instance;
    return view->all || view->named || (!of_one_cpu && sum->most != 0);
}

static void add_row(struct fth_table *table, const struct fth_output *output,
                    const struct fth_trace *trace, const struct fth_counter_sum *sum)
{
    static struct fth_timeline timeline;
    char sparks[3 * SPARKS + 1];
    const struct fth_counter *counter = fth_trace_counter(trace, sum->counter);
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, NODE,
                  fth_cell_text(fth_trace_sampling(trace, counter->sampling)->host));
    fth_table_set(table, row, COUNTER, fth_cell_text(name_of(counter).text));
    fth_table_set(table, row, LEAST, fth_cell_text(value_of(counter, sum->least).text));
    fth_table_set(table, row, MEAN, fth_cell_text(value_of(counter, sum->mean).text));
    fth_table_set(table, row, MOST, fth_cell_text(value_of(counter, sum->most).text));
    if (!output->style.width || !output->style.unicode)
        return;
    fth_views_timeline(&timeline, trace, sum->counter, SPARKS);
    fth_views_sparkline(&timeline, sparks);
    fth_table_set(table, row, TIMELINE, fth_cell_text(sparks));
}

static void put_nodes(struct fth_writer *writer, const struct fth_trace *trace,
                      const struct fth_sample_sums *sums, const struct fth_samples_view *view)
{
    static const char *const spare[] = {"timeline", "min", NULL};
    struct fth_table *table = fth_table_new(&shape);
    uint64_t left_out = 0;
    for (size_t i = 0; table && i < sums->count; i++) {
        const struct fth_counter *counter = fth_trace_counter(trace, sums->counters[i].counter);
        if (counter->proc != FTH_NO_PROCESS)
            continue;
        if (is_shown(counter, &sums->counters[i], view))
            add_row(table, writer->output, trace, &sums->counters[i]);
        else
            left_out++;
    }
    if (table && fth_table_rows(table)) {
        fth_views_write_gap(writer);
        fth_views_write_table(writer, table, &(struct fth_table_layout){.spare = spare});
    }
    if (left_out)
        fth_views_write_remark(writer, FTH_PAINT_PLAIN,
                               "%s not shown: single CPUs, or always 0 (--all shows them)",
                               fth_phrase_several(left_out, "counter is", "counters are").text);
    fth_table_free(table);
}

/* ---- pictures ---- */

static void put_label(char *text, size_t size, double value, const void *counter)
{
    snprintf(text, size, "%s", value_of(counter, value).text);
}

struct picture {
    const struct fth_trace *trace;
    const struct fth_counter_sum *sum;
};

static void put_picture(struct fth_output *output, const void *context)
{
    static struct fth_timeline timeline;
    const struct picture *picture = context;
    const struct fth_trace *trace = picture->trace;
    const struct fth_counter_sum *sum = picture->sum;
    const struct fth_counter *counter = fth_trace_counter(trace, sum->counter);
    size_t width = output->style.width;
    fth_views_timeline(&timeline, trace, sum->counter,
                       width > LABELS + 20 ? width - LABELS - 1 : PICTURE_WIDTH);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_put_text(&output->sink, name_of(counter).text, 0, FTH_CUT_END, output->style.unicode);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_text(&output->sink, " of ");
    fth_views_put_text(&output->sink, fth_trace_sampling(trace, counter->sampling)->host, 0,
                       FTH_CUT_END, output->style.unicode);
    if (counter->proc != FTH_NO_PROCESS)
        fth_views_print(output, ", process %lld", (long long)counter->proc);
    fth_views_print(output, ": %s to ", value_of(counter, sum->least).text);
    fth_views_print(output, "%s, ", value_of(counter, sum->most).text);
    fth_views_print(output, "mean %s\n", value_of(counter, sum->mean).text);
    fth_views_picture(output, &timeline, PICTURE_HEIGHT, put_label, counter);
}

/* ---- all of it ---- */

struct head {
    const struct fth_trace *trace;
    const struct fth_samples_view *view;
};

static void put_head(struct fth_output *output, const void *context)
{
    const struct head *head = context;
    const struct fth_trace *trace = head->trace;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_put_text(&output->sink, head->view->trace_path, 0, FTH_CUT_END,
                       output->style.unicode);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_put_command(output, fth_trace_info(trace), ": ");
    fth_sink_char(&output->sink, '\n');
    for (size_t i = 0; i < fth_trace_sampling_count(trace); i++) {
        const struct fth_sampling_info *sampling = fth_trace_sampling(trace, i);
        fth_views_put_text(&output->sink, sampling->host, 0, FTH_CUT_END, output->style.unicode);
        fth_views_print(output, ": %s, ",
                        fth_phrase_several(sampling->sample_count, "row", "rows").text);
        if (sampling->samples_per_value > 1)
            fth_views_print(output, "each of %s samples, ",
                            fth_phrase_count((int64_t)sampling->samples_per_value).text);
        fth_views_print(output, "taken every %s ", fth_phrase_duration(sampling->interval).text);
        fth_views_print(output, "for %s\n",
                        fth_phrase_duration(sampling->end - sampling->start).text);
        for (size_t k = 0; k < sampling->note_count; k++) {
            fth_sink_text(&output->sink, "  not available: ");
            fth_views_put_text(&output->sink, sampling->notes[k], 0, FTH_CUT_END,
                               output->style.unicode);
            fth_sink_char(&output->sink, '\n');
        }
    }
}

static void show_people(struct fth_writer *writer, const struct fth_trace *trace,
                        const struct fth_sample_sums *sums, const struct fth_samples_view *view)
{
    static const char *const spare[] = {
        "samples", "cycles", "cache_misses", "instructions", "involuntary_switches",
        "program", NULL};
    fth_views_write_lines(writer, put_head, &(struct head){trace, view});
    if (view->named) {
        for (size_t i = 0; i < sums->count && !fth_views_stopped(writer->output); i++) {
            fth_views_write_gap(writer);
            fth_views_write_lines(writer, put_picture,
                                  &(struct picture){trace, &sums->counters[i]});
        }
        return;
    }
    put_nodes(writer, trace, sums, view);
    if (!fth_table_rows(sums->processes))
        return;
    fth_views_write_gap(writer);
    fth_views_write_table(
        writer, sums->processes,
        &(struct fth_table_layout){.spare = spare, .top = view->top, .more = "--top 0 shows all"});
}

/* ---- for programs ---- */

static void put_sampling(struct fth_json *json, const struct fth_sampling_info *sampling)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "host", sampling->host);
    fth_json_key_seconds(json, "interval", sampling->interval);
    fth_json_key_seconds(json, "start", sampling->start);
    fth_json_key_seconds(json, "end", sampling->end);
    fth_json_key_unsigned(json, "samples", sampling->sample_count);
    fth_json_key_unsigned(json, "samples_per_value", sampling->samples_per_value);
    fth_json_key(json, "notes");
    fth_json_begin_array(json);
    for (size_t i = 0; i < sampling->note_count; i++)
        fth_json_text(json, sampling->notes[i]);
    fth_json_end_array(json);
    fth_json_end_object(json);
}

/* Start, end, min, mean, max of each. */
static void put_values(struct fth_json *json, const struct fth_trace *trace, size_t counter)
{
    struct fth_samples_reader *reader = fth_samples_open(trace, counter);
    struct fth_sample sample;
    fth_json_key(json, "values");
    fth_json_begin_array(json);
    while (fth_samples_next(reader, &sample)) {
        fth_json_begin_array(json);
        fth_json_seconds(json, sample.start);
        fth_json_seconds(json, sample.end);
        fth_json_number(json, sample.least);
        fth_json_number(json, sample.mean);
        fth_json_number(json, sample.most);
        fth_json_end_array(json);
    }
    fth_json_end_array(json);
    fth_samples_close(reader);
}

static void put_counter(struct fth_json *json, const struct fth_trace *trace,
                        const struct fth_counter_sum *sum, bool values)
{
    const struct fth_counter *counter = fth_trace_counter(trace, sum->counter);
    fth_json_begin_object(json);
    fth_json_key_text(json, "counter", counter->name);
    fth_json_key_text(json, "instance", *counter->instance ? counter->instance : NULL);
    fth_json_key_text(json, "host", fth_trace_sampling(trace, counter->sampling)->host);
    fth_json_key(json, "proc");
    if (counter->proc == FTH_NO_PROCESS)
        fth_json_null(json);
    else
        fth_json_integer(json, counter->proc);
    fth_json_key_text(json, "kind", counter->kind == FTH_RATE ? "rate" : "gauge");
    fth_json_key_text(json, "unit", fth_views_counter_unit(counter));
    fth_json_key_unsigned(json, "samples", counter->sample_count);
    fth_json_key_number(json, "min", sum->least);
    fth_json_key_number(json, "mean", sum->mean);
    fth_json_key_number(json, "max", sum->most);
    fth_json_key(json, "amount");
    if (counter->kind == FTH_RATE)
        fth_json_number(json, sum->amount);
    else
        fth_json_null(json);
    if (values)
        put_values(json, trace, sum->counter);
    fth_json_end_object(json);
}

/* Frees it. */
static void put_table(struct fth_writer *writer, struct fth_table *table)
{
    if (!table)
        fth_out_of_memory();
    fth_views_write_table(writer, table, &(struct fth_table_layout){0});
    fth_table_free(table);
}

static void show_programs(struct fth_writer *writer, const struct fth_trace *trace,
                          const struct fth_sample_sums *sums, const struct fth_samples_view *view)
{
    struct fth_json *facts = &writer->facts;
    fth_json_key_text(facts, "trace", view->trace_path);
    fth_json_key(facts, "nodes");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < fth_trace_sampling_count(trace); i++)
        put_sampling(facts, fth_trace_sampling(trace, i));
    fth_json_end_array(facts);
    fth_json_key(facts, "counters");
    fth_json_begin_array(facts);
    size_t values = 0;
    for (size_t i = 0; i < sums->count && !fth_views_stopped(writer->output); i++) {
        size_t count = fth_trace_counter(trace, sums->counters[i].counter)->sample_count;
        bool fits = !view->most_values || values + count <= view->most_values;
        put_counter(facts, trace, &sums->counters[i], view->named && fits);
        values += fits ? count : 0;
    }
    fth_json_end_array(facts);
    if (!fth_views_has_facts(writer))
        put_table(writer, fth_views_counters(trace, sums));
    if (!fth_views_has_facts(writer) && view->named)
        put_table(writer, fth_views_counter_values(trace, sums));
    fth_views_write_table(writer, sums->processes, &(struct fth_table_layout){.name = "processes"});
}

void fth_views_samples(struct fth_writer *writer, const struct fth_trace *trace,
                       const struct fth_sample_sums *sums, const struct fth_samples_view *view)
{
    if (fth_views_for_people(writer))
        show_people(writer, trace, sums, view);
    else
        show_programs(writer, trace, sums, view);
}
