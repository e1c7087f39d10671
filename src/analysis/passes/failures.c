/* Calls that fail, where a program goes on as if nothing had happened: added up by function, error
 * and file. The findings about them are in failure_findings.c. What is looked for in vain, as
 * searches do, is metadata (metadata.c). It has no table: `fathom stats` counts failures. */
#include "analysis/passes/failures.h"
#include "analysis/passes/passes.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/saturating.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <string.h>

/* So many of the calls between the first and the last are these, and so much of what the process
 * lasted is between: it waits. */
static const double mostly = 0.3;
/* So many calls are again and again. */
enum { AGAIN_AND_AGAIN = 20 };

struct sum {
    uint64_t calls, direct, asked;
    int64_t began, last;    /* ns: when the first and the last of them began */
    int64_t time;           /* ns of all of them */
    uint64_t first, behind; /* numbers of these in their thread */
    uint32_t thread;
    bool several_threads, locks;
    const char *error_name;
    struct fth_example example;
};

struct process {
    size_t proc;
    /* of struct sum, by key; of calls that did not fail without their file */
    struct fth_keyed sums;
    struct fth_number_set found; /* files: a call on it was successful */
    struct fth_indexed holders;  /* of struct fth_failure_holder, by file */
    size_t functions;
    int64_t *reasons; /* by function, as those of the run */
};

static void *begin(const struct fth_survey *survey)
{
    struct fth_failure_run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->failures.size = run->refused.size = sizeof(struct fth_failures);
    run->holders.size = sizeof(struct fth_failure_holder);
    run->calls = fth_new(survey->classes->count + 1, sizeof *run->calls);
    run->reasons = fth_new(survey->classes->count + 1, sizeof *run->reasons);
    run->going_on = fth_new(survey->classes->layer_count + 1, sizeof *run->going_on);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct fth_failure_run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->sums.size = sizeof(struct sum);
    process->holders.size = sizeof(struct fth_failure_holder);
    process->functions = run->survey->classes->count;
    process->reasons = fth_new(process->functions + 1, sizeof *process->reasons);
    return process;
}

static void add_reason(int64_t *reason, int64_t more)
{
    *reason = !more || *reason == more ? *reason : *reason ? -1 : more;
}

static bool moves(enum fth_call_class_kind kind)
{
    return kind == FTH_CALLS_WRITE || kind == FTH_CALLS_SYNC || kind == FTH_CALLS_CLOSE ||
           kind == FTH_CALLS_TRUNCATE;
}

/* Why a call of a library fails, a call of the system inside of it may say. */
static void see_reason(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *asked = fth_frame_asked(frame);
    bool opens = asked->class->kind == FTH_CALLS_OPEN;
    if (frame->failed && frame->class->system && frame->error_number > 0 && asked != frame &&
        (opens ? frame->class->kind == FTH_CALLS_OPEN : moves(frame->class->kind)))
        add_reason(&process->reasons[asked->class->index], frame->error_number);
}

static void see_success(struct process *process, const struct fth_frame *frame)
{
    if (frame->file.number == FTH_NO_FILE || frame->file.object)
        return;
    fth_number_set_add(&process->found, frame->file.number);
    if (!frame->locks)
        return;
    struct fth_failure_holder *holder = fth_indexed_get(&process->holders, frame->file.number, 0);
    if (!holder->since || frame->times.began < holder->since)
        holder->since = frame->times.began;
}

static void add(struct sum *sum, const struct fth_frame *frame)
{
    if (!sum->calls) {
        sum->thread = frame->thread;
        sum->began = frame->times.began;
        sum->first = frame->first_number;
    }
    sum->several_threads |= sum->thread != frame->thread;
    sum->began = frame->times.began < sum->began ? frame->times.began : sum->began;
    sum->last = frame->times.last > sum->last ? frame->times.last : sum->last;
    sum->first = frame->first_number < sum->first ? frame->first_number : sum->first;
    sum->behind = frame->last_number + 1 > sum->behind ? frame->last_number + 1 : sum->behind;
    sum->calls += frame->calls;
    FTH_ADD_SATURATING(sum->time, frame->times.all);
    sum->direct += frame->file.direct ? frame->calls : 0;
    sum->asked = frame->data.asked;
    sum->locks |= frame->locks;
    sum->error_name = frame->error_name;
    fth_example_see(&sum->example, frame);
}

