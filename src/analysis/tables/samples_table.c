/* Counters of nodes and processes. */
#include "analysis/tables/samples_table.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one counter ---- */

static bool is_wanted(const struct fth_words *patterns, const struct fth_counter *counter)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s:%s", counter->name, counter->instance);
    for (size_t i = 0; i < patterns->count; i++)
        if (fnmatch(patterns->items[i], counter->name, 0) == 0 ||
            fnmatch(patterns->items[i], whole, 0) == 0)
            return true;
    return patterns->count == 0;
}

bool fth_analysis_selects_counter(const struct fth_selection *selection,
                                  const struct fth_trace *trace, const struct fth_counter *counter)
{
    if (counter->proc == FTH_NO_PROCESS)
        return !selection->procs.count && !selection->ranks.count;
    return fth_analysis_selects_process(selection, trace, (size_t)counter->proc);
}

static struct fth_counter_sum sum_up(const struct fth_trace *trace, size_t number)
{
    struct fth_counter_sum sum = {.counter = number};
    struct fth_samples_reader *reader = fth_samples_open(trace, number);
    struct fth_sample sample;
    double time = 0, weighted = 0;
    for (bool first = true; fth_samples_next(reader, &sample); first = false) {
        double lasted = (double)(sample.end - sample.start);
        sum.least = first || sample.least < sum.least ? sample.least : sum.least;
        sum.most = first || sample.most > sum.most ? sample.most : sum.most;
        sum.amount += sample.amount;
        weighted += sample.mean * lasted;
        time += lasted;
    }
    sum.mean = time > 0 ? weighted / time : sum.most;
    fth_samples_close(reader);
    return sum;
}

/* ---- the table of processes ---- */

enum column {
    PROC,
    RANK,
    HOST,
    PROGRAM,
    SAMPLES,
    CPU,
    RSS,
    THREADS,
    MINOR,
    MAJOR,
    VOLUNTARY,
    INVOLUNTARY,
    READ,
    WRITTEN,
    INSTRUCTIONS,
    CYCLES,
    MISSES,
    COLUMNS
};
static const struct fth_column columns[COLUMNS] = {
    {"proc", "process", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"samples", "samples", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"cpu", "CPU", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"rss", "memory", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"threads", "threads", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"minor_faults", "faults", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"major_faults", "major", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"voluntary_switches", "waits", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"involuntary_switches", "preempted", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes_read", "disk read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"bytes_written", "disk written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"instructions", "instructions", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL},
    {"cycles", "cycles", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL},
    {"cache_misses", "cache misses", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"processes", "Processes", columns, COLUMNS, 1};

/* What a column shows of a counter: its largest value, or all that it counted. */
static const struct {
    const char *counter;
    enum column column;
    bool most;
} shown[] = {
    {"process.rss", RSS, true},
    {"process.threads", THREADS, true},
    {"process.minor_faults", MINOR, false},
    {"process.major_faults", MAJOR, false},
    {"process.voluntary_switches", VOLUNTARY, false},
    {"process.involuntary_switches", INVOLUNTARY, false},
    {"process.read", READ, false},
    {"process.written", WRITTEN, false},
    {"hardware.instructions", INSTRUCTIONS, false},
    {"hardware.cycles", CYCLES, false},
    {"hardware.cache_misses", MISSES, false},
};

static int64_t integer(double number)
{
    return number < 0x1p62 ? (int64_t)(number + 0.5) : INT64_C(1) << 62;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_to_table(struct fth_table *table, const struct fth_trace *trace,
                         const struct fth_counter *counter, const struct fth_counter_sum *sum)
{
    const struct fth_process *process = fth_trace_process(trace, (size_t)counter->proc);
    const struct fth_cell key = fth_cell_integer(counter->proc);
    size_t row = fth_table_group(table, &key);
    if (row == FTH_NO_ROW)
        return;
    if (process->rank != FTH_NO_RANK)
        fth_table_set(table, row, RANK, fth_cell_integer(process->rank));
    fth_table_set(table, row, HOST, fth_cell_text(process->host));
    fth_table_set(table, row, PROGRAM, fth_cell_text(name_of(process->executable)));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(counter->name, shown[i].counter) == 0)
            fth_table_set(table, row, shown[i].column,
                          fth_cell_integer(integer(shown[i].most ? sum->most : sum->amount)));
    if (strcmp(counter->name, "process.user") == 0 ||
        strcmp(counter->name, "process.system") == 0) {
        const struct fth_cell *before = &fth_table_row(table, row)[CPU];
        double share = before->type == FTH_CELL_REAL ? before->real : 0;
        fth_table_set(table, row, CPU, fth_cell_real(share + 100 * sum->mean));
        fth_table_set(table, row, SAMPLES, fth_cell_integer((int64_t)counter->sample_count));
    }
}

/* ---- all of them ---- */

static void add_counters(struct fth_sample_sums *sums, const struct fth_trace *trace,
                         const struct fth_selection *selection, const struct fth_words *patterns,
                         bool of_processes)
{
    for (size_t i = 0; i < fth_trace_counter_count(trace); i++) {
        const struct fth_counter *counter = fth_trace_counter(trace, i);
        if ((counter->proc != FTH_NO_PROCESS) != of_processes ||
            !fth_analysis_selects_counter(selection, trace, counter))
            continue;
        bool wanted = is_wanted(patterns, counter);
        if (!wanted && !of_processes)
            continue;
        struct fth_counter_sum sum = sum_up(trace, i);
        if (of_processes)
            add_to_table(sums->processes, trace, counter, &sum);
        if (wanted)
            sums->counters[sums->count++] = sum;
    }
}

static struct fth_sample_sums *fail(struct fth_sample_sums *sums)
{
    fth_analysis_samples_free(sums);
    return NULL;
}

struct fth_sample_sums *fth_analysis_samples(const struct fth_trace *trace,
                                             const struct fth_selection *selection,
                                             const struct fth_words *patterns,
                                             struct fth_error **error)
{
    if (!fth_trace_sampling_count(trace)) {
        fth_fail(error,
                 "the trace has no samples: record the run with 'fathom record --sample 100ms'");
        return NULL;
    }
    struct fth_sample_sums *sums = calloc(1, sizeof *sums);
    if (!sums || !(sums->processes = fth_table_new(&shape)) ||
        !(sums->counters = calloc(fth_trace_counter_count(trace) + 1, sizeof *sums->counters))) {
        fth_fail(error, "out of memory");
        return fail(sums);
    }
    add_counters(sums, trace, selection, patterns, false);
    add_counters(sums, trace, selection, patterns, true);
    fth_table_sort(sums->processes, (size_t[]){PROC}, 1);
    if (fth_table_failed(sums->processes)) {
        fth_fail(error, "out of memory");
        return fail(sums);
    }
    if (patterns->count && !sums->count) {
        fth_fail(error,
                 "the selected samples have no counter '%s'; 'fathom samples --all' lists the "
                 "counters of the trace",
                 patterns->items[0]);
        return fail(sums);
    }
    return sums;
}

void fth_analysis_samples_free(struct fth_sample_sums *sums)
{
    if (!sums)
        return;
    fth_table_free(sums->processes);
    free(sums->counters);
    free(sums);
}
