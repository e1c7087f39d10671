/* What is in a trace, for programs. The keys are a contract: docs/fathom-info.1.md. */
#include "views/pages/info_page.h"

#include "analysis/select/select.h"
#include "base/json.h"
#include "base/memory.h"
#include "views/sentences/coverage.h"
#include "views/sentences/meta.h"
#include "views/output/display_text.h"

#include <fathom/files.h>
#include <stdlib.h>

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
    fth_json_key_unsigned(json, "proc", proc);
    put_number(json, "parent_proc", process->parent_proc);
    put_number(json, "world", process->world);
    put_number(json, "rank", process->rank);
    fth_json_key_integer(json, "pid", process->pid);
    fth_json_key_text(json, "host", process->host);
    fth_json_key_text(json, "exe", process->executable);
    fth_json_key(json, "command");
    fth_json_begin_array(json);
    for (size_t i = 0; i < process->argument_count; i++)
        fth_json_text(json, process->arguments[i]);
    fth_json_end_array(json);
    fth_json_key_text(json, "directory", process->directory);
    fth_json_key_text(json, "mpi", process->mpi);
    fth_json_key_text(json, "mpi_abi", process->mpi_abi);
    fth_json_key_seconds(json, "start", process->start);
    fth_json_key_seconds(json, "end", process->end);
    fth_json_key_text(json, "how_ended", process->how_ended);
    fth_json_key(json, "reaped");
    if (process->reaped == FTH_NO_TIME)
        fth_json_null(json);
    else
        fth_json_seconds(json, process->reaped);
    fth_json_key_boolean(json, "launcher", process->launcher);
    fth_json_key_unsigned(json, "threads", process->thread_count);
    fth_json_key_unsigned(json, "calls", process->calls);
    fth_json_key_unsigned(json, "excluded", process->excluded);
    fth_json_key_unsigned(json, "lost", process->lost);
    fth_json_key_unsigned(json, "summed", process->summed);
    fth_json_key_text(json, "clock", process->clock);
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
    fth_json_key_unsigned(json, "total", info->file_bytes);
    fth_json_key_unsigned(json, "signatures", info->signature_bytes);
    fth_json_key_unsigned(json, "grammar", info->grammar_bytes);
    fth_json_key_unsigned(json, "literals", info->literal_bytes);
    fth_json_key_unsigned(json, "time", info->time_bytes);
    fth_json_key_unsigned(json, "counts", info->count_bytes);
    fth_json_key_unsigned(json, "strings", info->string_bytes);
    fth_json_key_unsigned(json, "processes", info->process_bytes);
    fth_json_key_unsigned(json, "samples", info->sample_bytes);
    fth_json_key_unsigned(json, "other", info->other_bytes);
    fth_json_end_object(json);
}

static void put_meta(struct fth_json *json, const struct fth_trace_info *info)
{
    char *meta = fth_views_meta_json(info);
    fth_json_key(json, "meta");
    fth_json_raw(json, meta ? meta : "null");
    free(meta);
}

/* Those that say something: where they are, and what they are. */
static void put_file_systems(struct fth_json *json, const struct fth_trace *trace)
{
    fth_json_key(json, "file_systems");
    fth_json_begin_array(json);
    for (size_t i = 0; i < fth_trace_file_system_count(trace); i++) {
        const struct fth_file_system *system = fth_trace_file_system(trace, i);
        fth_json_begin_object(json);
        fth_json_key_text(json, "host", system->host);
        fth_json_key_text(json, "mount", system->mount);
        fth_json_key_text(json, "type", system->type);
        fth_json_key_text(json, "source", system->source);
        fth_json_key_unsigned(json, "block_size", system->block_size);
        fth_json_key_text(json, "scope", system->scope == FTH_SCOPE_SHARED ? "shared" : "node");
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

/* What could not be seen: the sentence stands in `blind_spots`, too, at the same place. */
static void put_unseen(struct fth_json *json, const struct fth_unseen *unseen)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "kind", fth_unseen_word(unseen->kind));
    fth_json_key_boolean(json, "accesses_files", fth_unseen_accesses_files(unseen->kind));
    put_number(json, "proc", unseen->proc);
    fth_json_key_text(json, "program", unseen->program);
    fth_json_key_text(json, "file", unseen->path);
    fth_json_key(json, "since");
    if (unseen->since == FTH_UNSEEN_UNKNOWN)
        fth_json_null(json);
    else
        fth_json_seconds(json, unseen->since);
    put_number(json, "bytes_read", unseen->bytes_read);
    put_number(json, "bytes_written", unseen->bytes_written);
    fth_json_key_text(json, "sentence", unseen->sentence);
    fth_json_end_object(json);
}

