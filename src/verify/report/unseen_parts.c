/* What was not seen of a run: its blind spots, calls that were lost or left out, what happened
 * before the recording began and after it ended. Each that may have accessed files that are
 * compared makes "safe" a "safe as far as was seen". Left out is what clearly cannot have: blind
 * spots that hide no access (trace/program/hides.h), or are about a file that nobody else
 * accesses, the lost calls of launchers, whose files are their own, and calls that filters of
 * paths left out, as no access to a file outside of them is compared. */
#include "verify/report/unseen_parts.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "trace/program/hides.h"
#include "catalog/packed.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"

#include <fathom/files.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PROCESSES = 20 }; /* reported of each kind; the others are counted */

static void add(struct fth_verdict *verdict, uint32_t run, enum fth_hides what, char *text)
{
    FTH_GROW(verdict->unseen, verdict->unseen_count);
    verdict->unseen[verdict->unseen_count++] = (struct fth_verdict_unseen){
        run, text, what == FTH_HIDES_A_LIBRARY, what == FTH_HIDES_BELOW_A_LIBRARY};
}

__attribute__((format(printf, 3, 4))) static void say(struct fth_verdict *verdict, uint32_t run,
                                                      const char *format, ...)
{
    va_list arguments;
    char *text;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        fth_out_of_memory();
    va_end(arguments);
    add(verdict, run, FTH_HIDES_ACCESSES, text);
}

/* ---- blind spots ---- */

static enum fth_hides hides(const struct fth_unseen *spot)
{
    switch (spot->kind) {
    case FTH_UNSEEN_OTHER:
        return fth_blind_spot_hides(spot->sentence);
    case FTH_UNSEEN_LIBRARY:
        return FTH_HIDES_A_LIBRARY;
    case FTH_UNSEEN_MAP:  /* compared as a write at any time from the call that mapped it on */
    case FTH_UNSEEN_CODE: /* a hint */
    case FTH_UNSEEN_CALL: /* that a process did not end by itself is reported in any case */
        return FTH_HIDES_NO_ACCESS;
    default:
        return FTH_HIDES_ACCESSES;
    }
}

/* What a process did, unseen, to a file that nobody else accesses conflicts with nothing. */
static bool is_of_its_own(const struct fth_verdict *verdict, uint32_t run,
                          const struct fth_unseen *spot, const struct fth_unseen_files *files)
{
    const struct fth_run *of = &verdict->runs->runs[run];
    const struct fth_trace_info *info = fth_trace_info(of->trace);
    const struct fth_run_accesses *accesses = files->accesses;
    size_t length;
    if (!spot->path || spot->proc == FTH_NO_PROCESS)
        return false;
    for (size_t i = 0; i < info->blind_spot_count; i++)
        if (info->unseen[i].proc != spot->proc && info->unseen[i].path &&
            strcmp(info->unseen[i].path, spot->path) == 0)
            return false;
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        const char *name =
            fth_run_accesses_name(accesses, files->names[situation->opening], &length);
        if (situation->proc != of->first_proc + (uint32_t)spot->proc &&
            strcmp(name, spot->path) == 0)
            return false;
    }
    return true;
}

/* Did a run use the library that does something below itself? */
static bool uses_library(const struct fth_verdict *verdict, uint32_t run,
                         const struct fth_unseen_files *files)
{
    const struct fth_run_accesses *accesses = files->accesses;
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].layer == files->library &&
            verdict->runs->run_of_proc[accesses->situations[i].proc] == run)
            return true;
    return false;
}

static void find_blind_spots(struct fth_verdict *verdict, uint32_t run,
                             const struct fth_unseen_files *files)
{
    const struct fth_trace_info *info = fth_trace_info(verdict->runs->runs[run].trace);
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        const struct fth_unseen *spot = &info->unseen[i];
        enum fth_hides what = hides(spot);
        if (what == FTH_HIDES_NO_ACCESS || is_of_its_own(verdict, run, spot, files) ||
            (what == FTH_HIDES_BELOW_A_LIBRARY && !uses_library(verdict, run, files)))
            continue;
        char *text = fth_text_copy(spot->sentence);
        if (!text)
            fth_out_of_memory();
        add(verdict, run, what, text);
    }
}

/* ---- processes ---- */

/* Sentences about processes, of which there may be many. */
struct reporting {
    struct fth_verdict *verdict;
    uint32_t run;
    size_t count;
};