/* A daemon, and who starts a program, closes all descriptors that may be open, one by one. */
static bool closes_nothing(const struct fth_frame *frame)
{
    return frame->class->kind == FTH_CALLS_CLOSE &&
           fth_layer_is(frame->function->layer, FTH_LAYER_SYSTEM) && frame->error_number == EBADF;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->io || frame->of_library || closes_nothing(frame))
        return;
    see_reason(process, frame);
    if (!frame->failed)
        see_success(process, frame);
    if (fth_frame_asked(frame) != frame)
        return;
    struct fth_failure_key key = {frame->class->index,
                                  frame->failed ? frame->file.number : FTH_NO_FILE,
                                  frame->failed ? frame->error_number : 0};
    add(fth_keyed_get(&process->sums, &key, sizeof key), frame);
}

/* ---- all of them ---- */

static void add_failures(struct fth_keyed *to, const struct fth_failure_key *key,
                         const struct sum *sum, uint32_t file)
{
    struct fth_failures *failures = fth_keyed_get(to, key, sizeof *key);
    failures->calls += sum->calls;
    failures->direct += sum->direct;
    FTH_ADD_SATURATING(failures->time, sum->time);
    failures->most = sum->calls > failures->most ? sum->calls : failures->most;
    failures->processes += failures->last != sum->example.proc + 1;
    failures->last = sum->example.proc + 1;
    failures->error_name = sum->error_name;
    if (fth_example_merge(&failures->example, &sum->example)) {
        failures->file = file;
        failures->asked = sum->asked;
    }
}

/* Does a process do little else from the first of these calls to the last, and for long? */
static bool waits(const struct fth_failure_run *run, const struct sum *sum, size_t proc)
{
    const struct fth_process *process = fth_trace_process(run->survey->trace, proc);
    return sum->calls >= AGAIN_AND_AGAIN && !sum->several_threads &&
           (double)sum->calls >= mostly * (double)(sum->behind - sum->first) &&
           (double)(sum->last - sum->began) >= mostly * (double)(process->end - process->start);
}

static void see_wait(struct fth_failure_wait *wait, const struct fth_failure_key *key,
                     const struct sum *sum, uint32_t file)
{
    if (sum->last - sum->began > wait->time)
        *wait = (struct fth_failure_wait){sum->calls,    sum->began, sum->last - sum->began,
                                          key->function, file,       sum->example};
}

static bool is_refused_lock(const struct fth_failure_key *key, const struct sum *sum)
{
    return sum->locks && (key->error == EAGAIN || key->error == EACCES);
}

static void count_refused_lock(struct fth_failure_run *run, const struct sum *sum, size_t proc)
{
    run->refused_locks.calls += sum->calls;
    run->refused_locks.processes += run->refused_locks.last != proc + 1;
    run->refused_locks.last = proc + 1;
}

static void look_for_wait(struct fth_failure_run *run, struct process *process,
                          const struct fth_failure_key *key, const struct sum *sum, uint32_t file)
{
    if (is_refused_lock(key, sum))
        count_refused_lock(run, sum, process->proc);
    if (key->file == FTH_NO_FILE || !waits(run, sum, process->proc))
        return;
    if (is_refused_lock(key, sum))
        see_wait(&run->for_lock, key, sum, file);
    else if (key->error == ENOENT && fth_number_set_has(&process->found, key->file))
        see_wait(&run->for_file, key, sum, file);
}

static bool is_of_library(const struct fth_failure_run *run, uint32_t function)
{
    return !fth_layer_is(fth_trace_function(run->survey->trace, function)->layer,
                         FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS);
}

/* By layer: could a library not open a file? */
static bool *layers_that_refused(const struct fth_failure_run *run, struct process *process)
{
    bool *refused = fth_new(run->survey->classes->layer_count + 1, sizeof *refused);
    for (uint32_t i = 0; i < fth_keyed_count(&process->sums); i++) {
        struct fth_failure_key key;
        memcpy(&key, fth_keyed_key(&process->sums, i), sizeof key);
        const struct fth_call_class *class = &run->survey->classes->list[key.function];
        if (key.error && class->kind == FTH_CALLS_OPEN && !class->sets_up &&
            key.file != FTH_NO_FILE)
            refused[class->layer] = true;
    }
    return refused;
}

