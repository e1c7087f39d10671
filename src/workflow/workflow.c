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

void fth_workflow_free(struct fth_workflow *workflow)
{
    for (uint32_t i = 0; i < workflow->step_count; i++)
        free_step(&workflow->steps[i]);
    for (uint32_t i = 0; i < workflow->note_count; i++)
        free(workflow->notes[i]);
    free(workflow->steps);
    free(workflow->uses);
    free(workflow->changes);
    free(workflow->notes);
    fth_intern_free(&workflow->files);
    *workflow = (struct fth_workflow){0};
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

void fth_workflow_add_change(struct fth_workflow *workflow,
                             const struct fth_workflow_change *change)
{
    FTH_GROW(workflow->changes, workflow->change_count);
    workflow->changes[workflow->change_count++] = *change;
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

uint32_t fth_workflow_file_number(struct fth_workflow *workflow, const char *name)
{
    return fth_intern(&workflow->files, name, strlen(name) + 1);
}
