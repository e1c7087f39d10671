/* The selection of processes and calls. */
#include "analysis/select/select.h"

#include "trace/record/spill.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fth_analysis_selection_init(struct fth_selection *selection)
{
    *selection = (struct fth_selection){.from = INT64_MIN, .to = INT64_MAX};
}

void fth_analysis_selection_free(struct fth_selection *selection)
{
    free(selection->procs.items);
    free(selection->ranks.items);
    free(selection->layers.items);
    free(selection->functions.items);
    free(selection->files.items);
    fth_expression_free(selection->where);
    fth_analysis_selection_init(selection);
}

/* Lists hold what a person typed: growing them one by one is fine. */
bool fth_analysis_add_integers(struct fth_integers *list, int64_t first, int64_t last)
{
    struct fth_integer_range *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    list->items[list->count++] = (struct fth_integer_range){first, last};
    return true;
}

bool fth_analysis_add_word(struct fth_words *list, const char *word)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    list->items[list->count++] = word;
    return true;
}

static bool has_integer(const struct fth_integers *list, int64_t value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].first <= value && value <= list->items[i].last)
            return true;
    return false;
}

static bool has_word(const struct fth_words *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], word))
            return true;
    return false;
}

static int check_ranks(const struct fth_integers *ranks, const struct fth_trace *trace,
                       struct fth_error **error)
{
    size_t count = fth_trace_process_count(trace);
    int64_t last = FTH_NO_RANK;
    for (size_t proc = 0; proc < count; proc++)
        if (fth_trace_process(trace, proc)->rank > last)
            last = fth_trace_process(trace, proc)->rank;
    for (size_t i = 0; i < 2 * ranks->count; i++) {
        int64_t rank = i % 2 ? ranks->items[i / 2].last : ranks->items[i / 2].first;
        bool found = false;
        for (size_t proc = 0; proc < count && !found; proc++)
            found = rank >= 0 && fth_trace_process(trace, proc)->rank == rank;
        if (!found && last < 0)
            return fth_fail(error,
                            "there is no rank %" PRId64 ": nothing in this run was an MPI process; "
                            "choose processes with --proc",
                            rank);
        if (!found)
            return fth_fail(error, "there is no rank %" PRId64 "; the ranks are 0 to %" PRId64,
                            rank, last);
    }
    return 0;
}

static int check_layers(const struct fth_words *layers, const struct fth_trace *trace,
                        struct fth_error **error)
{
    struct fth_words known = {0};
    size_t count = fth_trace_function_count(trace);
    for (size_t i = 0; i < count; i++) {
        const char *layer = fth_trace_function(trace, i)->layer;
        if (!has_word(&known, layer) && !fth_analysis_add_word(&known, layer))
            break;
    }
    int result = 0;
    for (size_t i = 0; i < layers->count && !result; i++) {
        if (has_word(&known, layers->items[i]))
            continue;
        char names[256] = "";
        for (size_t j = 0, used = 0; j < known.count && used < sizeof names; j++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", j ? ", " : "",
                                     known.items[j]);
        result = fth_fail(error, "this run made no calls of a layer '%s'; its layers are: %s",
                          layers->items[i], names);
    }
    free(known.items);
    return result;
}

int fth_analysis_check_selection(const struct fth_selection *selection,
                                 const struct fth_trace *trace, struct fth_error **error)
{
    size_t count = fth_trace_process_count(trace);
    for (size_t i = 0; i < selection->procs.count; i++) {
        int64_t proc = selection->procs.items[i].last;
        if (proc < 0 || (uint64_t)proc >= count)
            return fth_fail(error,
                            "there is no process %" PRId64 "; there are %zu, counted from 0 "
                            "(`fathom info` lists them)",
                            proc, count);
    }
    if (selection->from > selection->to)
        return fth_fail(error, "--from %.9g s is later than --to %.9g s: no call runs in between",
                        (double)selection->from / 1e9, (double)selection->to / 1e9);
    if (check_ranks(&selection->ranks, trace, error))
        return -1;
    if (check_layers(&selection->layers, trace, error))
        return -1;
    if (selection->where && fth_expression_check(selection->where, trace, error))
        return fth_fail_in(error, "--where");
    return 0;
}

bool fth_analysis_selects_process(const struct fth_selection *selection,
                                  const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    if (selection->ranks.count && !has_integer(&selection->ranks, process->rank))
        return false;
    const struct fth_known_of_calls known = {.trace = trace, .proc = proc};
    if (selection->where && !fth_expression_may_hold(selection->where, &known))
        return false;
    if (selection->procs.count)
        return has_integer(&selection->procs, (int64_t)proc);
    return selection->launchers || !process->launcher;
}

bool fth_analysis_goes_on(const struct fth_selection *selection, const struct fth_trace *trace,
                          size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    if (process->parent_proc < 0)
        return false;
    const struct fth_process *before = fth_trace_process(trace, (size_t)process->parent_proc);
    return before->pid == process->pid && strcmp(before->host, process->host) == 0 &&
           strcmp(before->how_ended, "exec") == 0 &&
           fth_analysis_selects_process(selection, trace, (size_t)process->parent_proc);
}

