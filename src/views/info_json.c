/* `info` for programs. The keys are a contract: docs/fathom-info.1.md. */
#include "views/info.h"

#include "analysis/select.h"
#include "base/json.h"
#include "views/meta.h"
#include "views/words.h"

#include <fathom/files.h>
#include <stdlib.h>

static void put_text(struct fth_json *json, const char *key, const char *text)
{
    fth_json_key(json, key);
    fth_json_text(json, text);
}

static void put_count(struct fth_json *json, const char *key, uint64_t value)
{
    fth_json_key(json, key);
    fth_json_unsigned(json, value);
}

static void put_seconds(struct fth_json *json, const char *key, int64_t ns)
{
    fth_json_key(json, key);
    fth_json_seconds(json, ns);
}

/* Numbers that are -1 when there is none. */
static void put_number(struct fth_json *json, const char *key, int64_t value)
{
    fth_json_key(json, key);
    if (value < 0)
        fth_json_null(json);
    else
        fth_json_integer(json, value);
}

static void put_process(struct fth_json *json, const struct fth_process *process, size_t proc)
{
    fth_json_begin_object(json);
    put_count(json, "proc", proc);
    put_number(json, "parent_proc", process->parent_proc);
    put_number(json, "world", process->world);
    put_number(json, "rank", process->rank);
    fth_json_key(json, "pid");
    fth_json_integer(json, process->pid);
    put_text(json, "host", process->host);
    put_text(json, "exe", process->executable);
    fth_json_key(json, "command");
    fth_json_begin_array(json);
    for (size_t i = 0; i < process->argument_count; i++)
        fth_json_text(json, process->arguments[i]);
    fth_json_end_array(json);
    put_text(json, "directory", process->directory);
    put_text(json, "mpi", process->mpi);
    put_text(json, "mpi_abi", process->mpi_abi);
    put_seconds(json, "start", process->start);
    put_seconds(json, "end", process->end);
    put_text(json, "how_ended", process->how_ended);
    fth_json_key(json, "launcher");
    fth_json_boolean(json, process->launcher);
    put_count(json, "threads", process->thread_count);
    put_count(json, "calls", process->calls);
    put_count(json, "excluded", process->excluded);
    put_count(json, "lost", process->lost);
    put_text(json, "clock", process->clock);
    fth_json_key(json, "clock_error");
    if (process->clock_error == FTH_NO_ERROR)
        fth_json_null(json);
    else
        fth_json_seconds(json, process->clock_error);
    fth_json_end_object(json);
}

static void put_bytes(struct fth_json *json, const struct fth_trace_info *info)
{
    fth_json_key(json, "bytes");
    fth_json_begin_object(json);
    put_count(json, "total", info->file_bytes);
    put_count(json, "signatures", info->signature_bytes);
    put_count(json, "grammar", info->grammar_bytes);
    put_count(json, "literals", info->literal_bytes);
    put_count(json, "time", info->time_bytes);
    put_count(json, "counts", info->count_bytes);
    put_count(json, "strings", info->string_bytes);
    put_count(json, "processes", info->process_bytes);
    put_count(json, "samples", info->sample_bytes);
    put_count(json, "other", info->other_bytes);
    fth_json_end_object(json);
}

static void put_meta(struct fth_json *json, const struct fth_trace_info *info)
{
    char *meta = fth_views_meta_json(info);
    fth_json_key(json, "meta");
    fth_json_raw(json, meta ? meta : "null");
    free(meta);
}

static void put_costs(struct fth_json *json, const struct fth_function_cost *costs, size_t count)
{
    fth_json_key(json, "functions");
    fth_json_begin_array(json);
    for (size_t i = 0; i < count; i++) {
        fth_json_begin_object(json);
        put_text(json, "function", costs[i].function->name);
        put_count(json, "calls", costs[i].calls);
        put_count(json, "signatures", costs[i].signatures);
        put_count(json, "symbols", costs[i].symbols);
        put_count(json, "literal_bytes", costs[i].literal_bytes);
        put_count(json, "time_bytes", costs[i].time_bytes);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

/* Those that say something: where they are, and what they are. */
static void put_file_systems(struct fth_json *json, const struct fth_trace *trace)
{
    fth_json_key(json, "file_systems");
    fth_json_begin_array(json);
    for (size_t i = 0; i < fth_trace_file_system_count(trace); i++) {
        const struct fth_file_system *system = fth_trace_file_system(trace, i);
        fth_json_begin_object(json);
        put_text(json, "host", system->host);
        put_text(json, "mount", system->mount);
        put_text(json, "type", system->type);
        put_text(json, "source", system->source);
        put_count(json, "block_size", system->block_size);
        put_text(json, "scope", system->scope == FTH_SCOPE_SHARED ? "shared" : "node");
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

int fth_views_info_json(struct fth_output *output, struct fth_trace *trace,
                        const struct fth_info_view *view, struct fth_error **error)
{
    struct fth_function_cost *costs = NULL;
    size_t cost_count = 0;
    if (view->sizes && !fth_trace_function_costs(trace, &costs, &cost_count, error))
        return -1;
    const struct fth_trace_info *info = fth_trace_info(trace);
    size_t count = fth_trace_process_count(trace);
    struct fth_json json;
    fth_json_open(&json, &output->sink, 2);
    fth_json_begin_object(&json);
    put_text(&json, "trace", view->trace_path);
    put_count(&json, "version", info->version);
    put_text(&json, "start", fth_views_date(info->start_realtime).text);
    put_seconds(&json, "duration", info->end);
    put_seconds(&json, "resolution", info->resolution);
    put_text(&json, "times",
             info->times_are_means ? "means"
             : info->time_percent  ? "bins"
                                   : "exact");
    fth_json_key(&json, "time_percent");
    fth_json_integer(&json, info->time_percent);
    put_count(&json, "calls", info->calls);
    put_count(&json, "launcher_calls",
              fth_analysis_launchers(&(struct fth_selection){0}, trace).calls);
    put_count(&json, "lost_calls", info->lost_calls);
    put_count(&json, "excluded_calls", info->excluded_calls);
    put_bytes(&json, info);
    if (view->sizes)
        put_costs(&json, costs, cost_count);
    free(costs);
    put_file_systems(&json, trace);
    fth_json_key(&json, "blind_spots");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < info->blind_spot_count; i++)
        fth_json_text(&json, info->blind_spots[i]);
    fth_json_end_array(&json);
    put_meta(&json, info);
    fth_json_key(&json, "processes");
    fth_json_begin_array(&json);
    for (size_t proc = 0; proc < count && !fth_views_stopped(output); proc++)
        put_process(&json, fth_trace_process(trace, proc), proc);
    fth_json_end_array(&json);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
    return 0;
}
