/* Counters of the machine as tables, for formats that have no facts: what each was over the run,
 * and all values of each. The columns are the keys that facts have. */
#include "views/pages/samples_page.h"

const char *fth_views_counter_unit(const struct fth_counter *counter)
{
    static const char *const units[] = {[FTH_COUNTER_COUNT] = "count",
                                        [FTH_COUNTER_BYTES] = "bytes",
                                        [FTH_COUNTER_SECONDS] = "seconds",
                                        [FTH_COUNTER_JOULES] = "joules"};
    return units[counter->unit];
}

enum sum_column {
    SUM_COUNTER,
    SUM_INSTANCE,
    SUM_HOST,
    SUM_PROC,
    SUM_KIND,
    SUM_UNIT,
    SUM_SAMPLES,
    SUM_MIN,
    SUM_MEAN,
    SUM_MAX,
    SUM_AMOUNT,
    SUM_COLUMNS
};
static const struct fth_column sum_columns[SUM_COLUMNS] = {
    [SUM_COUNTER] = {"counter", "counter", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [SUM_INSTANCE] = {"instance", "instance", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [SUM_HOST] = {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [SUM_PROC] = {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [SUM_KIND] = {"kind", "kind", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [SUM_UNIT] = {"unit", "unit", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [SUM_SAMPLES] = {"samples", "samples", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [SUM_MIN] = {"min", "min", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    [SUM_MEAN] = {"mean", "mean", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    [SUM_MAX] = {"max", "max", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    [SUM_AMOUNT] = {"amount", "amount", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
};
static const struct fth_shape sum_shape = {"counters", "Counters", sum_columns, SUM_COLUMNS, 0};

enum value_column {
    VALUE_COUNTER,
    VALUE_INSTANCE,
    VALUE_HOST,
    VALUE_PROC,
    VALUE_START,
    VALUE_END,
    VALUE_MIN,
    VALUE_MEAN,
    VALUE_MAX,
    VALUE_COLUMNS
};
static const struct fth_column value_columns[VALUE_COLUMNS] = {
    [VALUE_COUNTER] = {"counter", "counter", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [VALUE_INSTANCE] = {"instance", "instance", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [VALUE_HOST] = {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [VALUE_PROC] = {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [VALUE_START] = {"start", "start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [VALUE_END] = {"end", "end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [VALUE_MIN] = {"min", "min", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    [VALUE_MEAN] = {"mean", "mean", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    [VALUE_MAX] = {"max", "max", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
};
static const struct fth_shape value_shape = {"values", "Values", value_columns, VALUE_COLUMNS, 0};

/* The first four columns of both. */
static size_t add_counter(struct fth_table *table, const struct fth_trace *trace,
                          const struct fth_counter *counter)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, SUM_COUNTER, fth_cell_text(counter->name));
    if (*counter->instance)
        fth_table_set(table, row, SUM_INSTANCE, fth_cell_text(counter->instance));
    fth_table_set(table, row, SUM_HOST,
                  fth_cell_text(fth_trace_sampling(trace, counter->sampling)->host));
    if (counter->proc != FTH_NO_PROCESS)
        fth_table_set(table, row, SUM_PROC, fth_cell_integer(counter->proc));
    return row;
}

static void add_sum(struct fth_table *table, const struct fth_trace *trace,
                    const struct fth_counter_sum *sum)
{
    const struct fth_counter *counter = fth_trace_counter(trace, sum->counter);
    bool is_rate = counter->kind == FTH_RATE;
    size_t row = add_counter(table, trace, counter);
    fth_table_set(table, row, SUM_KIND, fth_cell_text(is_rate ? "rate" : "gauge"));
    fth_table_set(table, row, SUM_UNIT, fth_cell_text(fth_views_counter_unit(counter)));
    fth_table_set(table, row, SUM_SAMPLES, fth_cell_integer((int64_t)counter->sample_count));
    fth_table_set(table, row, SUM_MIN, fth_cell_real(sum->least));
    fth_table_set(table, row, SUM_MEAN, fth_cell_real(sum->mean));
    fth_table_set(table, row, SUM_MAX, fth_cell_real(sum->most));
    if (is_rate)
        fth_table_set(table, row, SUM_AMOUNT, fth_cell_real(sum->amount));
}

static void add_values(struct fth_table *table, const struct fth_trace *trace,
                       const struct fth_counter_sum *sum)
{
    struct fth_samples_reader *reader = fth_samples_open(trace, sum->counter);
    struct fth_sample sample;
    while (fth_samples_next(reader, &sample)) {
        size_t row = add_counter(table, trace, fth_trace_counter(trace, sum->counter));
        fth_table_set(table, row, VALUE_START, fth_cell_integer(sample.start));
        fth_table_set(table, row, VALUE_END, fth_cell_integer(sample.end));
        fth_table_set(table, row, VALUE_MIN, fth_cell_real(sample.least));
        fth_table_set(table, row, VALUE_MEAN, fth_cell_real(sample.mean));
        fth_table_set(table, row, VALUE_MAX, fth_cell_real(sample.most));
    }
    fth_samples_close(reader);
}

static struct fth_table *table_of(const struct fth_shape *shape, const struct fth_trace *trace,
                                  const struct fth_sample_sums *sums,
                                  void (*add)(struct fth_table *, const struct fth_trace *,
                                              const struct fth_counter_sum *))
{
    struct fth_table *table = fth_table_new(shape);
    for (size_t i = 0; table && i < sums->count; i++)
        add(table, trace, &sums->counters[i]);
    if (table && !fth_table_failed(table))
        return table;
    fth_table_free(table);
    return NULL;
}

struct fth_table *fth_views_counters(const struct fth_trace *trace,
                                     const struct fth_sample_sums *sums)
{
    return table_of(&sum_shape, trace, sums, add_sum);
}

struct fth_table *fth_views_counter_values(const struct fth_trace *trace,
                                           const struct fth_sample_sums *sums)
{
    return table_of(&value_shape, trace, sums, add_values);
}
