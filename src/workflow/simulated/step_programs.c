/* A program for each step whose trace is there and whole. Files of the system stay where they are;
 * all others are those of the cluster, one for each content that steps hand on. */
#include "workflow/simulated/step_programs.h"

#include "analysis/select/noise.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "sim/replay/replay.h"
#include "workflow/gather/trace_steps.h"

#include <fathom/files.h>
#include <string.h>

struct use_key {
    uint32_t step, file;
};

/* What a step reads or writes first of a file is what it is for the step. */
static void note_contents(struct fth_step_programs *programs)
{
    const struct fth_workflow *workflow = programs->graph->workflow;
    programs->contents.size = sizeof(uint32_t);
    for (uint32_t i = 0; i < workflow->use_count; i++) {
        const struct fth_workflow_moved *moved = &programs->graph->moved[i];
        uint32_t content = moved->written != FTH_NO_STEP ? moved->written : moved->read;
        const struct use_key key = {workflow->uses[i].step, workflow->uses[i].file};
        if (content == FTH_NO_STEP)
            continue;
        uint32_t *place = fth_keyed_get(&programs->contents, &key, sizeof key);
        *place = *place ? *place : content + 1;
    }
}

void fth_step_programs_begin(struct fth_step_programs *programs,
                             const struct fth_workflow_graph *graph)
{
    *programs = (struct fth_step_programs){.graph = graph};
    programs->trace_numbers.size = sizeof(struct fth_step_trace);
    programs->list = fth_new((size_t)graph->workflow->step_count + 1, sizeof *programs->list);
    note_contents(programs);
}

/* ---- traces ---- */

static const struct fth_step_trace *trace_of(struct fth_step_programs *programs, const char *path)
{
    struct fth_step_trace *found = fth_keyed_get(&programs->trace_numbers, path, strlen(path) + 1);
    struct fth_error *error = NULL;
    size_t count;
    if (found->trace || found->why)
        return found;
    if (!fth_sim_is_trace(path)) {
        found->why = fth_text_format("its trace '%s' is not here", path);
        return found;
    }
    found->trace = fth_trace_open(path, &error);
    if (found->trace)
        found->owners = fth_workflow_steps_of(found->trace, &count);
    else
        found->why = fth_text_copy(fth_error_text(error));
    fth_error_free(error);
    return found;
}

/* ---- files ---- */

/* Of a path as the step has it: its number in the workflow. */
static bool find_file(const struct fth_step_programs *programs, const struct fth_trace *trace,
                      const struct fth_workflow_step *step, const char *path, uint32_t *number)
{
    struct fth_file place;
    bool local =
        fth_trace_file(trace, step->proc, path, &place) && place.system->scope == FTH_SCOPE_NODE;
    char *name = local ? fth_text_format("%s:%s", step->host, path) : fth_text_copy(path);
    bool found = fth_workflow_find_file(programs->graph->workflow, name, number);
    free(name);
    return found;
}

static void number_file(struct fth_step_programs *programs, const struct fth_trace *trace,
                        uint32_t step_number, uint32_t file)
{
    struct fth_step_program *step = &programs->list[step_number];
    const struct fth_workflow_graph *graph = programs->graph;
    const char *path = step->program->files[file].name;
    struct use_key key = {.step = step_number};
    uint32_t place;
    bool used = find_file(programs, trace, &graph->workflow->steps[step_number], path, &key.file) &&
                fth_keyed_number(&programs->contents, &key, sizeof key, &place);
    uint32_t content = used ? *(const uint32_t *)fth_keyed_item(&programs->contents, place) : 0;
    char *name = content ? fth_text_format("%u", content)
                         : fth_text_format("%s:%s", graph->workflow->steps[step_number].host, path);
    step->files[file] = fth_intern(&programs->files, name, strlen(name));
    step->passing[file] = content && fth_workflow_is_passing(&graph->contents[content - 1]);
    free(name);
}

/* ---- programs ---- */

/* Why a part of the step is not in its trace; NULL: it is. */
static char *what_lacks(const struct fth_sim_program *program)
{
    const char *how;
    if (fth_sim_replay_cut_off(program, &how))
        return fth_text_format("its recording was cut off (%s)", how);
    return fth_sim_replay_watched(program)
               ? fth_text_copy("it was only watched in some phases (--select)")
               : NULL;
}

static bool stays(const char *path)
{
    return *path != '/' || fth_analysis_is_noise(path, true);
}

