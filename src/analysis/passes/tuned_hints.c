/* Files that had hints of `fathom tune --live`, and not only the program's own. */
#include "analysis/passes/passes.h"

#include "base/memory.h"

#include <stdlib.h>

struct process {
    struct fth_indexed files; /* of bool */
    const char *function;
};

struct run {
    struct fth_indexed files; /* of bool */
    const char *function;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    (void)survey;
    run->files.size = sizeof(bool);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    struct process *process = fth_new(1, sizeof *process);
    (void)run;
    (void)proc;
    process->files.size = sizeof(bool);
    return process;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_frame *around = frame->around;
    if (!frame->class->gives_tuned_hint)
        return;
    while (around && around->file.number == FTH_NO_FILE)
        around = around->around;
    process->function = frame->function->name;
    if (around)
        *(bool *)fth_indexed_get(&process->files, around->file.number, 0) = true;
}

static void merge(void *state, void *state_of_process, const uint32_t *files)
{
    struct run *run = state;
    struct process *process = state_of_process;
    for (uint32_t i = 0; i < process->files.count; i++)
        *(bool *)fth_indexed_get(&run->files, files[fth_indexed_at(&process->files, i)->number],
                                 0) = true;
    run->function = process->function ? process->function : run->function;
    fth_indexed_free(&process->files);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    results->tuned = (struct fth_tuned){run->files.count, run->function};
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_tuned = {.name = "tuned",
                                        .begin = begin,
                                        .open = open_process,
                                        .call = call,
                                        .merge = merge,
                                        .finish = finish};
