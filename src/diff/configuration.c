/* What a run was made with: command, folder, machine, environment, MPI library, ranks, nodes, file
 * systems, stripes. Facts of the recording's metadata (docs/fathom-info.1.md), and of the processes
 * and files of the trace. */
#include "diff/diff.h"

#include "analysis/select/noise.h"
#include "base/batch_systems.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "base/sink.h"
#include "base/text.h"

#include <jansson.h>
#include <string.h>

/* ---- of one run ---- */

static void add(struct fth_diff_run *run, const char *name, char *value)
{
    FTH_GROW(run->facts, run->fact_count);
    run->facts[run->fact_count++] = (struct fth_diff_fact){fth_text_copy(name), value};
}

/* A text, a number, or a list of them with spaces between. */
static char *words_of(const json_t *value)
{
    struct fth_sink words;
    size_t i;
    json_t *item;
    if (json_is_string(value))
        return fth_text_copy(json_string_value(value));
    if (!json_is_array(value))
        return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    fth_sink_open_memory(&words);
    json_array_foreach(value, i, item)
    {
        fth_sink_text(&words, i ? " " : "");
        fth_sink_text(&words, json_is_string(item) ? json_string_value(item) : "?");
    }
    fth_sink_char(&words, 0);
    char *text = fth_text_copy(words.bytes);
    fth_sink_close_memory(&words);
    return text;
}

/* Which job of a batch system this was is another one each time. */
static void add_environment(struct fth_diff_run *run, const json_t *environment)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)environment, name, value)
    {
        if (fth_batch_is_variable(name))
            continue;
        char *key = fth_text_format("environment %s", name);
        add(run, key, words_of(value));
        free(key);
    }
}

static void add_metadata(struct fth_diff_run *run)
{
    static const struct {
        const char *key, *name;
    } known[] = {
        {"command", "command"},
        {"cwd", "folder"},
        {"host", "node"},
        {"system", "system"},
        {"cpus", "processors"},
        {"user", "user"},
        {"status", "ended"},
        {"layers", "recorded layers"},
        {"functions", "recorded calls"},
        {"include", "recorded files"},
        {"exclude", "excluded files"},
        {"default_excludes", "excluded by default"},
        {"fathom", "version of fathom"},
    };
    const char *text = fth_trace_info(run->trace)->meta_json;
    json_t *meta = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    for (size_t i = 0; json_is_object(meta) && i < sizeof known / sizeof *known; i++) {
        const json_t *value = json_object_get(meta, known[i].key);
        char *words = value ? words_of(value) : NULL;
        if (words)
            add(run, known[i].name, words);
    }
    if (json_is_object(meta))
        add_environment(run, json_object_get(meta, "environment"));
    json_decref(meta);
}

/* Different texts, in order of their names. */
struct texts {
    size_t count;
    const char **list;
};

static void note(struct texts *texts, const char *text)
{
    for (size_t i = 0; text && i < texts->count; i++)
        if (!strcmp(texts->list[i], text))
            return;
    if (!text)
        return;
    FTH_GROW(texts->list, texts->count);
    texts->list[texts->count++] = text;
}

static int compare(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* With commas; to be freed. */
static char *join(struct texts *texts)
{
    struct fth_sink all;
    qsort(texts->list, texts->count, sizeof *texts->list, compare);
    fth_sink_open_memory(&all);
    for (size_t i = 0; i < texts->count; i++) {
        fth_sink_text(&all, i ? ", " : "");
        fth_sink_text(&all, texts->list[i]);
    }
    fth_sink_char(&all, 0);
    char *joined = fth_text_copy(all.bytes);
    fth_sink_close_memory(&all);
    return joined;
}

/* Frees the list. */
static void add_texts(struct fth_diff_run *run, const char *name, struct texts *texts)
{
    if (texts->count)
        add(run, name, join(texts));
    free(texts->list);
}

static void add_processes(struct fth_diff_run *run)
{
    struct texts hosts = {0}, libraries = {0};
    int64_t size = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(run->trace); proc++) {
        const struct fth_process *process = fth_trace_process(run->trace, proc);
        if (!fth_analysis_selects_process(run->selection, run->trace, proc))
            continue;
        FTH_ADD_SATURATING(run->whole, process->end - process->start);
        run->processes += !fth_analysis_goes_on(run->selection, run->trace, proc);
        note(&hosts, process->host);
        note(&libraries, process->mpi);
        if (process->rank != FTH_NO_RANK && process->world == 0 && process->size > size)
            size = process->size;
    }
    run->ranks = (size_t)size;
    if (size)
        add(run, "ranks", fth_text_format("%lld", (long long)size));
    if (hosts.count)
        add(run, "nodes", fth_text_format("%zu", hosts.count));
    free(hosts.list);
    add_texts(run, "MPI library", &libraries);
}

static const char *text_of(const struct fth_table *table, size_t row, const char *column)
{
    const struct fth_cell *cell = fth_table_row(table, row) + fth_table_column(table, column);
    return cell->type == FTH_CELL_TEXT ? cell->text : NULL;
}

