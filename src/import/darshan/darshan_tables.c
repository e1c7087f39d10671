/* The counters of a log of Darshan as tables: by layer, by file, sizes, and how accesses follow
 * each other. Each number is a sum of Darshan's own over the ranks; null is "Darshan does not
 * count this". */
#include "import/darshan/darshan_tables.h"

#include <string.h>

/* Of a column: counters that add up; -1: none. */
struct summed {
    struct fth_column column;
    int counters[6];
};

/* clang-format off */
#define READS FTH_DARSHAN_READS, FTH_DARSHAN_COLLECTIVE_READS, FTH_DARSHAN_SPLIT_READS, FTH_DARSHAN_NONBLOCKING_READS, -1
#define WRITES FTH_DARSHAN_WRITES, FTH_DARSHAN_COLLECTIVE_WRITES, FTH_DARSHAN_SPLIT_WRITES, FTH_DARSHAN_NONBLOCKING_WRITES, -1
static const struct summed amounts[] = {
    {{"opens", "opens", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS}, {FTH_DARSHAN_OPENS, FTH_DARSHAN_COLLECTIVE_OPENS, -1}},
    {{"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS}, {READS}},
    {{"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS}, {WRITES}},
    {{"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS}, {FTH_DARSHAN_BYTES_READ, -1}},
    {{"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS}, {FTH_DARSHAN_BYTES_WRITTEN, -1}},
    {{"seeks", "seeks", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO}, {FTH_DARSHAN_SEEKS, -1}},
    {{"stats", "stats", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO}, {FTH_DARSHAN_STATS, -1}},
    {{"syncs", "syncs", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO}, {FTH_DARSHAN_SYNCS, -1}},
    {{"read_time", "time read", FTH_UNIT_TIME, FTH_SHOW_ALWAYS}, {FTH_DARSHAN_READ_TIME, -1}},
    {{"write_time", "time write", FTH_UNIT_TIME, FTH_SHOW_ALWAYS}, {FTH_DARSHAN_WRITE_TIME, -1}},
    {{"metadata_time", "time metadata", FTH_UNIT_TIME, FTH_SHOW_ALWAYS}, {FTH_DARSHAN_META_TIME, -1}},
};
static const struct summed patterns[] = {
    {{"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS}, {READS}},
    {{"consecutive_reads", "consecutive", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_CONSECUTIVE_READS, -1}},
    {{"sequential_reads", "sequential", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_SEQUENTIAL_READS, -1}},
    {{"collective_reads", "collective", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_COLLECTIVE_READS, -1}},
    {{"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS}, {WRITES}},
    {{"consecutive_writes", "consecutive", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_CONSECUTIVE_WRITES, -1}},
    {{"sequential_writes", "sequential", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_SEQUENTIAL_WRITES, -1}},
    {{"collective_writes", "collective", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_COLLECTIVE_WRITES, -1}},
    {{"switches", "read/write switches", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_SWITCHES, -1}},
    {{"unaligned", "not aligned", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL}, {FTH_DARSHAN_UNALIGNED, -1}},
};
/* clang-format on */
enum {
    AMOUNTS = sizeof amounts / sizeof *amounts,
    PATTERNS = sizeof patterns / sizeof *patterns,
    MOST_COLUMNS = 16
};

static const char *const layers[] = {"posix", "mpiio", "stdio"};
static const char *const sizes[] = {"0 to 100 B", "to 1 KiB", "to 10 KiB", "to 100 KiB",
                                    "to 1 MiB",   "to 4 MiB", "to 10 MiB", "to 100 MiB",
                                    "to 1 GiB",   "more"};

static void add(struct fth_table *table, size_t row, size_t column, int64_t value)
{
    if (value >= 0)
        fth_table_increase(table, row, column, (uint64_t)value);
}

static void add_sums(struct fth_table *table, size_t row, size_t first,
                     const struct fth_darshan_record *record, const struct summed *sums,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const int *counter = sums[i].counters; *counter >= 0; counter++)
            add(table, row, first + i, record->counters[*counter]);
}

/* The shape outlives the table, so it is kept by the caller's static memory. */
static const struct fth_shape *shape(struct fth_shape *made, struct fth_column *columns,
                                     const struct fth_column *keys, const struct summed *sums,
                                     size_t count)
{
    memcpy(columns, keys, made->key_count * sizeof *columns);
    for (size_t i = 0; i < count; i++)
        columns[made->key_count + i] = sums[i].column;
    made->columns = columns;
    made->column_count = made->key_count + count;
    return made;
}

static struct fth_table *by_layer(const struct fth_darshan_log *log)
{
    static const struct fth_column keys[] = {{"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS}};
    static struct fth_column columns[MOST_COLUMNS];
    static struct fth_shape made = {"layers", "Layers, all ranks together", NULL, 0, 1};
    struct fth_table *table = fth_table_new(shape(&made, columns, keys, amounts, AMOUNTS));
    for (size_t i = 0; table && i < log->record_count; i++) {
        struct fth_cell key = fth_cell_text(layers[log->records[i].module]);
        add_sums(table, fth_table_group(table, &key), 1, &log->records[i], amounts, AMOUNTS);
    }
    return table;
}

static struct fth_table *by_pattern(const struct fth_darshan_log *log)
{
    static const struct fth_column keys[] = {{"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS}};
    static struct fth_column columns[MOST_COLUMNS];
    static struct fth_shape made = {"patterns", "How accesses follow each other", NULL, 0, 1};
    struct fth_table *table = fth_table_new(shape(&made, columns, keys, patterns, PATTERNS));
    for (size_t i = 0; table && i < log->record_count; i++) {
        struct fth_cell key = fth_cell_text(layers[log->records[i].module]);
        if (log->records[i].module != FTH_DARSHAN_STDIO) /* of which it is not counted */
            add_sums(table, fth_table_group(table, &key), 1, &log->records[i], patterns, PATTERNS);
    }
    return table;
}

static struct fth_table *by_file(const struct fth_darshan_log *log)
{
    static const struct fth_column keys[] = {{"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
                                             {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS}};
    static struct fth_column columns[MOST_COLUMNS];
    static struct fth_shape made = {"files", "Files", NULL, 0, 2};
    struct fth_table *table = fth_table_new(shape(&made, columns, keys, amounts, AMOUNTS));
    for (size_t i = 0; table && i < log->record_count; i++) {
        const struct fth_darshan_record *record = &log->records[i];
        struct fth_cell key[] = {fth_cell_text(record->file < 0 ? NULL : log->files[record->file]),
                                 fth_cell_text(layers[record->module])};
        add_sums(table, fth_table_group(table, key), 2, record, amounts, AMOUNTS);
    }
    if (table)
        fth_table_sort_by_sum(table,
                              (size_t[]){fth_table_column(table, "bytes_read"),
                                         fth_table_column(table, "bytes_written")},
                              2);
    return table;
}

static struct fth_table *by_size(const struct fth_darshan_log *log)
{
    static const struct fth_column columns[] = {
        {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"bytes", "bytes of a call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
        {"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS}};
    static const struct fth_shape made = {"sizes", "Sizes", columns, 4, 2};
    struct fth_table *table = fth_table_new(&made);
    for (int module = 0; table && module < FTH_DARSHAN_MODULES; module++)
        for (int size = 0; size < FTH_DARSHAN_SIZES; size++)
            for (size_t i = 0; i < log->record_count; i++) {
                const int64_t *counters = log->records[i].counters;
                struct fth_cell key[] = {fth_cell_text(layers[module]), fth_cell_text(sizes[size])};
                int64_t reads = counters[FTH_DARSHAN_SIZES_READ + size],
                        writes = counters[FTH_DARSHAN_SIZES_WRITTEN + size];
                if ((int)log->records[i].module != module || (reads <= 0 && writes <= 0))
                    continue;
                size_t row = fth_table_group(table, key);
                add(table, row, 2, reads);
                add(table, row, 3, writes);
            }
    return table;
}

int fth_darshan_make_tables(const struct fth_darshan_log *log,
                            struct fth_imported_counters *counters, struct fth_error **error)
{
    counters->tables[counters->count++] = by_layer(log);
    counters->tables[counters->count++] = by_file(log);
    counters->tables[counters->count++] = by_size(log);
    counters->tables[counters->count++] = by_pattern(log);
    for (size_t i = 0; i < counters->count; i++)
        if (!counters->tables[i] || fth_table_failed(counters->tables[i]))
            return fth_fail(error, "out of memory for the tables");
    return 0;
}
