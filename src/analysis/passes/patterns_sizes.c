/* Tables of how large the accesses to a file are, in powers of two, and of how many begin where
 * blocks of its file system may begin. */
#include "analysis/passes/patterns.h"
#include "analysis/survey/run_files.h"

enum size_column { S_PATH, S_HOST, S_LAYER, S_THROUGH, S_FROM, S_BELOW, S_ACCESSES, S_SHARE };
static const struct fth_column size_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"through", "through", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"from", "from", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"below", "to below", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"accesses", "accesses", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape size_shape = {"sizes", "Access sizes", size_columns,
                                            sizeof size_columns / sizeof *size_columns, 0};

enum alignment_column { A_PATH, A_HOST, A_LAYER, A_THROUGH, A_ACCESSES, A_FIRST };
static const struct fth_column alignment_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"through", "through", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"accesses", "accesses", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"at_512", "at 512 B", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"at_4k", "at 4 KiB", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"at_64k", "at 64 KiB", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"at_1m", "at 1 MiB", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape alignment_shape = {
    "alignment", "Accesses that begin at a multiple of ...", alignment_columns,
    sizeof alignment_columns / sizeof *alignment_columns, 0};

struct fth_patterns_sizes fth_patterns_sizes_new(const struct fth_results *results)
{
    return (struct fth_patterns_sizes){fth_results_table_of_files(results, &size_shape),
                                       fth_results_table_of_files(results, &alignment_shape)};
}

static size_t add_row(struct fth_table *table, const struct fth_patterns_run *run,
                      const struct fth_pattern_key *key)
{
    size_t row = fth_table_add_row(table);
    fth_run_files_put(table, row, S_PATH, &run->survey->files[key->file]);
    fth_table_set(table, row, S_LAYER, fth_cell_text(run->survey->classes->layers[key->layer]));
    fth_table_set(table, row, S_THROUGH, fth_cell_text(fth_patterns_through(key)));
    return row;
}

void fth_patterns_sizes_add(struct fth_patterns_sizes *tables, const struct fth_patterns_run *run,
                            const struct fth_pattern_key *key, const struct fth_pattern *pattern)
{
    const struct fth_sizes *sizes = &pattern->sizes;
    uint64_t accesses = fth_pattern_accesses(pattern);
    for (int bin = sizes->first; bin < sizes->behind; bin++) {
        uint64_t count = sizes->bins[bin - sizes->first];
        if (!count)
            continue;
        size_t row = add_row(tables->sizes, run, key);
        fth_table_increase(tables->sizes, row, S_FROM, fth_sizes_edge(bin));
        fth_table_increase(tables->sizes, row, S_BELOW, fth_sizes_edge(bin + 1));
        fth_table_increase(tables->sizes, row, S_ACCESSES, count);
        fth_table_set(tables->sizes, row, S_SHARE, fth_finding_percent(count, accesses));
    }
    size_t row = add_row(tables->alignment, run, key);
    fth_table_increase(tables->alignment, row, A_ACCESSES, accesses);
    for (size_t i = 0; i < FTH_ALIGNMENTS; i++)
        fth_table_set(tables->alignment, row, A_FIRST + i,
                      fth_finding_percent(pattern->aligned[i], accesses));
}

void fth_patterns_sizes_end(struct fth_patterns_sizes *tables, struct fth_results *results)
{
    fth_table_sort_by_sum(tables->sizes, (size_t[]){S_ACCESSES}, 1);
    fth_table_sort_by_sum(tables->alignment, (size_t[]){A_ACCESSES}, 1);
    fth_results_add(results, tables->sizes);
    fth_results_add(results, tables->alignment);
}
