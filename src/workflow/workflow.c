/* The parts of a workflow, as they are added. */
#include "workflow/workflow.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void free_step(struct fth_workflow_step *step)
{
    free(step->program);
    free(step->command);
    free(step->directory);
    free(step->host);
    free(step->job);
    free(step->ended);
    free(step->trace);
}

static void free_job(struct fth_workflow_job *job)
{
    free(job->number);
    free(job->name);
    free(job->state);
    free(job->needs);
}

void fth_workflow_free(struct fth_workflow *workflow)
{
    for (uint32_t i = 0; i < workflow->step_count; i++)
        free_step(&workflow->steps[i]);
    for (uint32_t i = 0; i < workflow->note_count; i++)
        free(workflow->notes[i]);
    for (uint32_t i = 0; i < workflow->job_count; i++)
        free_job(&workflow->jobs[i]);
    free(workflow->jobs);
    fth_keyed_free(&workflow->job_numbers);
    free(workflow->steps);
    free(workflow->uses);
    free(workflow->processes);
    free(workflow->changes);
    free(workflow->holds);
    free(workflow->notes);
    free(workflow->shared);
    fth_intern_free(&workflow->files);
    *workflow = (struct fth_workflow){0};
}

void fth_workflow_cut(struct fth_workflow *workflow, const struct fth_workflow *before)
{
    while (workflow->step_count > before->step_count)
        free_step(&workflow->steps[--workflow->step_count]);
    while (workflow->note_count > before->note_count)
        free(workflow->notes[--workflow->note_count]);
    workflow->use_count = before->use_count;
    workflow->change_count = before->change_count;
    workflow->hold_count = before->hold_count;
    workflow->process_count = before->process_count;
    workflow->processors = before->processors;
    workflow->incomplete = before->incomplete;
}

struct fth_workflow_step *fth_workflow_add_step(struct fth_workflow *workflow)
{
    FTH_GROW(workflow->steps, workflow->step_count);
    struct fth_workflow_step *step = &workflow->steps[workflow->step_count++];
    *step = (struct fth_workflow_step){.script = FTH_NO_STEP};
    return step;
}

void fth_workflow_add_use(struct fth_workflow *workflow, const struct fth_workflow_use *use)
{
    FTH_GROW(workflow->uses, workflow->use_count);
    workflow->uses[workflow->use_count++] = *use;
}

uint32_t fth_workflow_add_process(struct fth_workflow *workflow,
                                  const struct fth_workflow_process *process)
{
    FTH_GROW(workflow->processes, workflow->process_count);
    workflow->processes[workflow->process_count] = *process;
    return workflow->process_count++;
}

void fth_workflow_add_change(struct fth_workflow *workflow,
                             const struct fth_workflow_change *change)
{
    FTH_GROW(workflow->changes, workflow->change_count);
    workflow->changes[workflow->change_count++] = *change;
}

void fth_workflow_add_hold(struct fth_workflow *workflow, struct fth_workflow_hold hold)
{
    if (hold.holder == hold.reader)
        return;
    FTH_GROW(workflow->holds, workflow->hold_count);
    workflow->holds[workflow->hold_count++] = hold;
}

/* Its number + 1. */
static uint32_t add_job(struct fth_workflow *workflow, const char *number)
{
    FTH_GROW(workflow->jobs, workflow->job_count);
    workflow->jobs[workflow->job_count++] = (struct fth_workflow_job){
        .number = fth_text_copy(number),
        .name = fth_text_copy(""),
        .state = fth_text_copy(""),
        .needs = fth_text_copy(""),
        .submit = FTH_NEVER,
        .start = FTH_NEVER,
        .end = FTH_NEVER,
    };
    return workflow->job_count;
}

static uint32_t *place_of(struct fth_workflow *workflow, const char *number)
{
    workflow->job_numbers.size = sizeof(uint32_t);
    return fth_keyed_get(&workflow->job_numbers, number, strlen(number));
}

struct fth_workflow_job *fth_workflow_job(struct fth_workflow *workflow, const char *number,
                                          const char *also)
{
    uint32_t found = *place_of(workflow, number);
    if (!found)
        found = add_job(workflow, number);
    *place_of(workflow, number) = found;
    if (also)
        *place_of(workflow, also) = found;
    return &workflow->jobs[found - 1];
}

static uint32_t job_number(const struct fth_workflow *workflow, const char *number)
{
    uint32_t at;
    bool found = workflow->job_count &&
                 fth_keyed_number(&workflow->job_numbers, number, strlen(number), &at);
    return found ? *(const uint32_t *)fth_keyed_item(&workflow->job_numbers, at) - 1 : FTH_NO_STEP;
}

/* Steps have "Slurm job 4711, task 3". Batch systems write 4711_3 (Slurm) or 4711[3] (LSF); the
 * number of PBS has the task in it. */
uint32_t fth_workflow_job_of(const struct fth_workflow *workflow, uint32_t step)
{
    const char *text = workflow->steps[step].job, *at = text ? strstr(text, " job ") : NULL;
    if (!at)
        return FTH_NO_STEP;
    int length = (int)strcspn(at + 5, ",");
    const char *number = at + 5, *task = strstr(number, ", task ");
    static const char *const forms[] = {"%.*s_%s", "%.*s[%s]", "%.*s"};
    uint32_t found = FTH_NO_STEP;
    bool plain = !task || memchr(number, '[', (size_t)length);
    for (size_t i = task ? 0 : 2; i < 3 && found == FTH_NO_STEP; i++) {
        if (i == 2 && !plain)
            break;
        char *name = i == 2 ? fth_text_format("%.*s", length, number)
                            : fth_text_format(forms[i], length, number, task + 7);
        found = job_number(workflow, name);
        free(name);
    }
    return found;
}

void fth_workflow_note(struct fth_workflow *workflow, const char *format, ...)
{
    char *text;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        fth_out_of_memory();
    va_end(values);
    for (uint32_t i = 0; i < workflow->note_count; i++)
        if (!strcmp(workflow->notes[i], text)) {
            free(text);
            return;
        }
    FTH_GROW(workflow->notes, workflow->note_count);
    workflow->notes[workflow->note_count++] = text;
}

const char *fth_workflow_file(const struct fth_workflow *workflow, uint32_t file)
{
    size_t length;
    return (const char *)fth_interned(&workflow->files, file, &length);
}

static bool is_shared(const struct fth_workflow *workflow, const char *path)
{
    for (uint32_t i = 0; i < workflow->shared_count; i++) {
        size_t length = strlen(workflow->shared[i]);
        if (!strncmp(path, workflow->shared[i], length) && (!path[length] || path[length] == '/'))
            return true;
    }
    return false;
}

/* "HOST:PATH" without the host in a shared folder. */
static const char *known_name(const struct fth_workflow *workflow, const char *name)
{
    const char *colon = *name == '/' ? NULL : strchr(name, ':');
    return colon && colon[1] == '/' && is_shared(workflow, colon + 1) ? colon + 1 : name;
}

uint32_t fth_workflow_file_number(struct fth_workflow *workflow, const char *name)
{
    name = known_name(workflow, name);
    return fth_intern(&workflow->files, name, strlen(name) + 1);
}

bool fth_workflow_find_file(const struct fth_workflow *workflow, const char *name, uint32_t *number)
{
    name = known_name(workflow, name);
    return fth_intern_find(&workflow->files, name, strlen(name) + 1, number);
}
