/* Folders and files of a dataset. */
#include "export/parquet/dataset.h"

#include "analysis/tables/stats_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "export/shared/message_flows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *fth_dataset_facts(const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
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
    fth_json_raw(&json, info->meta_json && *info->meta_json ? info->meta_json : "null");
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

struct fth_parquet *fth_dataset_open(struct fth_export_part *part, const char *table,
                                     const struct fth_parquet_column *columns, size_t count,
                                     const char *facts)
{
    struct fth_parquet *file = NULL;
    char *of_table = fth_text_format("%s/%s", part->of->folder, table);
    char *folder = folder_of_ranks(part, table);
    char *path = fth_text_format("%s/part-%zu.parquet", folder, part->number);
    if (!make_folder(of_table, &part->error) && !make_folder(folder, &part->error))
        file = fth_parquet_open(path, columns, count, facts, &part->error);
    free(path);
    free(folder);
    free(of_table);
    return file;
}

/* ---- processes ---- */

enum process_column {
    PROC,
    PARENT,
    WORLD,
    RANK,
    SIZE,
    PID,
    HOST,
    EXECUTABLE,
    ARGUMENTS,
    DIRECTORY,
    START,
    END,
    HOW_ENDED,
    THREADS,
    CALLS,
    EXCLUDED,
    LOST,
    LAUNCHER,
    MPI,
    PROCESS_COLUMNS
};
static const struct fth_parquet_column process_columns[PROCESS_COLUMNS] = {
    [PROC] = {"proc", FTH_PARQUET_INT32, false, NULL},
    [PARENT] = {"parent", FTH_PARQUET_INT32, true, NULL},
    [WORLD] = {"world", FTH_PARQUET_INT32, true, NULL},
    [RANK] = {"rank", FTH_PARQUET_INT32, true, NULL},
    [SIZE] = {"size", FTH_PARQUET_INT32, true, NULL},
    [PID] = {"pid", FTH_PARQUET_INT64, false, NULL},
    [HOST] = {"host", FTH_PARQUET_TEXT, true, NULL},
    [EXECUTABLE] = {"exe", FTH_PARQUET_TEXT, true, NULL},
    [ARGUMENTS] = {"arguments", FTH_PARQUET_TEXT, true, "JSON"},
    [DIRECTORY] = {"directory", FTH_PARQUET_TEXT, true, NULL},
    [START] = {"start", FTH_PARQUET_INT64, false, "ns"},
    [END] = {"end", FTH_PARQUET_INT64, false, "ns"},
    [HOW_ENDED] = {"how_ended", FTH_PARQUET_TEXT, true, NULL},
    [THREADS] = {"threads", FTH_PARQUET_INT32, false, NULL},
    [CALLS] = {"calls", FTH_PARQUET_INT64, false, NULL},
    [EXCLUDED] = {"excluded", FTH_PARQUET_INT64, false, NULL},
    [LOST] = {"lost", FTH_PARQUET_INT64, false, NULL},
    [LAUNCHER] = {"launcher", FTH_PARQUET_BOOLEAN, false, NULL},
    [MPI] = {"mpi", FTH_PARQUET_TEXT, true, NULL},
};

static void put_or_null(struct fth_parquet *file, size_t column, int64_t value)
{
    if (value < 0)
        fth_parquet_null(file, column);
    else
        fth_parquet_integer(file, column, value);
}

/* A list of texts as JSON. */
static void put_texts(struct fth_parquet *file, size_t column, const char *const *texts,
                      size_t count)
{
    struct fth_sink text;
    struct fth_json json;
    fth_sink_open_memory(&text);
    fth_json_open(&json, &text, 0);
    fth_json_begin_array(&json);
    for (size_t i = 0; i < count; i++)
        fth_json_text(&json, texts[i]);
    fth_json_end_array(&json);
    fth_sink_char(&text, 0);
    fth_parquet_text(file, column, text.bytes);
    fth_sink_close_memory(&text);
}