static void report_process(struct reporting *reporting, uint32_t proc)
{
    struct fth_verdict *verdict = reporting->verdict;
    const struct fth_process *process = fth_runs_process(verdict->runs, proc);
    bool goes_on = strcmp(process->how_ended, "still running") == 0 ||
                   strcmp(process->how_ended, "detached") == 0;
    if (process->launcher || (!fth_process_lacks_calls(process) && !process->stopped && !goes_on))
        return;
    if (reporting->count++ >= MOST_PROCESSES)
        return;
    struct fth_sink who;
    fth_sink_open_memory(&who);
    fth_runs_put_process(&who, verdict->runs, proc);
    fth_sink_char(&who, 0);
    if (process->stopped)
        say(verdict, reporting->run, "%s: the recording stopped after %s of it: %s", who.bytes,
            fth_phrase_several(process->calls, "call", "calls").text, strerror(process->stopped));
    else if (process->lost > process->only_counted)
        say(verdict, reporting->run, "%s: %s of it %s lost", who.bytes,
            fth_phrase_several(process->lost - process->only_counted, "call", "calls").text,
            process->lost - process->only_counted == 1 ? "was" : "were");
    if (process->only_counted)
        say(verdict, reporting->run, "%s: %s of it %s only counted (--select)", who.bytes,
            fth_phrase_several(process->only_counted, "call", "calls").text,
            process->only_counted == 1 ? "was" : "were");
    if (process->only_watched)
        say(verdict, reporting->run, "%s: %s of it %s only watched (--select)", who.bytes,
            fth_phrase_several(process->summed, "call", "calls").text,
            process->summed == 1 ? "was" : "were");
    else if (process->summed)
        say(verdict, reporting->run, "%s: %s of it %s in sums only", who.bytes,
            fth_phrase_several(process->summed, "call", "calls").text,
            process->summed == 1 ? "is" : "are");
    if (goes_on)
        say(verdict, reporting->run, "%s outlived the recording", who.bytes);
    fth_sink_close_memory(&who);
}

static void find_processes(struct fth_verdict *verdict, uint32_t number)
{
    const struct fth_run *run = &verdict->runs->runs[number];
    struct reporting reporting = {verdict, number, 0};
    for (size_t i = 0; i < fth_trace_process_count(run->trace); i++)
        report_process(&reporting, run->first_proc + (uint32_t)i);
    if (reporting.count > MOST_PROCESSES)
        say(verdict, number, "calls of %zu more processes", reporting.count - MOST_PROCESSES);
}

/* ---- processes that left nothing ---- */

static bool has_accesses_hidden(const struct fth_verdict *verdict, uint32_t run)
{
    for (size_t i = 0; i < verdict->unseen_count; i++)
        if (verdict->unseen[i].run == run && !verdict->unseen[i].of_library_only)
            return true;
    return false;
}

/* A child that made no call of a function that is recorded may have made system calls by itself.
 * Programs that were not seen are children without calls, too: where a blind spot reports them,
 * that is enough. */
static void find_silent(struct fth_verdict *verdict, const struct fth_run_accesses *accesses)
{
    const struct fth_runs *runs = verdict->runs;
    struct fth_intern pids = {0};
    for (uint32_t proc = 0; proc < runs->process_count; proc++) {
        int64_t key[2] = {runs->run_of_proc[proc], fth_runs_process(runs, proc)->pid};
        fth_intern(&pids, key, sizeof key);
    }
    size_t before = verdict->unseen_count;
    bool *hides = fth_new(runs->count + 1, sizeof *hides);
    for (uint32_t run = 0; run < runs->count; run++)
        hides[run] = has_accesses_hidden(verdict, run);
    for (size_t i = 0; i < accesses->birth_count && verdict->unseen_count - before < MOST_PROCESSES;
         i++) {
        const struct fth_birth *birth = &accesses->births[i];
        uint32_t run = runs->run_of_proc[birth->proc];
        int64_t key[2] = {run, birth->pid};
        if (hides[run] || fth_runs_process(runs, birth->proc)->launcher ||
            fth_interned_before(&pids, key, sizeof key))
            continue;
        struct fth_sink who;
        fth_sink_open_memory(&who);
        fth_runs_put_process(&who, runs, birth->proc);
        fth_sink_char(&who, 0);
        say(verdict, run, "pid %" PRId64 ", a child of %s, made no recorded call", birth->pid,
            who.bytes);
        fth_sink_close_memory(&who);
    }
    free(hides);
    fth_intern_free(&pids);
}

