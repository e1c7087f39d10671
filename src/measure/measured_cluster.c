/* What was measured, as tables and as a cluster. */
#include "measure/machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct fth_column timing_columns[] = {
    {"kind", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"kernel", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"samples", "samples", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"batch", "of each", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"least", "least", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"first_quartile", "1st quartile", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"median", "median", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"third_quartile", "3rd quartile", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"most", "most", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"simulated", "simulated", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"rate", "per second", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape timing_shape = {"timings", "Timings", timing_columns,
                                              sizeof timing_columns / sizeof *timing_columns, 0};

static void add_timing(struct fth_table *table, struct fth_trial *trial)
{
    struct fth_quartiles quartiles = fth_timings_quartiles(&trial->timings);
    const double times[] = {quartiles.least, quartiles.first, quartiles.median, quartiles.third,
                            quartiles.most};
    size_t row = fth_table_add_row(table), column = 0;
    fth_table_set(table, row, column++, fth_cell_text(trial->kind));
    fth_table_set(table, row, column++, fth_cell_text(trial->name));
    fth_table_set(table, row, column++, fth_cell_integer((int64_t)trial->bytes));
    fth_table_set(table, row, column++, fth_cell_integer(trial->timings.count));
    fth_table_set(table, row, column++, fth_cell_integer(trial->batch));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        fth_table_set(table, row, column++, fth_cell_integer((int64_t)(times[i] + 0.5)));
    if (trial->simulated > 0)
        fth_table_set(table, row, column, fth_cell_integer((int64_t)(trial->simulated + 0.5)));
    column++;
    if (trial->bytes && quartiles.median > 0)
        fth_table_set(table, row, column,
                      fth_cell_integer((int64_t)((double)trial->bytes / quartiles.median * 1e9)));
}

struct fth_table *fth_measured_timings(const struct fth_measured *measured)
{
    struct fth_table *table = fth_table_new(&timing_shape);
    for (size_t i = 0; table && i < measured->trials.count; i++)
        add_timing(table, &measured->trials.list[i]);
    return table;
}

static const struct fth_column parameter_columns[] = {
    {"part", "part", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"parameter", "parameter", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"value", "value", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"spread", "spread", FTH_UNIT_PERCENT, FTH_SHOW_UNLESS_NULL},
    {"from", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"reason", "from", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape parameter_shape = {
    "parameters", "Parameters", parameter_columns,
    sizeof parameter_columns / sizeof *parameter_columns, 0};

struct fth_table *fth_measured_parameters(const struct fth_measured *measured)
{
    struct fth_table *table = fth_table_new(&parameter_shape);
    for (size_t i = 0; table && i < measured->parameter_count; i++) {
        const struct fth_machine_parameter *parameter = &measured->parameters[i];
        char value[64];
        fth_parameter_text(parameter, value, sizeof value);
        const struct fth_cell cells[] = {
            fth_cell_text(*parameter->part ? parameter->part : "cluster"),
            fth_cell_text(parameter->key),
            fth_cell_text(value),
            parameter->spread < 0 ? fth_cell_null() : fth_cell_real(parameter->spread * 100),
            fth_cell_text(parameter->measured ? "measured" : "assumed"),
            fth_cell_text(parameter->reason)};
        size_t row = fth_table_add_row(table);
        for (size_t column = 0; column < sizeof cells / sizeof *cells; column++)
            fth_table_set(table, row, column, cells[column]);
    }
    return table;
}

/* ---- the cluster ---- */

/* A line of a mapping, and behind it what its value comes from. */
static void write_parameter(const struct fth_machine_parameter *parameter, const char *indent,
                            struct fth_sink *sink)
{
    char value[64], line[400];
    fth_parameter_text(parameter, value, sizeof value);
    int length = snprintf(line, sizeof line, "%s%s: %s", indent, parameter->key, value);
    fth_sink_text(sink, line);
    fth_sink_fill(sink, ' ', length < 34 ? 34 - (size_t)length : 1);
    fth_sink_text(sink, parameter->measured ? "# " : "# assumed: ");
    fth_sink_text(sink, parameter->reason);
    if (parameter->spread >= 0) {
        snprintf(line, sizeof line, "; spread %.0f %%", parameter->spread * 100);
        fth_sink_text(sink, line);
    }
    fth_sink_char(sink, '\n');
}

/* All that belongs to one part. */
static void write_part(const struct fth_measured *measured, const char *part, const char *indent,
                       struct fth_sink *sink)
{
    for (size_t i = 0; i < measured->parameter_count; i++)
        if (!strcmp(measured->parameters[i].part, part))
            write_parameter(&measured->parameters[i], indent, sink);
}

static void write_head(const struct fth_measured *measured, struct fth_sink *sink)
{
    char when[64];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &utc);
    fth_sink_text(sink, "# Measured by `fathom measure` on ");
    fth_sink_text(sink, when);
    fth_sink_text(sink, ". Assumed values are marked.\n");
    for (size_t i = 0; i < measured->note_count; i++) {
        fth_sink_text(sink, "#   ");
        fth_sink_text(sink, measured->notes[i]);
        fth_sink_char(sink, '\n');
    }
}

void fth_measured_write(const struct fth_measured *measured, struct fth_sink *sink)
{
    static const char *const parts[] = {"nic",  "nic edge",  "socket", "socket edge",
                                        "node", "node edge", "switch"};
    write_head(measured, sink);
    fth_sink_text(sink, "name: measured\n");
    write_part(measured, "", "", sink);
    fth_sink_text(sink, "\n"
                        "network:\n"
                        "  topology: star\n");
    write_part(measured, "network", "  ", sink);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fth_sink_text(sink, "  ");
        fth_sink_text(sink, parts[i]);
        fth_sink_text(sink, ":\n");
        write_part(measured, parts[i], "    ", sink);
    }
    if (measured->request.disk) {
        fth_sink_text(sink, "\nservers:\n");
        write_part(measured, "servers", "  ", sink);
        fth_sink_text(sink, "\ndisk:\n");
        write_part(measured, "disk", "  ", sink);
    }
    fth_sink_text(sink, "\nmpi:\n");
    write_part(measured, "mpi", "  ", sink);
}