static void put_process(struct fth_parquet *file, size_t proc, const struct fth_process *process)
{
    fth_parquet_integer(file, PROC, (int64_t)proc);
    put_or_null(file, PARENT, process->parent_proc);
    put_or_null(file, WORLD, process->world);
    put_or_null(file, RANK, process->rank);
    put_or_null(file, SIZE, process->world < 0 ? -1 : process->size);
    fth_parquet_integer(file, PID, process->pid);
    fth_parquet_text(file, HOST, process->host);
    fth_parquet_text(file, EXECUTABLE, process->executable);
    put_texts(file, ARGUMENTS, process->arguments, process->argument_count);
    fth_parquet_text(file, DIRECTORY, process->directory);
    fth_parquet_integer(file, START, process->start);
    fth_parquet_integer(file, END, process->end);
    fth_parquet_text(file, HOW_ENDED, process->how_ended);
    fth_parquet_integer(file, THREADS, (int64_t)process->thread_count);
    fth_parquet_integer(file, CALLS, (int64_t)process->calls);
    fth_parquet_integer(file, EXCLUDED, (int64_t)process->excluded);
    fth_parquet_integer(file, LOST, (int64_t)process->lost);
    fth_parquet_integer(file, LAUNCHER, process->launcher);
    fth_parquet_text(file, MPI, process->mpi);
    fth_parquet_end_row(file);
}

static int write_processes(const struct fth_exported *exported, const char *path, const char *facts,
                           struct fth_error **error)
{
    struct fth_parquet *file =
        fth_parquet_open(path, process_columns, PROCESS_COLUMNS, facts, error);
    for (size_t i = 0; file && i < exported->process_count; i++)
        put_process(file, exported->processes[i],
                    fth_trace_process(exported->trace, exported->processes[i]));
    return file ? fth_parquet_close(file, error) : -1;
}

/* ---- files ---- */

static int write_files(const struct fth_exported *exported, const char *path, const char *facts,
                       struct fth_error **error)
{
    struct fth_stats *stats = fth_analysis_stats(exported->trace, exported->selection, NULL, error);
    int result =
        stats ? fth_parquet_write_table(path, stats->tables[FTH_STATS_FILES], facts, error) : -1;
    if (stats)
        fth_analysis_stats_free(stats);
    return result;
}

/* ---- messages ---- */

enum message_column {
    FROM_PROC,
    FROM_THREAD,
    FROM_CALL,
    TO_PROC,
    TO_THREAD,
    TO_CALL,
    SENT,
    RECEIVED,
    M_BYTES,
    TAG,
    COMMUNICATOR,
    ONE_SIDED,
    MESSAGE_COLUMNS
};
static const struct fth_parquet_column message_columns[MESSAGE_COLUMNS] = {
    [FROM_PROC] = {"from_proc", FTH_PARQUET_INT32, true, NULL},
    [FROM_THREAD] = {"from_thread", FTH_PARQUET_INT32, false, NULL},
    [FROM_CALL] = {"from_call", FTH_PARQUET_INT64, false, NULL},
    [TO_PROC] = {"to_proc", FTH_PARQUET_INT32, true, NULL},
    [TO_THREAD] = {"to_thread", FTH_PARQUET_INT32, true, NULL},
    [TO_CALL] = {"to_call", FTH_PARQUET_INT64, true, NULL},
    [SENT] = {"start", FTH_PARQUET_INT64, false, "ns"},
    [RECEIVED] = {"end", FTH_PARQUET_INT64, true, "ns"},
    [M_BYTES] = {"bytes", FTH_PARQUET_INT64, true, "bytes"},
    [TAG] = {"tag", FTH_PARQUET_INT32, false, NULL},
    [COMMUNICATOR] = {"communicator", FTH_PARQUET_TEXT, true, NULL},
    [ONE_SIDED] = {"one_sided", FTH_PARQUET_BOOLEAN, false, NULL},
};

static int64_t proc_or_none(uint32_t proc)
{
    return proc < FTH_LISTED_NOT_KNOWN ? (int64_t)proc : -1;
}

static void put_message(struct fth_parquet *file, const struct fth_message_list *list,
                        const struct fth_listed_message *message)
{
    size_t length;
    bool received = message->end != INT64_MIN && !message->one_sided;
    put_or_null(file, FROM_PROC, proc_or_none(message->from));
    fth_parquet_integer(file, FROM_THREAD, message->thread);
    fth_parquet_integer(file, FROM_CALL, (int64_t)message->call);
    put_or_null(file, TO_PROC, proc_or_none(message->to));
    put_or_null(file, TO_THREAD, received ? (int64_t)message->receive_thread : -1);
    put_or_null(file, TO_CALL, received ? (int64_t)message->receive_call : -1);
    fth_parquet_integer(file, SENT, message->start);
    put_or_null(file, RECEIVED, received ? message->end : -1);
    put_or_null(file, M_BYTES, message->bytes);
    fth_parquet_integer(file, TAG, message->tag);
    fth_parquet_text(file, COMMUNICATOR,
                     message->place == UINT32_MAX
                         ? NULL
                         : (const char *)fth_interned(&list->places, message->place, &length));
    fth_parquet_integer(file, ONE_SIDED, message->one_sided);
    fth_parquet_end_row(file);
}

