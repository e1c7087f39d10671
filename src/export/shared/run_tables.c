/* Rows about a run as a whole. */
#include "export/shared/run_tables.h"

#include "base/json.h"
#include "base/memory.h"
#include "views/pages/samples_page.h"

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
    SUMMED,
    LAUNCHER,
    MPI,
    PROCESS_COLUMNS
};
const struct fth_batch_column fth_process_table_columns[FTH_PROCESS_TABLE_COLUMNS] = {
    [PROC] = {"proc", FTH_BATCH_INT32, false, NULL},
    [PARENT] = {"parent", FTH_BATCH_INT32, true, NULL},
    [WORLD] = {"world", FTH_BATCH_INT32, true, NULL},
    [RANK] = {"rank", FTH_BATCH_INT32, true, NULL},
    [SIZE] = {"size", FTH_BATCH_INT32, true, NULL},
    [PID] = {"pid", FTH_BATCH_INT64, false, NULL},
    [HOST] = {"host", FTH_BATCH_TEXT, true, NULL},
    [EXECUTABLE] = {"exe", FTH_BATCH_TEXT, true, NULL},
    [ARGUMENTS] = {"arguments", FTH_BATCH_TEXT, true, "JSON"},
    [DIRECTORY] = {"directory", FTH_BATCH_TEXT, true, NULL},
    [START] = {"start", FTH_BATCH_INT64, false, "ns"},
    [END] = {"end", FTH_BATCH_INT64, false, "ns"},
    [HOW_ENDED] = {"how_ended", FTH_BATCH_TEXT, true, NULL},
    [THREADS] = {"threads", FTH_BATCH_INT32, false, NULL},
    [CALLS] = {"calls", FTH_BATCH_INT64, false, NULL},
    [EXCLUDED] = {"excluded", FTH_BATCH_INT64, false, NULL},
    [LOST] = {"lost", FTH_BATCH_INT64, false, NULL},
    [SUMMED] = {"summed", FTH_BATCH_INT64, false, NULL},
    [LAUNCHER] = {"launcher", FTH_BATCH_BOOLEAN, false, NULL},
    [MPI] = {"mpi", FTH_BATCH_TEXT, true, NULL},
};

static void put_or_null(struct fth_batch *batch, size_t column, int64_t value)
{
    fth_batch_or_null(batch, column, value, value >= 0);
}

/* A list of texts as JSON. */
static void put_texts(struct fth_batch *batch, size_t column, const char *const *texts,
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
    fth_batch_text(batch, column, text.bytes);
    fth_sink_close_memory(&text);
}

