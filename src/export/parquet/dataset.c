/* Folders and files of a dataset. */
#include "export/parquet/dataset.h"

#include "analysis/tables/samples_table.h"
#include "analysis/tables/stats_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "export/shared/message_flows.h"
#include "export/shared/run_tables.h"
#include "export/shared/table_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *fth_dataset_facts(const struct fth_exported *exported)
{
    const struct fth_trace_info *info = fth_trace_info(exported->trace);
    bool has_meta = info->meta_json && *info->meta_json && !exported->names; /* full of names */
    struct fth_sink text;
    struct fth_json json;
    fth_sink_open_memory(&text);
    fth_json_open(&json, &text, 0);
    fth_json_begin_object(&json);
    fth_json_key_text(&json, "fathom", FATHOM_VERSION);
    fth_json_key_integer(&json, "start_realtime", info->start_realtime);
    fth_json_key_integer(&json, "end", info->end);
    fth_json_key_integer(&json, "resolution", info->resolution);
    fth_json_key(&json, "meta");
    fth_json_raw(&json, has_meta ? info->meta_json : "null");
    fth_json_end_object(&json);
    fth_sink_char(&text, 0);
    char *facts = fth_text_copy(text.bytes);
    fth_sink_close_memory(&text);
    return facts;
}

/* ---- places ---- */

static int make_folder(const char *path, struct fth_error **error)
{
    return mkdir(path, 0777) && errno != EEXIST
               ? fth_fail_errno(error, "cannot make the folder '%s'", path)
               : 0;
}

/* FOLDER/TABLE/part-0.parquet, to be freed. NULL: *error is set. */
static char *place_of(const struct fth_exported *exported, const char *table,
                      struct fth_error **error)
{
    char *folder = fth_text_format("%s/%s", exported->folder, table);
    char *path = make_folder(folder, error) ? NULL : fth_text_format("%s/part-0.parquet", folder);
    free(folder);
    return path;
}

int fth_dataset_begin(const struct fth_exported *exported, const char *facts,
                      struct fth_error **error)
{
    if (exported->share->rank)
        return 0;
    char *path = fth_text_format("%s/" FTH_DATASET_FACTS, exported->folder);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool written = file >= 0 && write(file, facts, strlen(facts)) == (ssize_t)strlen(facts);
    int result = written ? 0 : fth_fail_errno(error, "cannot write to '%s'", path);
    if (file >= 0 && close(file) && !result)
        result = fth_fail_errno(error, "cannot write to '%s'", path);
    free(path);
    return result;
}

static char *folder_of_ranks(const struct fth_export_part *part, const char *table)
{
    const struct fth_exported *exported = part->of;
    const struct fth_process *first =
        fth_trace_process(exported->trace, exported->processes[part->first]);
    const struct fth_process *last =
        fth_trace_process(exported->trace, exported->processes[part->first + part->count - 1]);
    if (first->rank < 0)
        return fth_text_format("%s/%s/ranks=none", exported->folder, table);
    return fth_text_format("%s/%s/ranks=%" PRId64 "-%" PRId64, exported->folder, table, first->rank,
                           last->rank);
}

static struct fth_parquet *open_file(const struct fth_exported *exported, const char *path,
                                     const struct fth_batch_column *columns, size_t count,
                                     const char *facts, struct fth_error **error)
{
    struct fth_parquet *file = fth_parquet_open(path, columns, count, facts, error);
    if (file)
        fth_parquet_batch(file)->names = exported->names;
    return file;
}

struct fth_parquet *fth_dataset_open(struct fth_export_part *part, const char *table,
                                     const struct fth_batch_column *columns, size_t count,
                                     const char *facts)
{
    struct fth_parquet *file = NULL;
    char *of_table = fth_text_format("%s/%s", part->of->folder, table);
    char *folder = folder_of_ranks(part, table);
    char *path = fth_text_format("%s/part-%zu.parquet", folder, part->number);
    if (!make_folder(of_table, &part->error) && !make_folder(folder, &part->error))
        file = open_file(part->of, path, columns, count, facts, &part->error);
    free(path);
    free(folder);
    free(of_table);
    return file;
}

static int write_processes(const struct fth_exported *exported, const char *path, const char *facts,
                           struct fth_error **error)
{
    struct fth_parquet *file = open_file(exported, path, fth_process_table_columns,
                                         FTH_PROCESS_TABLE_COLUMNS, facts, error);
    for (size_t i = 0; file && i < exported->process_count; i++) {
        size_t proc = exported->processes[i];
        fth_process_table_put(fth_parquet_batch(file), proc,
                              fth_trace_process(exported->trace, proc));
        fth_parquet_end_row(file);
    }
    return file ? fth_parquet_close(file, error) : -1;
}

/* ---- files ---- */