static int write_message_list(const struct fth_message_list *list, const char *path,
                              const char *facts, struct fth_error **error)
{
    struct fth_parquet *file =
        fth_parquet_open(path, message_columns, MESSAGE_COLUMNS, facts, error);
    for (size_t i = 0; file && i < list->count; i++)
        put_message(file, list, &list->all[i]);
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
        result = write_message_list(&list, path, facts, error);
    fth_message_list_free(&list);
    return result;
}

/* ---- findings ---- */

enum finding_column {
    F_KIND,
    F_TITLE,
    F_TEXT,
    F_ADVICE,
    F_SEVERITY,
    F_SHARE,
    F_GAIN,
    F_MINOR,
    F_WRONG,
    F_PART_OF,
    F_RANKS,
    F_FILES,
    F_CALLS,
    FINDING_COLUMNS
};
static const struct fth_parquet_column finding_columns[FINDING_COLUMNS] = {
    [F_KIND] = {"kind", FTH_PARQUET_TEXT, false, NULL},
    [F_TITLE] = {"title", FTH_PARQUET_TEXT, false, NULL},
    [F_TEXT] = {"text", FTH_PARQUET_TEXT, true, NULL},
    [F_ADVICE] = {"advice", FTH_PARQUET_TEXT, true, NULL},
    [F_SEVERITY] = {"severity", FTH_PARQUET_INT64, false, "ns"},
    [F_SHARE] = {"share", FTH_PARQUET_DOUBLE, false, "percent"},
    [F_GAIN] = {"gain", FTH_PARQUET_INT64, true, "ns"},
    [F_MINOR] = {"minor", FTH_PARQUET_BOOLEAN, false, NULL},
    [F_WRONG] = {"wrong", FTH_PARQUET_BOOLEAN, false, NULL},
    [F_PART_OF] = {"part_of", FTH_PARQUET_TEXT, true, NULL},
    [F_RANKS] = {"ranks", FTH_PARQUET_TEXT, false, "JSON"},
    [F_FILES] = {"files", FTH_PARQUET_TEXT, false, "JSON"},
    [F_CALLS] = {"calls", FTH_PARQUET_TEXT, false, "JSON"},
};

static void put_list(struct fth_parquet *file, size_t column, const struct fth_finding_list *list)
{
    put_texts(file, column, (const char *const *)list->items, list->count);
}

static void put_finding(struct fth_parquet *file, const struct fth_finding *finding)
{
    fth_parquet_text(file, F_KIND, finding->kind);
    fth_parquet_text(file, F_TITLE, finding->title);
    fth_parquet_text(file, F_TEXT, finding->text);
    fth_parquet_text(file, F_ADVICE, finding->advice);
    fth_parquet_integer(file, F_SEVERITY, finding->severity);
    fth_parquet_real(file, F_SHARE, finding->share);
    put_or_null(file, F_GAIN, finding->gain);
    fth_parquet_integer(file, F_MINOR, finding->minor);
    fth_parquet_integer(file, F_WRONG, finding->wrong);
    fth_parquet_text(file, F_PART_OF, finding->part_of);
    put_list(file, F_RANKS, &finding->ranks);
    put_list(file, F_FILES, &finding->files);
    put_list(file, F_CALLS, &finding->evidence);
    fth_parquet_end_row(file);
}

static int write_findings(const struct fth_exported *exported, const char *path, const char *facts,
                          struct fth_error **error)
{
    struct fth_results results = {0};
    int result = exported->report(exported->trace, exported->selection, &results, error);
    struct fth_parquet *file =
        result ? NULL : fth_parquet_open(path, finding_columns, FINDING_COLUMNS, facts, error);
    for (size_t i = 0; file && i < results.findings.count; i++)
        put_finding(file, &results.findings.list[i]);
    fth_results_free(&results);
    return file ? fth_parquet_close(file, error) : -1;
}

/* ---- the tables about the run ---- */

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
                  {"findings", write_findings}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!fth_export_has_table(exported, tables[i].name))
            continue;
        char *path = place_of(exported, tables[i].name, error);
        int result = path ? tables[i].write(exported, path, facts, error) : -1;
        free(path);
        if (result)
            return -1;
    }
    return 0;
}
