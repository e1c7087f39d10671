/* Set up again and again: functions that build something (datatypes, communicators) which could have been built once. It has no table: `fathom stats` counts calls. */
#include "analysis/passes/passes.h"

#include "analysis/passes/telling.h"
#include "base/memory.h"

struct setup {
    uint64_t calls;
    int64_t time;
    struct fth_example example;
};

struct process {
    size_t count; /* of functions */
    struct setup *setups;
};

struct run {
    const struct fth_survey *survey;
    struct setup *setups; /* by function */
    uint64_t *most;       /* by one process */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->setups = fth_new(survey->works->count + 1, sizeof *run->setups);
    run->most = fth_new(survey->works->count + 1, sizeof *run->most);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    (void)proc;
    process->count = run->survey->works->count;
    process->setups = fth_new(process->count + 1, sizeof *process->setups);
    return process;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_frame *around = fth_frame_around(frame);
    if (!frame->function->builds || (around && !around->work->region))
        return;
    struct setup *setup = &process->setups[frame->work->index];
    setup->calls += frame->calls;
    setup->time += frame->time;
    fth_example_see(&setup->example, frame);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    (void)files;
    for (size_t i = 0; i < process->count; i++) {
        const struct setup *more = &process->setups[i];
        run->setups[i].calls += more->calls;
        run->setups[i].time += more->time;
        fth_example_merge(&run->setups[i].example, &more->example);
        run->most[i] = more->calls > run->most[i] ? more->calls : run->most[i];
    }
    free(process->setups);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    for (size_t i = 0; i < run->survey->works->count; i++) {
        const struct setup *setup = &run->setups[i];
        if ((double)run->most[i] < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
            !fth_is_worth(run->survey, setup->time))
            continue;
        const char *name = fth_trace_function(run->survey->trace, i)->name;
        struct fth_finding *finding =
            fth_tell(run->survey, results, FTH_NO_FILE, &setup->example, "repeated_set_up",
                     "Set up again and again", setup->time);
        fth_finding_list_add(&finding->functions, name);
        fth_finding_say(finding, "%s is called %s times, up to %s times by one process.", name,
                        FTH_COUNT(setup->calls), FTH_COUNT(run->most[i]));
        fth_finding_advise(finding, "Make it once before the loop and use it again.");
    }
    free(run->setups);
    free(run->most);
    free(run);
}

const struct fth_pass fth_pass_setups = {"setups", begin,  open_process, call,
                                         merge,    finish, NULL,         NULL};
