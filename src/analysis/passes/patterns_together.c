/* Tables of files over all processes: how the accesses of all of them lie together (each of N
 * processes may be strided, and all of them together leave no hole), and which bytes are accessed
 * more than once. */
#include "analysis/survey/run_files.h"
#include "analysis/passes/patterns.h"

enum together {
    T_PATH,
    T_HOST,
    T_LAYER,
    T_THROUGH,
    T_PROCESSES,
    T_CLASS,
    T_EACH,
    T_SHARED,
    T_TOGETHER,
    T_SPAN,
    T_COVERED,
    T_SEVERAL
};
static const struct fth_column together_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"through", "through", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"class", "class", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"each", "each process", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"shared", "how shared", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"together", "together", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"span", "span", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"covered", "of it accessed", FTH_UNIT_PERCENT, FTH_SHOW_UNLESS_NULL},
    {"by_several", "by several", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape together_shape = {
    "patterns_together", "Access patterns of all processes together", together_columns,
    sizeof together_columns / sizeof *together_columns, 0};

enum reuse {
    R_PATH,
    R_HOST,
    R_LAYER,
    R_THROUGH,
    R_BYTES_READ,
    R_READ_AGAIN,
    R_READ_BY_OTHERS,
    R_READ_BACK,
    R_BYTES_WRITTEN,
    R_WRITTEN_AGAIN,
    R_WRITTEN_BY_SEVERAL,
    R_PASSED_ON,
    R_NEVER_READ,
    R_EXACT
};
static const struct fth_column reuse_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"through", "through", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"read_again", "read again", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"read_by_others", "also read by others", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"read_back", "read back", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"written_again", "written again", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"written_by_several", "written by several", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"passed_on", "passed on", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"never_read", "never read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"exact", "exact", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
};
static const struct fth_shape reuse_shape = {"reuse", "Bytes accessed more than once",
                                             reuse_columns,
                                             sizeof reuse_columns / sizeof *reuse_columns, 0};

struct fth_patterns_together fth_patterns_together_new(const struct fth_results *results)
{
    return (struct fth_patterns_together){fth_results_table_of_files(results, &together_shape),
                                          fth_results_table_of_files(results, &reuse_shape)};
}

/* Of most accesses of a process; the first one counts as consecutive. */
static const char *word_of_each(const struct fth_patterns *patterns)
{
    const struct fth_pattern *all = &patterns->all;
    uint64_t count = fth_pattern_accesses(all), later = count - patterns->processes;
    if (2 * all->order.in_rows > count)
        return "nested strided";
    if (2 * all->order.consecutive > count || !later)
        return "consecutive";
    if (2 * all->order.strided > later)
        return "strided";
    if (2 * all->order.random > later)
        return "random";
    return 2 * (all->order.strided + all->order.monotonic) > later ? "forward" : "mixed";
}

static const char *word_of_all(const struct fth_coverage *coverage, uint64_t by_several)
{
    bool holes = coverage->covered < coverage->behind - coverage->first;
    if (by_several == coverage->covered)
        return holes ? "all the same, with holes" : "all the same";
    if (by_several)
        return holes ? "overlapping, with holes" : "consecutive, overlapping";
    return holes ? "with holes" : "consecutive";
}

/* N: all processes, M: some (Chen Wang 2022, 4.7); of one file. */
static const char *class_of(const struct fth_patterns_run *run, const struct fth_patterns *patterns)
{
    uint64_t of = run->survey->rank_count ? run->survey->rank_count : run->survey->process_count;
    if (patterns->processes == 1)
        return "1-1";
    return patterns->processes >= of ? "N-1" : "M-1";
}

static void add_together(struct fth_table *table, const struct fth_patterns_run *run,
                         const struct fth_pattern_key *key, const struct fth_patterns *patterns,
                         const struct fth_coverage *coverage)
{
    size_t row = fth_table_add_row(table);
    fth_run_files_put(table, row, T_PATH, &run->survey->files[key->file]);
    fth_table_set(table, row, T_LAYER, fth_cell_text(run->survey->classes->layers[key->layer]));
    fth_table_set(table, row, T_THROUGH, fth_cell_text(fth_patterns_through(key)));
    fth_table_increase(table, row, T_PROCESSES, patterns->processes);
    fth_table_set(table, row, T_CLASS, fth_cell_text(class_of(run, patterns)));
    fth_table_set(table, row, T_EACH, fth_cell_text(word_of_each(patterns)));
    fth_table_set(table, row, T_SHARED, fth_cell_text(fth_patterns_shared(run, patterns)));
    if (patterns->reuse.extents.vague)
        return;
    uint64_t span = coverage->behind - coverage->first;
    if (patterns->processes > 1)
        fth_table_set(table, row, T_TOGETHER,
                      fth_cell_text(word_of_all(coverage, coverage->by_several)));
    fth_table_increase(table, row, T_SPAN, span);
    fth_table_set(table, row, T_COVERED, fth_finding_percent(coverage->covered, span));
    fth_table_increase(table, row, T_SEVERAL, coverage->by_several);
}

/* Is the file accessed by streams as well as by descriptors? Then what one writes the other may
 * read. */
