/* Set up again and again: what was made before of the same (a datatype, a communicator, a dataset
 * that is opened) and could have been kept. What differs each time, 600 datasets of which each is
 * opened once, has to be made each time. It has no table: `fathom stats` counts calls. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/finding_texts.h"
#include "analysis/passes/tuning_hints.h"
#include "base/indexed.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

/* Calls behind the first one of each kind of thing. */
struct setup {
    uint64_t calls, again;
    uint64_t processes; /* of the run: that make something again */
    int64_t time;       /* of those that make again what was made before */
    uint32_t file;      /* + 1, in which it is made again; 0: in none */
    bool several_files;
    struct fth_example example;
};

struct key {
    uint64_t made_of;
    uint64_t function;
};

/* Of a file: how often something in it was opened that the same process had opened before, how
 * often what is in it was read or written, and how often and how long (ns) it was closed. */
struct inside {
    uint64_t again, accesses, closings;
    int64_t closing_time;
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

static void add_file(struct setup *setup, uint32_t file, bool several)
{
    setup->several_files |= several || (setup->file && setup->file != file + 1);
    setup->file = file + 1;
}

static void see_closing(struct process *process, const struct fth_frame *frame)
{
    struct inside *inside = inside_of(process, frame->file.number);
    inside->closings += frame->calls;
    FTH_ADD_SATURATING(inside->closing_time, frame->times.all);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_frame *around = fth_frame_around(frame);
    if (frame->failed || (around && !around->class->region))
        return;
    if (frame->class->data && !frame->class->system && frame->file.number != FTH_NO_FILE)
        inside_of(process, frame->file.number)->accesses += frame->calls;
    if (frame->class->kind == FTH_CALLS_CLOSE && frame->file.object &&
        frame->file.number != FTH_NO_FILE)
        see_closing(process, frame);
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
    if (!again || frame->file.number == FTH_NO_FILE)
        return;
    inside_of(process, frame->file.number)->again += again;
    add_file(setup, frame->file.number, false);
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
        inside->closings += more->closings;
        FTH_ADD_SATURATING(inside->closing_time, more->closing_time);
    }
    for (size_t i = 0; i < process->count; i++) {
        const struct setup *more = &process->setups[i];
        run->setups[i].calls += more->calls;
        run->setups[i].again += more->again;
        run->setups[i].processes += more->again > 0;
        FTH_ADD_SATURATING(run->setups[i].time, more->time);
        if (more->file)
            add_file(&run->setups[i], files[more->file - 1], more->several_files);
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

/* ns of closing what was opened again, where all that is in one file: each opening has a
 * closing. */
static int64_t closing_time_of(const struct run *run, const struct setup *setup)
{
    uint32_t place = setup->file && !setup->several_files
                         ? fth_indexed_first(&run->files, setup->file - 1)
                         : UINT32_MAX;
    if (place == UINT32_MAX)
        return 0;
    const struct inside *inside = fth_indexed_item(&run->files, place);
    if (!inside->closings)
        return 0;
    uint64_t again = setup->again < inside->closings ? setup->again : inside->closings;
    return (int64_t)((double)inside->closing_time * ((double)again / (double)inside->closings));
}

static void find_opened(const struct run *run, struct fth_results *results,
                        const struct setup *setup, const char *name, int64_t closing)
{
    uint32_t file = setup->several_files || !setup->file ? FTH_NO_FILE : setup->file - 1;
    int64_t time = fth_saturating_sum(setup->time, closing);
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &setup->example, "repeated_set_up",
                          "The same object is opened many times", time);
    const char *kept = fth_tuning_hint_kept(run->survey, results, &setup->example, file,
                                            setup->example.asked->layer);
    fth_finding_list_add(&finding->functions, name);
    fth_finding_spread(finding, setup->processes);
    fth_finding_say(finding,
                    "%s is called %s times. %s calls open what the same process has opened before, "
                    "and take %s%s%s.",
                    name, FTH_COUNT(setup->calls), FTH_COUNT(setup->again), FTH_TIME(setup->time),
                    closing ? "; closing it again takes " : "", closing ? FTH_TIME(closing) : "");
    fth_finding_advise(finding, "%s",
                       kept ? kept : "Open it once before the loop, and keep it open.");
}

static void find_made(const struct run *run, struct fth_results *results, const struct setup *setup,
                      const char *name)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, FTH_NO_FILE, &setup->example, "repeated_set_up",
                          "The same object is created many times", setup->time);
    fth_finding_list_add(&finding->functions, name);
    fth_finding_spread(finding, setup->processes);
    fth_finding_say(finding,
                    "%s is called %s times. In %s calls the same process repeats a call that "
                    "it made before with the same arguments.",
                    name, FTH_COUNT(setup->calls), FTH_COUNT(setup->again));
    fth_finding_advise(finding, "Create it once before the loop, and reuse it.");
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    hand_on(run, results);
    for (size_t i = 0; i < run->survey->classes->count; i++) {
        const struct setup *setup = &run->setups[i];
        bool opens = run->survey->classes->list[i].io;
        int64_t closing = opens ? closing_time_of(run, setup) : 0;
        if ((double)run->most[i] < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
            !fth_finding_is_worth(run->survey, fth_saturating_sum(setup->time, closing)))
            continue;
        const char *name = fth_trace_function(run->survey->trace, i)->name;
        if (opens)
            find_opened(run, results, setup, name, closing);
        else
            find_made(run, results, setup, name);
    }
    fth_indexed_free(&run->files);
    free(run->setups);
    free(run->most);
    free(run);
}

const struct fth_pass fth_pass_setups = {
    "setups", begin, open_process,         call, merge, finish, NULL, NULL,
    NULL,     NULL,  fth_pass_takes_rounds};