/* ---- what processes have in common ---- */

/* One sentence for each process, of the first call. */
static void find_sharings(struct fth_verdict *verdict, const struct fth_run_accesses *accesses)
{
    const struct fth_runs *runs = verdict->runs;
    struct fth_intern named = {0};
    for (size_t i = 0; i < accesses->sharing_count; i++) {
        const struct fth_shared_table *sharing = &accesses->sharings[i];
        struct fth_sink who;
        if (fth_intern(&named, &sharing->proc, sizeof sharing->proc) + 1 < named.count ||
            named.count > MOST_PROCESSES)
            continue;
        fth_sink_open_memory(&who);
        fth_runs_put_process(&who, runs, sharing->proc);
        fth_sink_char(&who, 0);
        say(verdict, runs->run_of_proc[sharing->proc], "for which files the %s of %s stand: %s",
            sharing->descriptors ? "descriptors" : "names", who.bytes,
            sharing->mounts  ? "it has mounted something, or has another root (mount, open_tree, "
                               "fsmount, chroot, pivot_root, setns)"
            : sharing->child ? "a child has them in common with it (clone)"
                             : "threads have them for themselves (unshare)");
        fth_sink_close_memory(&who);
    }
    fth_intern_free(&named);
}

static void find_changed_links(struct fth_verdict *verdict, const struct fth_run_accesses *accesses)
{
    for (size_t i = 0; i < accesses->changed_link_count && i < MOST_PROCESSES; i++)
        say(verdict, accesses->changed_links[i].run,
            "which files have the names behind the link %s, which was changed in the run",
            accesses->changed_links[i].path);
}

/* ---- places of one file system ---- */

/* A key for what may be one file: file systems of one source, and one name in them. */
static uint32_t key_of(struct fth_intern *keys, const struct fth_file_system *system,
                       const char *path)
{
    char *text;
    if (asprintf(&text, "%s %s %s %s", system->host ? system->host : "", system->type,
                 system->source ? system->source : "", strrchr(path, '/')) < 0)
        fth_out_of_memory();
    uint32_t key = fth_intern(keys, text, strlen(text));
    free(text);
    return key;
}

/* A folder, or a file, is at two places where one of them is mounted at the other (bind). That is
 * not in a trace: only that file systems of one source are mounted at several places. */
static void find_places(struct fth_verdict *verdict, const struct fth_run_accesses *accesses)
{
    const struct fth_runs *runs = verdict->runs;
    struct fth_intern keys = {0};
    const char **first = fth_new(accesses->opening_count + 1, sizeof *first);
    for (size_t i = 0; i < accesses->opening_count; i++) {
        const struct fth_opening *opening = &accesses->openings[i];
        const struct fth_run *run = fth_runs_of(runs, opening->proc);
        size_t length;
        const char *path = fth_run_accesses_name(accesses, opening->name, &length);
        struct fth_file file;
        path = strchr(path, '/');
        if (!path || !fth_trace_file(run->trace, opening->proc - run->first_proc, path, &file) ||
            !file.system->mount || !file.system->type)
            continue;
        uint32_t key = key_of(&keys, file.system, path);
        bool is_place = strcmp(file.system->mount, path) == 0 && !opening->reads_only;
        if (!first[key])
            first[key] = file.system->mount;
        if (!is_place && strcmp(first[key], file.system->mount) == 0)
            continue;
        say(verdict, runs->run_of_proc[opening->proc],
            "whether %s is another file by another name: its file system is mounted at several "
            "places",
            path);
        break;
    }
    free(first);
    fth_intern_free(&keys);
}

/* ---- filters ---- */

/* Is this layer among those that were asked for (patterns, as `record --layers` takes them)? Not
 * knowing patterns apart is harmless: they are taken to leave it out. */
static bool lists(const json_t *layers, const char *layer)
{
    const char *text = json_string_value(layers);
    size_t i;
    json_t *item;
    json_array_foreach(layers, i, item)
    {
        if (json_is_string(item) && strcmp(json_string_value(item), layer) == 0)
            return true;
    }
    for (size_t length = strlen(layer); text && *text; text += strcspn(text, ",")) {
        text += strspn(text, ",");
        if (strncmp(text, layer, length) == 0 && (!text[length] || text[length] == ','))
            return true;
    }
    return false;
}

