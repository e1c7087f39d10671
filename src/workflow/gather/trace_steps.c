/* Processes become steps, and what they did becomes what the steps did. */
#include "workflow/gather/trace_steps.h"

#include "analysis/passes/passes.h"
#include "analysis/survey/call_walk.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "views/sentences/meta.h"
#include "workflow/gather/drivers.h"
#include "workflow/gather/file_uses.h"
#include "workflow/gather/step_uses.h"

#include <jansson.h>
#include <string.h>

/* ---- processes and their steps ---- */

static char *command_of(const struct fth_process *process)
{
    size_t length = 1;
    for (size_t i = 0; i < process->argument_count; i++)
        length += strlen(process->arguments[i]) + 1;
    char *text = fth_new(length, 1), *end = text;
    for (size_t i = 0; i < process->argument_count; i++) {
        if (i)
            *end++ = ' ';
        end = stpcpy(end, process->arguments[i]);
    }
    return text;
}

static uint32_t new_step(struct fth_gathered_trace *gathering, uint32_t proc, uint32_t script)
{
    const struct fth_process *process = fth_trace_process(gathering->trace, proc);
    struct fth_workflow_step *step = fth_workflow_add_step(gathering->workflow);
    step->program = fth_text_copy(fth_workflow_program(process));
    step->command = command_of(process);
    step->directory = fth_text_copy(process->directory);
    step->host = fth_text_copy(process->host);
    step->ended = fth_text_copy("");
    step->trace = fth_text_copy(gathering->path);
    step->job = gathering->job ? fth_text_copy(gathering->job) : NULL;
    step->proc = proc;
    step->script = script;
    step->is_script = fth_workflow_is_driver(process);
    step->start = INT64_MAX;
    step->end = INT64_MIN;
    return gathering->workflow->step_count - 1;
}

/* Ranks that another node started are of the step whose ranks have the same world. */
static uint32_t owner_by_world(const struct fth_gathered_trace *gathering, uint32_t proc)
{
    const struct fth_process *process = fth_trace_process(gathering->trace, proc);
    for (uint32_t i = 0; i < proc && process->world != FTH_NO_WORLD; i++)
        if (fth_trace_process(gathering->trace, i)->world == process->world)
            return gathering->owners[i];
    return FTH_NO_STEP;
}

