/* The table of processes: how each of them goes through its files, all of them together. */
#include "analysis/passes/patterns.h"

#include <string.h>

enum column {
    WORLD,
    RANK,
    PROC,
    LAYER,
    PATTERN, /* FTH_PATTERN_CELLS of them */
    LAST_OF_PATTERN = PATTERN + FTH_PATTERN_CELLS - 1,
    TIME
};
static const struct fth_column columns[] = {
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    FTH_PATTERN_COLUMNS,
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"patterns_by_process", "Access patterns of each process",
                                       columns, sizeof columns / sizeof *columns, 0};

struct fth_table *fth_patterns_processes_new(void)
{
    return fth_table_new(&shape);
}

static void add_row(struct fth_table *table, const struct fth_survey *survey, size_t proc,
                    uint16_t layer, const struct fth_pattern *pattern)
{
    const struct fth_process *facts = fth_trace_process(survey->trace, proc);
    size_t row = fth_table_add_row(table);
    if (facts->rank != FTH_NO_RANK) {
        fth_table_set(table, row, WORLD, fth_cell_integer(facts->world));
        fth_table_set(table, row, RANK, fth_cell_integer(facts->rank));
    }
    fth_table_set(table, row, PROC, fth_cell_integer((int64_t)proc));
    fth_table_set(table, row, LAYER, fth_cell_text(survey->classes->layers[layer]));
    fth_pattern_put(table, row, PATTERN, pattern);
    fth_table_set(table, row, TIME, fth_cell_integer(pattern->time));
}

void fth_patterns_processes_add(struct fth_table *table, const struct fth_survey *survey,
                                size_t proc, const struct fth_indexed *patterns)
{
    for (uint32_t i = 0; i < patterns->count; i++)
        add_row(table, survey, proc, (uint16_t)fth_indexed_at(patterns, i)->number,
                fth_indexed_item(patterns, i));
}

void fth_pattern_put(struct fth_table *table, size_t row, size_t first,
                     const struct fth_pattern *pattern)
{
    const struct fth_rhythm_counts *order = &pattern->order;
    uint64_t placed = fth_pattern_accesses(pattern);
    enum { DIRECTIONS = 2, COUNTS = 2 * DIRECTIONS, MEDIAN = COUNTS, KINDS };
    const uint64_t kinds[] = {order->consecutive, order->strided, order->nested, order->monotonic,
                              order->random};
    for (size_t i = 0; i < DIRECTIONS; i++) {
        fth_table_increase(table, row, first + i, pattern->count[i] + pattern->unplaced[i]);
        fth_table_increase(table, row, first + DIRECTIONS + i,
                           pattern->bytes[i] + pattern->unplaced_bytes[i]);
    }
    if (placed)
        fth_table_increase(table, row, first + MEDIAN, fth_sizes_median(&pattern->sizes));
    for (size_t i = 0; placed && i < sizeof kinds / sizeof *kinds; i++)
        fth_table_set(table, row, first + KINDS + i, fth_finding_percent(kinds[i], placed));
    fth_table_increase(table, row, first + FTH_PATTERN_CELLS - 1, fth_pattern_unplaced(pattern));
}
