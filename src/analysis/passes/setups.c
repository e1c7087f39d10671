/* Set up again and again: what was made before of the same (a datatype, a communicator, a dataset
 * that is opened) and could have been kept. What differs each time, 600 datasets of which each is
 * opened once, has to be made each time. It has no table: `fathom stats` counts calls. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

/* Calls behind the first one of each kind of thing. */
struct setup {
    uint64_t calls, again;
    uint64_t processes; /* of the run: that make something again */
    int64_t time;       /* of those that make again what was made before */
    struct fth_example example;
};

struct key {
    uint64_t made_of;
    uint64_t function;
};

/* Of a file: how often something in it was opened that the same process had opened before, and how
 * often what is in it was read or written. */
struct inside {
    uint64_t again, accesses;
};

struct process {
    struct fth_indexed files; /* of struct inside */
    struct fth_keyed made;    /* of bool, by struct key */
    size_t count;             /* of functions */
    struct setup *setups;
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct inside */
    struct setup *setups;     /* by function */
    uint64_t *most;           /* by one process */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct inside);
    run->setups = fth_new(survey->classes->count + 1, sizeof *run->setups);
    run->most = fth_new(survey->classes->count + 1, sizeof *run->most);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    (void)proc;
    process->made.size = sizeof(bool);
    process->files.size = sizeof(struct inside);
    process->count = run->survey->classes->count;
    process->setups = fth_new(process->count + 1, sizeof *process->setups);
    return process;
}

static struct inside *inside_of(struct process *process, uint32_t file)
{
    return fth_indexed_get(&process->files, file, 0);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_frame *around = fth_frame_around(frame);
    if (frame->failed || (around && !around->class->region))
        return;
    if (frame->class->data && !frame->class->system && frame->file.number != FTH_NO_FILE)
        inside_of(process, frame->file.number)->accesses += frame->calls;
    if (!frame->class->sets_up)
        return;
    struct setup *setup = &process->setups[frame->class->index];
    struct key key = {frame->made_of, frame->class->index};
    bool *before = fth_keyed_get(&process->made, &key, sizeof key);
    uint64_t again = frame->calls - !*before;
    *before = true;
    setup->calls += frame->calls;
    setup->again += again;
    FTH_ADD_SATURATING(setup->time, fth_saturating_product(frame->times.all / (int64_t)frame->calls,
                                                           (int64_t)again));
    if (again)
        fth_example_see(&setup->example, frame);
    if (again && frame->file.number != FTH_NO_FILE)
        inside_of(process, frame->file.number)->again += again;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->files.count; i++) {
        const struct inside *more = fth_indexed_item(&process->files, i);
        struct inside *inside =
            fth_indexed_get(&run->files, files[fth_indexed_at(&process->files, i)->number], 0);
        inside->again += more->again;
        inside->accesses += more->accesses;
    }
    for (size_t i = 0; i < process->count; i++) {
        const struct setup *more = &process->setups[i];
        run->setups[i].calls += more->calls;
        run->setups[i].again += more->again;
        run->setups[i].processes += more->again > 0;
        FTH_ADD_SATURATING(run->setups[i].time, more->time);
        fth_example_merge(&run->setups[i].example, &more->example);
        run->most[i] = more->again > run->most[i] ? more->again : run->most[i];
    }
    fth_keyed_free(&process->made);
    fth_indexed_free(&process->files);
    free(process->setups);
    free(process);
}

/* Where what is in a file is opened for every fourth access or more often, whatever a library keeps
 * for what is open goes as often. */
static void hand_on(const struct run *run, struct fth_results *results)
{
    results->reopened.size = sizeof(bool);
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct inside *inside = fth_indexed_item(&run->files, i);
        if ((double)inside->again >= fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) &&
            4 * inside->again >= inside->accesses)
            *(bool *)fth_indexed_get(&results->reopened, fth_indexed_at(&run->files, i)->number,
                                     0) = true;
    }
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    hand_on(run, results);
    for (size_t i = 0; i < run->survey->classes->count; i++) {
        const struct setup *setup = &run->setups[i];
        if ((double)run->most[i] < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
            !fth_finding_is_worth(run->survey, setup->time))
            continue;
        const char *name = fth_trace_function(run->survey->trace, i)->name;
        bool opens = run->survey->classes->list[i].io;
        struct fth_finding *finding =
            fth_finding_write(run->survey, results, FTH_NO_FILE, &setup->example, "repeated_set_up",
                              opens ? "The same object is opened many times"
                                    : "The same object is created many times",
                              setup->time);
        fth_finding_list_add(&finding->functions, name);
        fth_finding_spread(finding, setup->processes);
        fth_finding_say(finding,
                        "%s is called %s times. In %s calls the same process repeats a call that "
                        "it made before with the same arguments.",
                        name, FTH_COUNT(setup->calls), FTH_COUNT(setup->again));
        fth_finding_advise(finding, "%s",
                           opens ? "Open it once before the loop, and keep it open."
                                 : "Create it once before the loop, and reuse it.");
    }
    fth_indexed_free(&run->files);
    free(run->setups);
    free(run->most);
    free(run);
}

const struct fth_pass fth_pass_setups = {"setups", begin, open_process, call, merge,
                                         finish,   NULL,  NULL,         NULL, NULL};