static void set_span(const struct fth_step_trace *trace, const struct fth_workflow_step *step,
                     struct fth_step_program *into)
{
    int64_t start, end, epoch = fth_trace_info(trace->trace)->start_realtime;
    fth_sim_replay_span(into->program, &start, &end);
    into->lead = fth_saturating_sum(epoch, start) - step->start;
    into->tail = step->end - fth_saturating_sum(epoch, end);
    into->lead = into->lead > 0 ? into->lead : 0;
    into->tail = into->tail > 0 ? into->tail : 0;
}

/* Two programs that talk through two pipes wait for each other all the time. */
static bool talks_back(const struct fth_workflow_graph *graph, const struct fth_workflow_edge *edge)
{
    for (uint32_t i = graph->first_edge[edge->from]; i < graph->first_edge[edge->from + 1]; i++)
        if (graph->edges[i].from == edge->to &&
            fth_workflow_edge_has(graph, &graph->edges[i], true))
            return true;
    return false;
}

bool fth_step_edge_is_pipe(const struct fth_workflow_graph *graph,
                           const struct fth_workflow_edge *edge)
{
    const struct fth_workflow_step *from = &graph->workflow->steps[edge->from],
                                   *to = &graph->workflow->steps[edge->to];
    return fth_workflow_edge_has(graph, edge, true) && edge->streams &&
           fth_workflow_ends_behind(to, from) && !talks_back(graph, edge);
}

/* Does it read, while it runs, what other steps write to pipes? Then what it waits for them is no
 * time of its own. Not if it also reads what a script writes, which is not simulated, or something
 * else that does not end with its writer; or if some end of a pipe is not known. */
static bool streams(const struct fth_step_programs *programs, uint32_t number)
{
    const struct fth_workflow_graph *graph = programs->graph;
    bool found = false;
    for (uint32_t i = graph->first_edge[number]; i < graph->first_edge[number + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        if (!edge->streams || !fth_workflow_edge_has(graph, edge, true))
            continue;
        if (graph->workflow->steps[edge->from].is_script || !fth_step_edge_is_pipe(graph, edge))
            return false;
        found = true;
    }
    return found && !graph->workflow->incomplete;
}

static void open_step(struct fth_step_programs *programs, uint32_t number)
{
    const struct fth_workflow_step *step = &programs->graph->workflow->steps[number];
    const struct fth_step_trace *trace = trace_of(programs, step->trace);
    struct fth_step_program *into = &programs->list[number];
    struct fth_error *error = NULL;
    if (!trace->trace) {
        into->why = fth_text_copy(trace->why);
        return;
    }
    bool *procs = fth_workflow_processes_of(trace->trace, trace->owners, step);
    if (!procs) {
        into->why = fth_text_format("'%s' is the trace of something else", step->trace);
        return;
    }
    const struct fth_sim_replay_options options = {.trace = trace->trace,
                                                   .procs = procs,
                                                   .stays = stays,
                                                   .pipes_hold = streams(programs, number),
                                                   .starts_count = true};
    into->program = fth_sim_replay_open(step->trace, &options, &error);
    into->why = into->program ? what_lacks(into->program) : fth_text_copy(fth_error_text(error));
    free(procs);
    fth_error_free(error);
    if (into->why) {
        fth_sim_replay_free(into->program);
        into->program = NULL;
        return;
    }
    set_span(trace, step, into);
    into->files = fth_new((size_t)into->program->file_count + 1, sizeof *into->files);
    into->passing = fth_new((size_t)into->program->file_count + 1, sizeof *into->passing);
    for (uint32_t i = 0; i < into->program->file_count; i++)
        number_file(programs, trace->trace, number, i);
}

uint32_t fth_step_programs_open(struct fth_step_programs *programs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < programs->graph->workflow->step_count; i++) {
        if (programs->graph->workflow->steps[i].is_script)
            continue;
        open_step(programs, i);
        count += programs->list[i].program != NULL;
    }
    return count;
}

void fth_step_programs_close(struct fth_step_programs *programs)
{
    for (uint32_t i = 0; i < programs->graph->workflow->step_count; i++) {
        struct fth_step_program *step = &programs->list[i];
        if (step->program)
            fth_sim_replay_free(step->program);
        free(step->why);
        free(step->files);
        free(step->passing);
        *step = (struct fth_step_program){0};
    }
    fth_intern_free(&programs->files);
    programs->files = (struct fth_intern){0};
}

void fth_step_programs_free(struct fth_step_programs *programs)
{
    fth_step_programs_close(programs);
    for (uint32_t i = 0; i < fth_keyed_count(&programs->trace_numbers); i++) {
        struct fth_step_trace *trace = fth_keyed_item(&programs->trace_numbers, i);
        fth_trace_close(trace->trace);
        free(trace->owners);
        free(trace->why);
    }
    fth_keyed_free(&programs->trace_numbers);
    fth_keyed_free(&programs->contents);
    free(programs->list);
}