static void put_lists(struct fth_writer *writer, const struct fth_trace *trace)
{
    struct fth_json *facts = &writer->facts;
    const struct fth_trace_info *info = fth_trace_info(trace);
    put_file_systems(facts, trace);
    fth_json_key(facts, "blind_spots");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < info->blind_spot_count; i++)
        fth_json_text(facts, info->blind_spots[i]);
    fth_json_end_array(facts);
    fth_json_key(facts, "not_seen");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < info->blind_spot_count; i++)
        put_unseen(facts, &info->unseen[i]);
    fth_json_end_array(facts);
    put_meta(facts, info);
    fth_json_key(facts, "processes");
    fth_json_begin_array(facts);
    for (size_t proc = 0;
         proc < fth_trace_process_count(trace) && !fth_views_stopped(writer->output); proc++)
        put_process(facts, fth_trace_process(trace, proc), proc);
    fth_json_end_array(facts);
}

/* Frees it. */
static void put_table(struct fth_writer *writer, struct fth_table *table)
{
    if (!table)
        fth_out_of_memory();
    fth_views_write_table(writer, table, &(struct fth_table_layout){0});
    fth_table_free(table);
}

/* Calls that were neither recorded nor added up. */
static void put_counted(struct fth_json *json, const struct fth_trace *trace)
{
    fth_json_key(json, "counted_only");
    fth_json_begin_array(json);
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        size_t count;
        const struct fth_counted_calls *calls = fth_trace_counted_only(trace, proc, &count);
        for (size_t i = 0; i < count; i++) {
            fth_json_begin_object(json);
            fth_json_key_unsigned(json, "proc", proc);
            fth_json_key_text(json, "func", calls[i].function ? calls[i].function->name : NULL);
            fth_json_key_unsigned(json, "calls", calls[i].calls);
            fth_json_end_object(json);
        }
    }
    fth_json_end_array(json);
}

/* Of processes that were recorded by turns. */
static void put_coverage(struct fth_writer *writer, const struct fth_trace *trace)
{
    struct fth_phase_coverage *coverage = fth_analysis_coverage(trace);
    fth_views_coverage_json(&writer->facts, coverage);
    put_counted(&writer->facts, trace);
    if (coverage)
        fth_views_write_table(writer, coverage->table, &(struct fth_table_layout){0});
    fth_analysis_coverage_free(coverage);
}

int fth_views_info_facts(struct fth_writer *writer, struct fth_trace *trace,
                         const struct fth_info_view *view, struct fth_error **error)
{
    struct fth_table *costs = view->sizes ? fth_views_costs(trace, error) : NULL;
    if (view->sizes && !costs)
        return -1;
    if (!fth_views_has_facts(writer)) {
        put_table(writer, fth_views_processes(trace));
        if (view->sizes)
            put_table(writer, fth_views_sizes(fth_trace_info(trace)));
    }
    const struct fth_trace_info *info = fth_trace_info(trace);
    struct fth_json *facts = &writer->facts;
    fth_json_key_text(facts, "trace", view->trace_path);
    const struct fth_incomplete incomplete =
        fth_analysis_incomplete(&(struct fth_selection){.launchers = true}, trace);
    fth_views_write_missing(writer, &incomplete);
    fth_json_key_unsigned(facts, "version", info->version);
    fth_json_key_text(facts, "start", fth_views_date(info->start_realtime).text);
    fth_json_key_seconds(facts, "duration", info->end);
    fth_json_key_seconds(facts, "resolution", info->resolution);
    fth_json_key_text(facts, "times",
                      info->times_are_means ? "means"
                      : info->time_percent  ? "bins"
                                            : "exact");
    fth_json_key(facts, "time_percent");
    fth_json_integer(facts, info->time_percent);
    fth_json_key_unsigned(facts, "calls", info->calls);
    fth_json_key_unsigned(facts, "launcher_calls",
                          fth_analysis_launchers(&(struct fth_selection){0}, trace).calls);
    fth_json_key_unsigned(facts, "lost_calls", info->lost_calls);
    fth_json_key_unsigned(facts, "excluded_calls", info->excluded_calls);
    put_bytes(facts, info);
    put_coverage(writer, trace);
    if (costs)
        fth_views_write_table(writer, costs, &(struct fth_table_layout){.name = "functions"});
    fth_table_free(costs);
    put_lists(writer, trace);
    return 0;
}