static bool has_other_calls(const struct fth_patterns_run *run, const struct fth_pattern_key *key)
{
    for (uint32_t i = fth_indexed_first(&run->shared, key->file); i != UINT32_MAX;
         i = fth_indexed_next(&run->shared, i)) {
        const struct fth_pattern_key other = fth_pattern_key_at(&run->shared, i);
        if (other.layer == key->layer && other.of_stream != key->of_stream)
            return true;
    }
    return false;
}

static void add_reuse(struct fth_table *table, const struct fth_patterns_run *run,
                      const struct fth_pattern_key *key, const struct fth_patterns *patterns,
                      const struct fth_coverage *coverage)
{
    const struct fth_reuse_of_all *reuse = &patterns->reuse;
    size_t row = fth_table_add_row(table);
    uint32_t found = fth_indexed_first(&run->elsewhere, key->file);
    unsigned elsewhere =
        found == UINT32_MAX ? 0 : *(const unsigned *)fth_indexed_item(&run->elsewhere, found);
    bool others = has_other_calls(run, key);
    fth_run_files_put(table, row, R_PATH, &run->survey->files[key->file]);
    fth_table_set(table, row, R_LAYER, fth_cell_text(run->survey->classes->layers[key->layer]));
    fth_table_set(table, row, R_THROUGH, fth_cell_text(fth_patterns_through(key)));
    fth_table_increase(table, row, R_BYTES_READ,
                       patterns->all.bytes[0] + patterns->all.unplaced_bytes[0]);
    fth_table_increase(table, row, R_BYTES_WRITTEN,
                       patterns->all.bytes[1] + patterns->all.unplaced_bytes[1]);
    fth_table_set(table, row, R_EXACT,
                  fth_cell_text(reuse->extents.vague                       ? "no"
                                : others                                   ? "of these calls"
                                : elsewhere & FTH_PATTERN_UNDER_OTHER_NAME ? "of this name"
                                                                           : "yes"));
    if (reuse->extents.vague)
        return;
    fth_table_increase(table, row, R_READ_AGAIN, reuse->counts.read_again);
    fth_table_increase(table, row, R_READ_BY_OTHERS, reuse->read_by_others);
    if (!reuse->may_be_cut)
        fth_table_increase(table, row, R_READ_BACK, reuse->counts.read_back);
    fth_table_increase(table, row, R_WRITTEN_AGAIN, reuse->counts.written_again);
    fth_table_increase(table, row, R_WRITTEN_BY_SEVERAL, coverage->written_by_several);
    fth_table_increase(table, row, R_PASSED_ON, coverage->passed_on);
    if (!elsewhere && !others)
        fth_table_increase(table, row, R_NEVER_READ, coverage->never_read);
}

/* A file of streams and of descriptors has two of them: what one writes the other may read. What
 * else is known of a file is of each of its names. */
static void add_fate(struct fth_results *results, uint32_t file,
                     const struct fth_patterns *patterns, const struct fth_coverage *coverage)
{
    const struct fth_reuse_of_all *reuse = &patterns->reuse;
    results->fates.size = sizeof(struct fth_fate);
    uint32_t before = results->fates.count;
    struct fth_fate *fate = fth_indexed_get(&results->fates, file, 0);
    bool other = results->fates.count == before;
    *fate = other || reuse->extents.vague || patterns->several_names
                ? (struct fth_fate){0}
                : (struct fth_fate){true,
                                    reuse->counts.read_again,
                                    reuse->may_be_cut,
                                    reuse->counts.read_back,
                                    reuse->counts.written_again,
                                    coverage->passed_on,
                                    coverage->written,
                                    coverage->never_read};
}

void fth_patterns_together_add(struct fth_patterns_together *tables, struct fth_results *results,
                               const struct fth_patterns_run *run,
                               const struct fth_pattern_key *key,
                               const struct fth_patterns *patterns)
{
    struct fth_coverage coverage = fth_reuse_coverage(&patterns->reuse);
    if (patterns->all.system)
        add_fate(results, key->file, patterns, &coverage);
    if (fth_pattern_accesses(&patterns->all))
        add_together(tables->together, run, key, patterns, &coverage);
    add_reuse(tables->reuse, run, key, patterns, &coverage);
}

void fth_patterns_together_end(struct fth_patterns_together *tables, struct fth_results *results)
{
    fth_table_sort_by_sum(tables->together, (size_t[]){T_SPAN}, 1);
    fth_table_sort_by_sum(tables->reuse, (size_t[]){R_BYTES_READ, R_BYTES_WRITTEN}, 2);
    fth_results_add(results, tables->together);
    fth_results_add(results, tables->reuse);
}

/* "shared, strided cyclic": X-Y classes are about all files, see sharing.c. */
const char *fth_patterns_shared(const struct fth_patterns_run *run,
                                const struct fth_patterns *shared)
{
    const struct fth_pattern *all = &shared->all;
    if (run->survey->process_count < 2)
        return NULL;
    if (shared->processes == 1)
        return "by one";
    if (!shared->interlocked)
        return "in segments";
    const struct fth_rhythm_counts *order = &all->order;
    uint64_t regular = order->strided + order->consecutive + order->nested;
    if (order->stride && order->stride != UINT64_MAX &&
        fth_share(regular, fth_pattern_accesses(all)) > 0.8)
        return "strided cyclic";
    return shared->writers ? "mixed" : "all read the same";
}