static int write_files(const struct fth_exported *exported, const char *path, const char *facts,
                       struct fth_error **error)
{
    struct fth_stats *stats =
        fth_analysis_stats(exported->trace, exported->selection, FTH_WHERE_ITSELF, NULL, error);
    const struct fth_table *files = stats ? stats->tables[FTH_STATS_FILES] : NULL;
    const struct fth_shape *shape = &fth_stats_shapes[FTH_STATS_FILES];
    struct fth_batch_column *columns = fth_table_batch_columns(shape, NULL, 0);
    struct fth_parquet *file =
        files ? open_file(exported, path, columns, shape->column_count, facts, error) : NULL;
    if (file)
        fth_parquet_put_table(file, files, NULL, 0);
    int result = file ? fth_parquet_close(file, error) : -1;
    if (stats)
        fth_analysis_stats_free(stats);
    free(columns);
    return result;
}

/* ---- messages ---- */

static int write_message_list(const struct fth_exported *exported,
                              const struct fth_message_list *list, const char *path,
                              const char *facts, struct fth_error **error)
{
    struct fth_parquet *file = open_file(exported, path, fth_message_table_columns,
                                         FTH_MESSAGE_TABLE_COLUMNS, facts, error);
    for (size_t i = 0; file && i < list->count; i++) {
        fth_message_table_put(fth_parquet_batch(file), list, &list->all[i]);
        fth_parquet_end_row(file);
    }
    return file ? fth_parquet_close(file, error) : -1;
}

static int write_messages(const struct fth_exported *exported, const char *path, const char *facts,
                          struct fth_error **error)
{
    struct fth_message_list list = {0};
    int result = fth_export_messages(&list, exported->trace, exported->threads, error);
    if (!result && list.too_many)
        fth_say(stderr,
                "fathom export: the table messages is empty: %" PRIu64
                " messages are more than are kept in memory\n",
                list.too_many + list.count);
    if (list.too_many)
        list.count = 0;
    if (!result)
        result = write_message_list(exported, &list, path, facts, error);
    fth_message_list_free(&list);
    return result;
}

/* ---- samples ---- */

static void write_counter(const struct fth_exported *exported, size_t counter,
                          struct fth_parquet *file)
{
    const struct fth_counter *of = fth_trace_counter(exported->trace, counter);
    struct fth_samples_reader *reader = fth_samples_open(exported->trace, counter);
    struct fth_sample sample;
    while (fth_samples_next(reader, &sample)) {
        fth_sample_table_put(fth_parquet_batch(file), exported->trace, of, &sample);
        fth_parquet_end_row(file);
    }
    fth_samples_close(reader);
}

static int write_samples(const struct fth_exported *exported, const char *path, const char *facts,
                         struct fth_error **error)
{
    struct fth_parquet *file =
        open_file(exported, path, fth_sample_table_columns, FTH_SAMPLE_TABLE_COLUMNS, facts, error);
    for (size_t i = 0; file && i < fth_trace_counter_count(exported->trace); i++)
        if (fth_analysis_selects_counter(exported->selection, exported->trace,
                                         fth_trace_counter(exported->trace, i)))
            write_counter(exported, i, file);
    return file ? fth_parquet_close(file, error) : -1;
}

/* ---- findings ---- */

static int write_findings(const struct fth_exported *exported, const char *path, const char *facts,
                          struct fth_error **error)
{
    struct fth_results results = {0};
    int result = exported->report(exported->trace, exported->selection, &results, error);
    struct fth_parquet *file = result ? NULL
                                      : open_file(exported, path, fth_finding_table_columns,
                                                  FTH_FINDING_TABLE_COLUMNS, facts, error);
    for (size_t i = 0; file && i < results.findings.count; i++) {
        fth_finding_table_put(fth_parquet_batch(file), &results.findings.list[i]);
        fth_parquet_end_row(file);
    }
    fth_results_free(&results);
    return file ? fth_parquet_close(file, error) : -1;
}

/* ---- the tables about the run ---- */

/* Each reads the trace once more: ranks that share the work take them in turn. */
static bool is_mine(const struct fth_exported *exported, size_t table)
{
    return table % exported->share->count == exported->share->rank;
}

int fth_dataset_end(const struct fth_exported *exported, const char *facts,
                    struct fth_error **error)
{
    static const struct {
        const char *name;
        int (*write)(const struct fth_exported *exported, const char *path, const char *facts,
                     struct fth_error **error);
    } tables[] = {{"processes", write_processes},
                  {"files", write_files},
                  {"messages", write_messages},
                  {"samples", write_samples},
                  {"findings", write_findings}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!is_mine(exported, i) || !fth_export_has_table(exported, tables[i].name))
            continue;
        char *path = place_of(exported, tables[i].name, error);
        int result = path ? tables[i].write(exported, path, facts, error) : -1;
        free(path);
        if (result)
            return -1;
    }
    return 0;
}