struct fth_launchers fth_analysis_launchers(const struct fth_selection *selection,
                                            const struct fth_trace *trace)
{
    struct fth_launchers launchers = {0};
    size_t count = fth_trace_process_count(trace);
    if (selection->launchers || selection->procs.count || selection->ranks.count)
        return launchers;
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        launchers.processes += process->launcher;
        launchers.calls += process->launcher ? process->calls : 0;
    }
    return launchers;
}

/* Who missed calls first says why. */
static void add_missing(struct fth_missing *sum, const struct fth_missing *more)
{
    bool first = !sum->processes || (more->since != FTH_NO_TIME && more->since < sum->since);
    if (first && more->processes) {
        sum->since = more->since;
        sum->error = more->error;
    }
    sum->processes += more->processes;
    sum->calls += more->calls;
    sum->uncounted |= more->uncounted;
}

static void add_programs(struct fth_incomplete *incomplete, const struct fth_trace_info *info)
{
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        if (info->unseen[i].kind != FTH_UNSEEN_PROGRAM)
            continue;
        if (!incomplete->programs++)
            incomplete->program = info->unseen[i].sentence;
    }
}

struct fth_selected_span fth_analysis_selected_span(const struct fth_selection *selection,
                                                    const struct fth_trace *trace)
{
    struct fth_selected_span span = {INT64_MAX, INT64_MIN};
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        if (!fth_analysis_selects_process(selection, trace, proc))
            continue;
        span.begin = process->start < span.begin ? process->start : span.begin;
        span.end = process->end > span.end ? process->end : span.end;
    }
    return span.end >= span.begin ? span : (struct fth_selected_span){0, 0};
}

int64_t fth_analysis_kept_until(const struct fth_process *process)
{
    const struct fth_missing *missing = &process->missing;
    bool stopped =
        missing->processes && missing->since != FTH_NO_TIME && missing->error != FTH_ONLY_WATCHED;
    int64_t until = stopped && missing->since < process->end ? missing->since : process->end;
    if (process->summed && !process->only_watched && process->summed_since < until)
        until = process->summed_since;
    return until > process->start ? until : process->start;
}

bool fth_analysis_is_watched(const struct fth_trace *trace, size_t proc)
{
    size_t count;
    const struct fth_phase *phases = fth_trace_phases(trace, proc, &count);
    for (size_t i = 0; i < count; i++)
        if (!phases[i].recorded)
            return true;
    return false;
}

bool fth_analysis_are_watched(const struct fth_selection *selection, const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (fth_analysis_selects_process(selection, trace, proc) &&
            fth_analysis_is_watched(trace, proc))
            return true;
    return false;
}

struct fth_incomplete fth_analysis_incomplete(const struct fth_selection *selection,
                                              const struct fth_trace *trace)
{
    struct fth_incomplete incomplete = {0};
    size_t count = fth_trace_process_count(trace);
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        if (!fth_analysis_selects_process(selection, trace, proc))
            continue;
        incomplete.kept += process->calls;
        incomplete.lost += process->lost - process->missing.calls;
        add_missing(&incomplete.unkept, &process->missing);
        const struct fth_missing summed = {.processes = process->summed != 0,
                                           .calls = process->summed,
                                           .error = process->only_watched ? FTH_ONLY_WATCHED : 0,
                                           .since = process->summed_since};
        add_missing(&incomplete.summed, &summed);
    }
    if (!selection->procs.count && !selection->ranks.count) {
        incomplete.unrecorded = fth_trace_info(trace)->unrecorded;
        add_programs(&incomplete, fth_trace_info(trace));
    }
    return incomplete;
}

/* A pattern without a slash is about the last part of a path, as in .gitignore. */
static bool matches_file(const struct fth_words *patterns, const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    for (size_t i = 0; path && i < patterns->count; i++) {
        const char *pattern = patterns->items[i];
        bool whole = strchr(pattern, '/') || !slash;
        if (!fnmatch(pattern, whole ? path : slash + 1, 0))
            return true;
    }
    return false;
}

bool fth_analysis_selects_file(const struct fth_selection *selection, const char *path)
{
    return !selection->files.count || matches_file(&selection->files, path);
}

bool fth_analysis_selects_function(const struct fth_selection *selection,
                                   const struct fth_function *function)
{
    const struct fth_words *patterns = &selection->functions;
    if (selection->layers.count && !has_word(&selection->layers, function->layer))
        return false;
    for (size_t i = 0; i < patterns->count; i++)
        if (!fnmatch(patterns->items[i], function->name, 0))
            return true;
    return !patterns->count;
}

bool fth_analysis_selects_handle(const struct fth_selection *selection,
                                 const struct fth_handle *handle)
{
    if (selection->layers.count && !has_word(&selection->layers, handle->layer))
        return false;
    return fth_analysis_selects_file(selection, handle->path);
}

bool fth_analysis_selects_call(const struct fth_selection *selection,
                               const struct fth_subject *subject)
{
    const struct fth_call *call = subject->call;
    if (call->end < selection->from || call->start > selection->to)
        return false;
    if (call->end - call->start < selection->min_duration)
        return false;
    if (selection->min_bytes &&
        (!(call->reads || call->writes) || call->bytes < selection->min_bytes))
        return false;
    if (!fth_analysis_selects_function(selection, call->function) ||
        (!fth_analysis_selects_file(selection, call->file) &&
         !fth_analysis_selects_file(selection, call->other_file)))
        return false;
    return !selection->where || fth_expression_holds(selection->where, subject);
}