/* Is it a call on a handle that the library did not make? */
static bool goes_on(struct fth_failure_run *run, const struct fth_failure_key *key,
                    const struct sum *sum, const bool *refused)
{
    const struct fth_call_class *class = &run->survey->classes->list[key->function];
    struct fth_failure_going_on *going_on = &run->going_on[class->layer];
    if (key->file != FTH_NO_FILE || !refused[class->layer] || !is_of_library(run, key->function))
        return false;
    if (!going_on->calls || (class->kind == FTH_CALLS_WRITE && !going_on->writes))
        going_on->name = fth_trace_function(run->survey->trace, key->function)->name;
    going_on->calls += sum->calls;
    going_on->writes |= class->kind == FTH_CALLS_WRITE;
    return true;
}

/* A device (/dev/full, a disk) that the program asked for and that takes no data. */
static bool loses_data(const struct fth_failure_run *run, const struct fth_failure_key *key,
                       uint32_t file)
{
    return key->error && run->survey->classes->list[key->function].kind == FTH_CALLS_WRITE &&
           fth_text_begins(run->survey->files[file].path, "/dev/");
}

static void merge_sum(struct fth_failure_run *run, struct process *process, uint32_t place,
                      const uint32_t *files, const bool *refused)
{
    struct fth_failure_key key;
    const struct sum *sum = fth_keyed_item(&process->sums, place);
    memcpy(&key, fth_keyed_key(&process->sums, place), sizeof key);
    uint32_t file = key.file == FTH_NO_FILE ? FTH_NO_FILE : files[key.file];
    if (file != FTH_NO_FILE && run->survey->files[file].noise && !loses_data(run, &key, file))
        return;
    run->calls[key.function] += sum->calls;
    run->all += sum->calls;
    if (!key.error)
        return;
    run->failed += sum->calls;
    look_for_wait(run, process, &key, sum, file);
    bool is_after = goes_on(run, &key, sum, refused);
    const struct fth_call_class *class = &run->survey->classes->list[key.function];
    key.file = file;
    if (class->kind == FTH_CALLS_OPEN && is_of_library(run, key.function) && !class->sets_up &&
        file != FTH_NO_FILE)
        add_failures(&run->refused, &key, sum, file);
    key.file = FTH_NO_FILE;
    if (!is_after)
        add_failures(&run->failures, &key, sum, file);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct fth_failure_run *run = run_state;
    struct process *process = state;
    bool *refused = layers_that_refused(run, process);
    for (uint32_t i = 0; i < fth_keyed_count(&process->sums); i++)
        merge_sum(run, process, i, files, refused);
    for (uint32_t i = 0; i < process->found.limit; i++)
        if (fth_number_set_has(&process->found, i))
            fth_number_set_add(&run->found, files[i]);
    for (uint32_t i = 0; i < process->holders.count; i++) {
        struct fth_failure_holder_key key = {files[fth_indexed_at(&process->holders, i)->number],
                                             (uint32_t)process->proc};
        *(struct fth_failure_holder *)fth_keyed_get(&run->holders, &key, sizeof key) =
            *(const struct fth_failure_holder *)fth_indexed_item(&process->holders, i);
    }
    for (size_t i = 0; i < process->functions; i++)
        add_reason(&run->reasons[i], process->reasons[i]);
    free(refused);
    fth_keyed_free(&process->sums);
    fth_number_set_free(&process->found);
    fth_indexed_free(&process->holders);
    free(process->reasons);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct fth_failure_run *run = state;
    fth_failures_find(run, results);
    fth_keyed_free(&run->failures);
    fth_keyed_free(&run->refused);
    fth_keyed_free(&run->holders);
    fth_number_set_free(&run->found);
    free(run->calls);
    free(run->reasons);
    free(run->going_on);
    free(run);
}

const struct fth_pass fth_pass_failures = {
    "failures", begin, open_process,         call, merge, finish, NULL, NULL,
    NULL,       NULL,  fth_pass_takes_rounds};