/* A shell forks itself for each command: the image before the exec opens its files. */
static void find_images(struct fth_gathered_trace *gathering)
{
    size_t count = fth_trace_process_count(gathering->trace);
    uint32_t *children = fth_new(count + 1, sizeof *children);
    gathering->became = fth_new(count + 1, sizeof *gathering->became);
    for (uint32_t i = 1; i < count; i++) {
        const struct fth_process *process = fth_trace_process(gathering->trace, i);
        if (process->parent_proc < 0 || process->parent_proc >= i)
            continue;
        size_t parent = (size_t)process->parent_proc;
        children[parent]++;
        if (process->pid == fth_trace_process(gathering->trace, parent)->pid)
            gathering->became[parent] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        if (children[i] > 1)
            gathering->became[i] = 0;
    free(children);
}

static uint32_t owner_of(struct fth_gathered_trace *gathering, uint32_t proc)
{
    const struct fth_process *process = fth_trace_process(gathering->trace, proc);
    bool has_parent = process->parent_proc >= 0 && process->parent_proc < (int64_t)proc;
    uint32_t parent = has_parent ? gathering->owners[process->parent_proc] : FTH_NO_STEP;
    uint32_t alike = has_parent ? FTH_NO_STEP : owner_by_world(gathering, proc);
    if (alike != FTH_NO_STEP)
        return alike;
    if (parent == FTH_NO_STEP || !gathering->workflow->steps[parent].is_script)
        return parent != FTH_NO_STEP ? parent : new_step(gathering, proc, FTH_NO_STEP);
    uint32_t became = proc;
    while (gathering->became[became])
        became = gathering->became[became];
    process = fth_trace_process(gathering->trace, became);
    return fth_workflow_is_driver(process) ? parent : new_step(gathering, became, parent);
}

/* A killed process has ended when somebody knew of it, which is behind its last call. */
static int64_t end_of(const struct fth_process *process)
{
    bool reaped = process->reaped != FTH_NO_TIME && process->reaped > process->end;
    return reaped ? process->reaped : process->end;
}

/* How its first process ended; of images that followed each other by exec the last one. */
static void add_process(struct fth_workflow_step *step, const struct fth_process *process,
                        int64_t epoch)
{
    int64_t start = fth_saturating_sum(epoch, process->start),
            end = fth_saturating_sum(epoch, end_of(process));
    if (start < step->start)
        step->start = start;
    if (end >= step->end) {
        step->end = end;
        free(step->ended);
        step->ended = fth_text_copy(process->how_ended);
    }
    step->processes += strcmp(process->how_ended, "exec") != 0;
    step->ranks += process->rank != FTH_NO_RANK;
    step->calls += process->calls;
}

/* When the process began to be of its step: with the call that started it, before its program is
 * loaded and the recorder sees anything of it; with the exec, where the image before it did other
 * work of the script. FTH_NEVER: that is not known, or it was of that step before. */
static int64_t began(const struct fth_gathered_trace *gathering, uint32_t proc)
{
    struct fth_trace *trace = gathering->trace;
    if (!fth_process_took_place(trace, proc))
        return gathering->workflow->processes[gathering->processes[proc]].started;
    uint32_t before = (uint32_t)fth_trace_process(trace, proc)->parent_proc;
    return gathering->owners[before] == gathering->owners[proc]
               ? FTH_NEVER
               : fth_saturating_sum(gathering->epoch, fth_trace_process(trace, before)->end);
}

static void begin_where_started(const struct fth_gathered_trace *gathering)
{
    for (uint32_t proc = 0; proc < fth_trace_process_count(gathering->trace); proc++) {
        struct fth_workflow_step *step = &gathering->workflow->steps[gathering->owners[proc]];
        int64_t time = began(gathering, proc);
        if (step->script != FTH_NO_STEP && time != FTH_NEVER && time < step->start)
            step->start = time;
    }
}

/* Was it killed, and nobody recorded when that was known? */
static bool end_is_unknown(const struct fth_process *process)
{
    return process->cut_off && process->reaped == FTH_NO_TIME;
}

static void note_unknown_end(const struct fth_gathered_trace *gathering, uint32_t owner,
                             const struct fth_process *process)
{
    const struct fth_workflow_step *step = &gathering->workflow->steps[owner];
    if (!step->is_script)
        fth_workflow_note(
            gathering->workflow,
            "when step %u ('%.60s') ended (%s): it is taken to be the end of its last "
            "recorded call",
            owner, step->command, process->how_ended);
}

static void find_steps(struct fth_gathered_trace *gathering)
{
    struct fth_workflow *workflow = gathering->workflow;
    size_t count = fth_trace_process_count(gathering->trace);
    gathering->first = workflow->step_count;
    gathering->owners = fth_new(count + 1, sizeof *gathering->owners);
    find_images(gathering);
    for (uint32_t proc = 0; proc < count; proc++) {
        uint32_t owner = owner_of(gathering, proc);
        gathering->owners[proc] = owner;
        add_process(&workflow->steps[owner], fth_trace_process(gathering->trace, proc),
                    gathering->epoch);
        if (end_is_unknown(fth_trace_process(gathering->trace, proc)))
            note_unknown_end(gathering, owner, fth_trace_process(gathering->trace, proc));
    }
    bool *has_steps = fth_new(workflow->step_count + 1, sizeof *has_steps);
    for (uint32_t i = gathering->first; i < workflow->step_count; i++)
        if (workflow->steps[i].script != FTH_NO_STEP)
            has_steps[workflow->steps[i].script] = true;
    for (uint32_t i = gathering->first; i < workflow->step_count; i++)
        workflow->steps[i].is_script &= has_steps[i];
    free(has_steps);
}

/* ---- what is known of the run ---- */

static void look_at_run(struct fth_gathered_trace *gathering)
{
    const struct fth_trace_info *info = fth_trace_info(gathering->trace);
    struct fth_workflow *workflow = gathering->workflow;
    json_t *meta = info->meta_json ? json_loads(info->meta_json, 0, NULL) : NULL;
    json_int_t processors = json_integer_value(json_object_get(meta, "cpus"));
    if (processors > 0 && processors <= UINT32_MAX && processors > workflow->processors)
        workflow->processors = (uint32_t)processors;
    json_decref(meta);
    gathering->epoch = info->start_realtime;
    gathering->job = fth_views_job(info);
}

static void note_what_is_missing(struct fth_gathered_trace *gathering,
                                 const struct fth_selection *selection)
{
    const struct fth_trace_info *info = fth_trace_info(gathering->trace);
    const struct fth_incomplete incomplete = fth_analysis_incomplete(selection, gathering->trace);
    size_t unseen = 0;
    for (size_t i = 0; i < info->blind_spot_count; i++)
        unseen += fth_unseen_accesses_files(info->unseen[i].kind);
    if (!unseen && !fth_analysis_is_stopped(&incomplete) && !incomplete.lost)
        return;
    gathering->workflow->incomplete = true;
    fth_workflow_note(gathering->workflow,
                      "calls are missing in %s (`fathom info` says which): files may have users "
                      "that are not shown",
                      gathering->path);
}

uint32_t *fth_workflow_steps_of(struct fth_trace *trace, size_t *count)
{
    struct fth_workflow workflow = {0};
    struct fth_gathered_trace gathering = {.workflow = &workflow, .trace = trace, .path = ""};
    find_steps(&gathering);
    *count = 0;
    for (uint32_t i = 0; i < workflow.step_count; i++)
        *count += !workflow.steps[i].is_script;
    fth_workflow_free(&workflow);
    free(gathering.became);
    return gathering.owners;
}

bool *fth_workflow_processes_of(const struct fth_trace *trace, const uint32_t *owners,
                                const struct fth_workflow_step *step)
{
    size_t count = fth_trace_process_count(trace);
    int64_t epoch = fth_trace_info(trace)->start_realtime, end = INT64_MIN;
    if (step->proc >= count ||
        strcmp(fth_workflow_program(fth_trace_process(trace, step->proc)), step->program) != 0)
        return NULL;
    bool *is_its = fth_new(count + 1, sizeof *is_its);
    for (size_t i = 0; i < count; i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        is_its[i] = owners[i] == owners[step->proc];
        if (is_its[i] && end_of(process) > end)
            end = end_of(process);
    }
    if (fth_saturating_sum(epoch, end) == step->end)
        return is_its;
    free(is_its);
    return NULL;
}

int fth_workflow_add_trace(struct fth_workflow *workflow, struct fth_trace *trace, const char *path,
                           unsigned threads, struct fth_error **error)
{
    static const struct fth_pass *const passes[] = {&fth_pass_spent, &fth_pass_file_uses};
    const struct fth_workflow before = *workflow;
    struct fth_gathered_trace gathering = {.workflow = workflow, .trace = trace, .path = path};
    struct fth_process_starts tree = {.trace = trace};
    const struct fth_listener listener = fth_process_starts_listener(&tree);
    bool is_tree = fth_trace_process_count(trace) > 1;
    struct fth_results results = {0};
    struct fth_thresholds thresholds;
    struct fth_selection all;
    struct fth_progress progress;
    fth_thresholds_init(&thresholds);
    fth_analysis_selection_init(&all);
    look_at_run(&gathering);
    find_steps(&gathering);
    if (is_tree)
        fth_pipe_holders_begin(&tree.holders, trace);
    fth_progress_begin(&progress, "reading calls", fth_analysis_walk_length(trace, &all));
    bool done = fth_analysis_survey(trace, &all, &thresholds, passes, 2, is_tree ? &listener : NULL,
                                    threads, &progress, &results, error);
    fth_progress_end(&progress);
    done = done && fth_pipe_holders_settle(&tree.holders, error);
    if (done) {
        gathering.processes =
            fth_new(fth_trace_process_count(trace) + 1, sizeof *gathering.processes);
        fth_process_starts_add(&tree, workflow, gathering.processes, gathering.epoch);
        begin_where_started(&gathering);
        fth_step_uses_add(&gathering, &results, &tree);
        fth_pipe_holders_add(&tree.holders, trace, workflow, gathering.owners, gathering.processes,
                             gathering.epoch);
        note_what_is_missing(&gathering, &all);
    }
    if (!done)
        fth_workflow_cut(workflow, &before);
    fth_results_free(&results);
    fth_analysis_selection_free(&all);
    free(gathering.owners);
    free(gathering.became);
    free(gathering.processes);
    free(gathering.job);
    fth_process_starts_free(&tree);
    return done ? 0 : -1;
}
