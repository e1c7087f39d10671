/* Coverage: the slowest process of each phase of each node. */
#include "analysis/tables/coverage_table.h"

#include "base/memory.h"
#include "base/watch_rule.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum column {
    HOST,
    WORLD,
    PHASE,
    BEGIN,
    RANK,
    PROC,
    TIME,
    RECORDED,
    SHARE,
    HOW,
    PROCESSES,
    WATCHED,
    COLUMNS,
    KEYS = BEGIN
};
static const struct fth_column columns[COLUMNS] = {
    [HOST] = {"host", "host", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    [WORLD] = {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    [PHASE] = {"phase", "phase", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [BEGIN] = {"begin", "begin", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [RANK] = {"rank", "slowest rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    [PROC] = {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [TIME] = {"time", "its time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [RECORDED] = {"recorded", "recorded", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [SHARE] = {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    [HOW] = {"how", "how", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [PROCESSES] = {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [WATCHED] = {"watched", "only watched", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"phases", "Phases, and their slowest process", columns,
                                       COLUMNS, KEYS};

double fth_analysis_covered(uint64_t time, uint64_t recorded)
{
    return time ? 100.0 * (double)recorded / (double)time : 100;
}

/* In a run of MPI, what is no rank takes no part in phases of the ranks. */
static bool takes_part(const struct fth_process *process, bool has_ranks)
{
    return !process->launcher && (process->rank != FTH_NO_RANK || !has_ranks);
}

static bool is_slower(const struct fth_cell *row, const struct fth_phase *phase)
{
    return row[TIME].type == FTH_CELL_NULL || (uint64_t)row[TIME].integer < phase->time;
}

/* Phases of a program of MPI are its own, unless they are of time. */
static bool are_of_worlds(const struct fth_trace *trace)
{
    const char *text = fth_trace_info(trace)->meta_json;
    json_t *meta = text ? json_loads(text, 0, NULL) : NULL;
    const char *select = json_string_value(json_object_get(meta, "select"));
    struct fth_watch_rule rule = {0};
    struct fth_error *error = NULL;
    if (select && fth_watch_rule_parse(select, &rule, &error))
        fth_error_free(error);
    json_decref(meta);
    return rule.unit != FTH_WATCH_TIME;
}

static void add_phase(struct fth_phase_coverage *coverage, const struct fth_process *process,
                      size_t proc, const struct fth_phase *phase)
{
    struct fth_table *table = coverage->table;
    bool is_watched = !phase->recorded;
    size_t row = fth_table_group(
        table, (struct fth_cell[]){fth_cell_text(process->host),
                                   fth_cell_integer(coverage->by_world ? process->world : 0),
                                   fth_cell_integer((int64_t)phase->number)});
    coverage->processes++;
    coverage->watched += is_watched;
    coverage->only_watched += phase->time - phase->recorded_time;
    if (row == FTH_NO_ROW)
        return;
    fth_table_increase(table, row, PROCESSES, 1);
    fth_table_increase(table, row, WATCHED, is_watched);
    if (phase->is_open || !is_slower(fth_table_row(table, row), phase))
        return;
    fth_table_set(table, row, BEGIN, fth_cell_integer(phase->begin));
    fth_table_set(table, row, RANK,
                  process->rank == FTH_NO_RANK ? fth_cell_null() : fth_cell_integer(process->rank));
    fth_table_set(table, row, PROC, fth_cell_integer((int64_t)proc));
    fth_table_set(table, row, TIME, fth_cell_integer((int64_t)phase->time));
    fth_table_set(table, row, RECORDED, fth_cell_integer((int64_t)phase->recorded_time));
    fth_table_set(table, row, SHARE,
                  phase->time
                      ? fth_cell_real(fth_analysis_covered(phase->time, phase->recorded_time))
                      : fth_cell_null());
    fth_table_set(table, row, HOW, fth_cell_text(phase->how));
}

static void add_up(struct fth_phase_coverage *coverage)
{
    for (size_t i = 0; i < fth_table_rows(coverage->table); i++) {
        const struct fth_cell *row = fth_table_row(coverage->table, i);
        if (row[TIME].type == FTH_CELL_NULL) {
            coverage->unknown++;
            continue;
        }
        coverage->phases++;
        coverage->time += (uint64_t)row[TIME].integer;
        coverage->recorded += (uint64_t)row[RECORDED].integer;
    }
}

struct fth_phase_coverage *fth_analysis_coverage(const struct fth_trace *trace)
{
    struct fth_phase_coverage *coverage = fth_new(1, sizeof *coverage);
    size_t count = fth_trace_process_count(trace), phases;
    bool has_ranks = false;
    coverage->table = fth_table_new(&shape);
    coverage->by_world = are_of_worlds(trace);
    for (size_t proc = 0; proc < count; proc++)
        has_ranks |= fth_trace_process(trace, proc)->rank != FTH_NO_RANK;
    for (size_t proc = 0; coverage->table && proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        const struct fth_phase *list = fth_trace_phases(trace, proc, &phases);
        for (size_t i = 0; takes_part(process, has_ranks && coverage->by_world) && i < phases; i++)
            add_phase(coverage, process, proc, &list[i]);
    }
    if (!coverage->table || fth_table_failed(coverage->table))
        fth_out_of_memory();
    if (!coverage->processes) {
        fth_analysis_coverage_free(coverage);
        return NULL;
    }
    fth_table_sort(coverage->table, (size_t[]){HOST, WORLD, PHASE}, KEYS);
    add_up(coverage);
    return coverage;
}

void fth_analysis_coverage_free(struct fth_phase_coverage *coverage)
{
    if (coverage)
        fth_table_free(coverage->table);
    free(coverage);
}