static void put_names(struct fth_batch *batch, size_t column, const char *const *texts,
                      size_t count)
{
    char **names = fth_new(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = fth_pseudonym(batch->names, texts[i]);
    put_texts(batch, column, (const char *const *)names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

void fth_process_table_put(struct fth_batch *batch, size_t proc, const struct fth_process *process)
{
    fth_batch_integer(batch, PROC, (int64_t)proc);
    put_or_null(batch, PARENT, process->parent_proc);
    put_or_null(batch, WORLD, process->world);
    put_or_null(batch, RANK, process->rank);
    put_or_null(batch, SIZE, process->world < 0 ? -1 : process->size);
    fth_batch_integer(batch, PID, process->pid);
    fth_batch_name(batch, HOST, process->host);
    fth_batch_name(batch, EXECUTABLE, process->executable);
    put_names(batch, ARGUMENTS, process->arguments, process->argument_count);
    fth_batch_name(batch, DIRECTORY, process->directory);
    fth_batch_integer(batch, START, process->start);
    fth_batch_integer(batch, END, process->end);
    fth_batch_text(batch, HOW_ENDED, process->how_ended);
    fth_batch_integer(batch, THREADS, (int64_t)process->thread_count);
    fth_batch_integer(batch, CALLS, (int64_t)process->calls);
    fth_batch_integer(batch, EXCLUDED, (int64_t)process->excluded);
    fth_batch_integer(batch, LOST, (int64_t)process->lost);
    fth_batch_integer(batch, SUMMED, (int64_t)process->summed);
    fth_batch_integer(batch, LAUNCHER, process->launcher);
    /* A description of the library may say who built it, and where. */
    fth_batch_text(batch, MPI, batch->names ? process->mpi_abi : process->mpi);
}

_Static_assert((int)PROCESS_COLUMNS == (int)FTH_PROCESS_TABLE_COLUMNS, "");

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
const struct fth_batch_column fth_message_table_columns[FTH_MESSAGE_TABLE_COLUMNS] = {
    [FROM_PROC] = {"from_proc", FTH_BATCH_INT32, true, NULL},
    [FROM_THREAD] = {"from_thread", FTH_BATCH_INT32, false, NULL},
    [FROM_CALL] = {"from_call", FTH_BATCH_INT64, false, NULL},
    [TO_PROC] = {"to_proc", FTH_BATCH_INT32, true, NULL},
    [TO_THREAD] = {"to_thread", FTH_BATCH_INT32, true, NULL},
    [TO_CALL] = {"to_call", FTH_BATCH_INT64, true, NULL},
    [SENT] = {"start", FTH_BATCH_INT64, false, "ns"},
    [RECEIVED] = {"end", FTH_BATCH_INT64, true, "ns"},
    [M_BYTES] = {"bytes", FTH_BATCH_INT64, true, "bytes"},
    [TAG] = {"tag", FTH_BATCH_INT32, false, NULL},
    [COMMUNICATOR] = {"communicator", FTH_BATCH_TEXT, true, NULL},
    [ONE_SIDED] = {"one_sided", FTH_BATCH_BOOLEAN, false, NULL},
};

static int64_t proc_or_none(uint32_t proc)
{
    return proc < FTH_LISTED_NOT_KNOWN ? (int64_t)proc : -1;
}

/* "handle 12": of one without a name */
static bool is_handle(const char *place)
{
    static const char word[] = "handle ";
    size_t length = sizeof word - 1;
    return !strncmp(place, word, length) && !place[length + strspn(place + length, "0123456789")];
}

void fth_message_table_put(struct fth_batch *batch, const struct fth_message_list *list,
                           const struct fth_listed_message *message)
{
    size_t length;
    bool received = message->end != INT64_MIN && !message->one_sided;
    put_or_null(batch, FROM_PROC, proc_or_none(message->from));
    fth_batch_integer(batch, FROM_THREAD, message->thread);
    fth_batch_integer(batch, FROM_CALL, (int64_t)message->call);
    put_or_null(batch, TO_PROC, proc_or_none(message->to));
    put_or_null(batch, TO_THREAD, received ? (int64_t)message->receive_thread : -1);
    put_or_null(batch, TO_CALL, received ? (int64_t)message->receive_call : -1);
    fth_batch_integer(batch, SENT, message->start);
    put_or_null(batch, RECEIVED, received ? message->end : -1);
    put_or_null(batch, M_BYTES, message->bytes);
    fth_batch_integer(batch, TAG, message->tag);
    const char *place = message->place == UINT32_MAX
                            ? NULL
                            : (const char *)fth_interned(&list->places, message->place, &length);
    if (place && is_handle(place))
        fth_batch_text(batch, COMMUNICATOR, place);
    else
        fth_batch_name(batch, COMMUNICATOR, place);
    fth_batch_integer(batch, ONE_SIDED, message->one_sided);
}

_Static_assert((int)MESSAGE_COLUMNS == (int)FTH_MESSAGE_TABLE_COLUMNS, "");

/* ---- samples ---- */

enum sample_column {
    S_HOST,
    S_PROC,
    S_COUNTER,
    S_INSTANCE,
    S_KIND,
    S_UNIT,
    S_START,
    S_END,
    S_MEAN,
    S_LEAST,
    S_MOST,
    S_AMOUNT,
    SAMPLE_COLUMNS
};
const struct fth_batch_column fth_sample_table_columns[FTH_SAMPLE_TABLE_COLUMNS] = {
    [S_HOST] = {"host", FTH_BATCH_TEXT, false, NULL},
    [S_PROC] = {"proc", FTH_BATCH_INT32, true, NULL},
    [S_COUNTER] = {"counter", FTH_BATCH_TEXT, false, NULL},
    [S_INSTANCE] = {"instance", FTH_BATCH_TEXT, true, NULL},
    [S_KIND] = {"kind", FTH_BATCH_TEXT, false, NULL},
    [S_UNIT] = {"unit", FTH_BATCH_TEXT, false, NULL},
    [S_START] = {"start", FTH_BATCH_INT64, false, "ns"},
    [S_END] = {"end", FTH_BATCH_INT64, false, "ns"},
    [S_MEAN] = {"mean", FTH_BATCH_DOUBLE, false, NULL},
    [S_LEAST] = {"min", FTH_BATCH_DOUBLE, false, NULL},
    [S_MOST] = {"max", FTH_BATCH_DOUBLE, false, NULL},
    [S_AMOUNT] = {"amount", FTH_BATCH_DOUBLE, true, NULL},
};

void fth_sample_table_put(struct fth_batch *batch, const struct fth_trace *trace,
                          const struct fth_counter *counter, const struct fth_sample *sample)
{
    bool is_rate = counter->kind == FTH_RATE;
    fth_batch_name(batch, S_HOST, fth_trace_sampling(trace, counter->sampling)->host);
    put_or_null(batch, S_PROC, counter->proc == FTH_NO_PROCESS ? -1 : counter->proc);
    fth_batch_text(batch, S_COUNTER, counter->name);
    fth_batch_name(batch, S_INSTANCE, *counter->instance ? counter->instance : NULL);
    fth_batch_text(batch, S_KIND, is_rate ? "rate" : "gauge");
    fth_batch_text(batch, S_UNIT, fth_views_counter_unit(counter));
    fth_batch_integer(batch, S_START, sample->start);
    fth_batch_integer(batch, S_END, sample->end);
    fth_batch_real(batch, S_MEAN, sample->mean);
    fth_batch_real(batch, S_LEAST, sample->least);
    fth_batch_real(batch, S_MOST, sample->most);
    if (is_rate)
        fth_batch_real(batch, S_AMOUNT, sample->amount);
}

_Static_assert((int)SAMPLE_COLUMNS == (int)FTH_SAMPLE_TABLE_COLUMNS, "");

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
const struct fth_batch_column fth_finding_table_columns[FTH_FINDING_TABLE_COLUMNS] = {
    [F_KIND] = {"kind", FTH_BATCH_TEXT, false, NULL},
    [F_TITLE] = {"title", FTH_BATCH_TEXT, false, NULL},
    [F_TEXT] = {"text", FTH_BATCH_TEXT, true, NULL},
    [F_ADVICE] = {"advice", FTH_BATCH_TEXT, true, NULL},
    [F_SEVERITY] = {"severity", FTH_BATCH_INT64, false, "ns"},
    [F_SHARE] = {"share", FTH_BATCH_DOUBLE, false, "percent"},
    [F_GAIN] = {"gain", FTH_BATCH_INT64, true, "ns"},
    [F_MINOR] = {"minor", FTH_BATCH_BOOLEAN, false, NULL},
    [F_WRONG] = {"wrong", FTH_BATCH_BOOLEAN, false, NULL},
    [F_PART_OF] = {"part_of", FTH_BATCH_TEXT, true, NULL},
    [F_RANKS] = {"ranks", FTH_BATCH_TEXT, false, "JSON"},
    [F_FILES] = {"files", FTH_BATCH_TEXT, false, "JSON"},
    [F_CALLS] = {"calls", FTH_BATCH_TEXT, false, "JSON"},
};

static void put_list(struct fth_batch *batch, size_t column, const struct fth_finding_list *list)
{
    put_texts(batch, column, (const char *const *)list->items, list->count);
}

void fth_finding_table_put(struct fth_batch *batch, const struct fth_finding *finding)
{
    fth_batch_text(batch, F_KIND, finding->kind);
    fth_batch_text(batch, F_TITLE, finding->title);
    /* Sentences have names in them. */
    fth_batch_text(batch, F_TEXT, batch->names ? NULL : finding->text);
    fth_batch_text(batch, F_ADVICE, batch->names ? NULL : finding->advice);
    fth_batch_integer(batch, F_SEVERITY, finding->severity);
    fth_batch_real(batch, F_SHARE, finding->share);
    put_or_null(batch, F_GAIN, finding->gain);
    fth_batch_integer(batch, F_MINOR, finding->minor);
    fth_batch_integer(batch, F_WRONG, finding->wrong);
    fth_batch_text(batch, F_PART_OF, finding->part_of);
    put_list(batch, F_RANKS, &finding->ranks);
    put_names(batch, F_FILES, (const char *const *)finding->files.items, finding->files.count);
    put_list(batch, F_CALLS, &finding->evidence);
}

_Static_assert((int)FINDING_COLUMNS == (int)FTH_FINDING_TABLE_COLUMNS, "");