/* Of files that the program moved bytes of. */
static void add_files(struct fth_diff_run *run)
{
    const struct fth_table *files = run->stats->tables[FTH_STATS_FILES];
    size_t count = fth_table_column(files, "stripe_count"),
           size = fth_table_column(files, "stripe_size"),
           read = fth_table_column(files, "bytes_read"),
           written = fth_table_column(files, "bytes_written");
    struct texts systems = {0}, stripes = {0};
    char **made = NULL;
    size_t made_count = 0;
    for (size_t row = 0; row < fth_table_rows(files); row++) {
        const struct fth_cell *cells = fth_table_row(files, row);
        const char *path = text_of(files, row, "path");
        bool moved = cells[read].integer || cells[written].integer;
        if (!moved || !path || fth_analysis_is_noise(path, moved))
            continue;
        note(&systems, text_of(files, row, "file_system"));
        if (cells[count].type != FTH_CELL_INTEGER || cells[size].type != FTH_CELL_INTEGER)
            continue;
        FTH_GROW(made, made_count);
        made[made_count] = fth_text_format("%lld of %lld bytes", (long long)cells[count].integer,
                                           (long long)cells[size].integer);
        note(&stripes, made[made_count++]);
    }
    add_texts(run, "file systems", &systems);
    add_texts(run, "stripes", &stripes);
    for (size_t i = 0; i < made_count; i++)
        free(made[i]);
    free(made);
}

static void add_hints(struct fth_diff_run *run)
{
    struct texts hints = {0};
    for (size_t i = 0; i < run->hints.count; i++)
        note(&hints, run->hints.list[i]);
    add_texts(run, "MPI hints", &hints);
}

void fth_diff_describe(struct fth_diff_run *run)
{
    run->incomplete = fth_analysis_incomplete(run->selection, run->trace);
    run->elapsed = fth_trace_info(run->trace)->end;
    add_metadata(run);
    add_processes(run);
    add_files(run);
    add_hints(run);
}

void fth_diff_run_free(struct fth_diff_run *run)
{
    for (size_t i = 0; i < run->fact_count; i++) {
        free(run->facts[i].name);
        free(run->facts[i].value);
    }
    free(run->facts);
    fth_diff_hints_free(&run->hints);
    fth_diff_signatures_free(&run->signatures);
    fth_results_free(&run->results);
    fth_analysis_stats_free(run->stats);
}

/* ---- of both sides ---- */

static const char *value_of(const struct fth_diff_run *run, const char *name)
{
    for (size_t i = 0; i < run->fact_count; i++)
        if (!strcmp(run->facts[i].name, name))
            return run->facts[i].value;
    return NULL;
}

/* Do all runs of a side agree? */
static bool agree(const struct fth_diff *diff, int side, const char *name)
{
    const struct fth_diff_run *first = &diff->runs[side ? diff->counts[0] : 0];
    for (size_t i = 1; i < diff->counts[side]; i++)
        if (!fth_text_same(value_of(&first[i], name), value_of(first, name)))
            return false;
    return true;
}

static void compare_fact(struct fth_diff *diff, const char *name)
{
    const char *a = value_of(&diff->runs[0], name),
               *b = value_of(&diff->runs[diff->counts[0]], name);
    for (size_t i = 0; i < diff->setting_count; i++)
        if (!strcmp(diff->configuration[i].name, name))
            return;
    if (fth_text_same(a, b) || !agree(diff, 0, name) || !agree(diff, 1, name))
        return;
    FTH_GROW(diff->configuration, diff->setting_count);
    diff->configuration[diff->setting_count++] = (struct fth_diff_setting){name, a, b};
}

/* Names of the programs of all runs of a side. */
static struct texts programs_of(const struct fth_diff *diff, int side)
{
    struct texts programs = {0};
    size_t first = side ? diff->counts[0] : 0;
    for (size_t run = first; run < first + diff->counts[side]; run++) {
        const struct fth_table *ranks = diff->runs[run].stats->tables[FTH_STATS_RANKS];
        for (size_t row = 0; row < fth_table_rows(ranks); row++)
            note(&programs, text_of(ranks, row, "program"));
    }
    return programs;
}

static void compare_programs(struct fth_diff *diff)
{
    struct texts programs[] = {programs_of(diff, 0), programs_of(diff, 1)};
    bool share = !programs[0].count || !programs[1].count;
    for (size_t i = 0; i < programs[0].count; i++)
        for (size_t j = 0; j < programs[1].count; j++)
            share = share || fth_text_same(programs[0].list[i], programs[1].list[j]);
    for (int side = 0; side < 2; side++) {
        diff->other_program[side] = share ? NULL : join(&programs[side]);
        free(programs[side].list);
    }
}

void fth_diff_find_configuration(struct fth_diff *diff)
{
    const struct fth_diff_run *sides[] = {&diff->runs[0], &diff->runs[diff->counts[0]]};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side]->fact_count; i++)
            compare_fact(diff, sides[side]->facts[i].name);
    compare_programs(diff);
}