static void find_filters(struct fth_verdict *verdict, uint32_t number)
{
    const unsigned needed = FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS | FTH_LAYER_PROCESSES;
    const struct fth_trace_info *info = fth_trace_info(verdict->runs->runs[number].trace);
    json_t *meta = info->meta_json ? json_loads(info->meta_json, 0, NULL) : NULL;
    const json_t *layers = json_object_get(meta, "layers");
    if (json_is_true(json_object_get(meta, "attached")))
        say(verdict, number, "calls of the programs before `fathom attach`");
    for (size_t i = 0; layers && i < fth_builtin_layer_count; i++)
        if (fth_builtin_layers[i].is & needed && !lists(layers, fth_builtin_layers[i].name))
            say(verdict, number, "calls of the layer %s: --layers left them out",
                fth_builtin_layers[i].name);
    const json_t *functions = json_object_get(meta, "functions");
    if (functions && !lists(functions, "*"))
        say(verdict, number, "calls of other functions: --functions left them out");
    if (info->excluded_calls && json_integer_value(json_object_get(meta, "min_bytes")))
        say(verdict, number, "smaller accesses: --min-bytes left them out");
    if (info->excluded_calls && json_integer_value(json_object_get(meta, "min_duration_ns")))
        say(verdict, number, "shorter calls: --min-duration left them out");
    json_decref(meta);
}

/* ---- means of order that cannot be followed ---- */

static void add_means(struct fth_verdict *verdict, const char *text, uint64_t pairs)
{
    for (size_t i = 0; i < verdict->means_count; i++)
        if (verdict->means[i].text == text) {
            if (pairs > verdict->means[i].pairs)
                verdict->means[i].pairs = pairs;
            return;
        }
    FTH_GROW(verdict->means, verdict->means_count);
    verdict->means[verdict->means_count++] = (struct fth_verdict_means){text, pairs};
}

/* Pairs of one model that the means may order. */
static uint64_t pairs_of(const struct fth_verdict_model *model, const char *text)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i < model->group_count; i++)
        if (model->groups[i].by_means && model->groups[i].why_unsure == text)
            pairs += model->groups[i].pairs;
    return pairs;
}

static int most_pairs_first(const void *a, const void *b)
{
    const struct fth_verdict_means *one = a, *other = b;
    if (one->pairs != other->pairs)
        return one->pairs > other->pairs ? -1 : 1;
    return strcmp(one->text, other->text);
}

static void find_means(struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        for (size_t k = 0; k < model->group_count; k++)
            if (model->groups[k].by_means)
                add_means(verdict, model->groups[k].why_unsure,
                          pairs_of(model, model->groups[k].why_unsure));
    }
    if (verdict->means_count)
        qsort(verdict->means, verdict->means_count, sizeof *verdict->means, most_pairs_first);
}

/* ---- the whole ---- */

static bool compares_only(const struct fth_consistency *model, const char *layer)
{
    for (size_t i = 0; i < model->layer_count; i++)
        if (strcmp(model->layers[i], layer) != 0)
            return false;
    return true;
}

void fth_unseen_find(struct fth_verdict *verdict, const struct fth_unseen_files *files,
                     const char *library)
{
    for (uint32_t run = 0; run < verdict->runs->count; run++) {
        find_blind_spots(verdict, run, files);
        find_processes(verdict, run);
        find_filters(verdict, run);
    }
    find_silent(verdict, files->accesses);
    find_sharings(verdict, files->accesses);
    find_changed_links(verdict, files->accesses);
    find_places(verdict, files->accesses);
    for (size_t i = 0; i < verdict->model_count; i++) {
        struct fth_verdict_model *model = &verdict->models[i];
        bool of_library = compares_only(model->model, library);
        for (size_t k = 0; k < verdict->unseen_count; k++)
            model->partly_seen |= verdict->unseen[k].of_library_only ? of_library
                                  : verdict->unseen[k].below_library ? !of_library
                                                                     : true;
    }
    find_means(verdict);
}

void fth_unseen_free(struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->unseen_count; i++)
        free(verdict->unseen[i].text);
    free(verdict->unseen);
    free(verdict->means);
}
