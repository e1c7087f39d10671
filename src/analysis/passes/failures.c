/* Calls that fail, where a program goes on as if nothing had happened: data that could not be
 * written, files that could not be opened, and programs of which nearly every call fails. What is
 * looked for in vain, as searches do, is metadata (metadata.c). It has no table: `fathom stats`
 * counts failures. */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/keyed.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <string.h>

/* Of all I/O calls that a program makes itself, so many fail: it does not get on. */
static const double nearly_all = 0.9;
/* So many calls that fail may be what a program expects: it looks for a file, or whether a name is
 * there. */
static const double few = 20;

struct key {
    uint32_t function, file;
    int64_t error; /* 0: they did not fail */
};
struct sum {
    uint64_t calls;
    struct fth_example example;
};

struct process {
    /* of struct sum, by struct key; of calls that did not fail without their file */
    struct fth_keyed sums;
};

/* What comes together under a function and an error. */
struct failures {
    uint64_t calls, processes;
    uint64_t most; /* calls of one process on one file */
    size_t last;   /* of these, + 1 */
    struct fth_example example;
    uint32_t file; /* of the example */
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed failures; /* of struct failures, by struct key without a file */
    uint64_t *calls;           /* by function: of those, and of those that did not fail */
    uint64_t all, failed;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->failures.size = sizeof(struct failures);
    run->calls = fth_new(survey->classes->count + 1, sizeof *run->calls);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->sums.size = sizeof(struct sum);
    return process;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->io || frame->of_library || fth_frame_asked(frame) != frame)
        return;
    struct key key = {frame->class->index, frame->failed ? frame->file.number : FTH_NO_FILE,
                      frame->failed ? frame->error_number : 0};
    struct sum *sum = fth_keyed_get(&process->sums, &key, sizeof key);
    sum->calls += frame->calls;
    fth_example_see(&sum->example, frame);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < fth_keyed_count(&process->sums); i++) {
        struct key key;
        const struct sum *sum = fth_keyed_item(&process->sums, i);
        memcpy(&key, fth_keyed_key(&process->sums, i), sizeof key);
        uint32_t file = key.file == FTH_NO_FILE ? FTH_NO_FILE : files[key.file];
        if (file != FTH_NO_FILE && run->survey->files[file].noise)
            continue;
        run->calls[key.function] += sum->calls;
        run->all += sum->calls;
        if (!key.error)
            continue;
        run->failed += sum->calls;
        key.file = FTH_NO_FILE;
        struct failures *failures = fth_keyed_get(&run->failures, &key, sizeof key);
        failures->calls += sum->calls;
        failures->most = sum->calls > failures->most ? sum->calls : failures->most;
        failures->processes += failures->last != sum->example.proc + 1;
        failures->last = sum->example.proc + 1;
        if (fth_example_merge(&failures->example, &sum->example))
            failures->file = file;
    }
    fth_keyed_free(&process->sums);
    free(process);
}

/* ---- findings ---- */

static bool is_one_of(int64_t error, const int *errors)
{
    for (; *errors; errors++)
        if (error == *errors)
            return true;
    return false;
}

/* Numbers mean the same in all calls of libc only. */
static bool is_of_system(const struct fth_function *function)
{
    return fth_layer_is(function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS);
}

static const char *describe(const struct fth_function *function, int64_t error)
{
    const char *words =
        is_of_system(function) && error > 0 && error < 4096 ? strerrordesc_np((int)error) : NULL;
    return words ? words : "the library reports an error";
}

static struct fth_finding *add_finding(const struct run *run, struct fth_results *results,
                                       const struct failures *failures, const char *kind,
                                       const char *title)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, failures->file, &failures->example, kind, title, 0);
    finding->wrong = true;
    fth_finding_spread(finding, failures->processes);
    return finding;
}

/* What was to be written is not in the file. */
static bool find_unwritten(const struct run *run, struct fth_results *results,
                           const struct key *key, const struct failures *failures)
{
    static const int lost[] = {ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ESTALE, 0};
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    enum fth_call_class_kind kind = run->survey->classes->list[key->function].kind;
    if ((kind != FTH_CALLS_WRITE && kind != FTH_CALLS_SYNC && kind != FTH_CALLS_CLOSE) ||
        !is_of_system(function) || !is_one_of(key->error, lost))
        return false;
    struct fth_finding *finding =
        add_finding(run, results, failures, "write_failed", "Data could not be written");
    fth_finding_say(finding, "%s of %s %s: %s. Part of the data is not in the file.",
                    FTH_SEVERAL(failures->calls, "call", "calls"), function->name,
                    failures->calls == 1 ? "fails" : "fail", describe(function, key->error));
    fth_finding_advise(finding, "Check what each write, sync and close returns. %s",
                       key->error == EFBIG
                           ? "Raise the limit of the size of a file (ulimit -f), or write several."
                       : key->error == ENOSPC || key->error == EDQUOT
                           ? "Free some space, or write elsewhere."
                           : "Write elsewhere, or have the file system checked.");
    return true;
}

/* Most openings fail, and not as somebody looks for a file in several places. */
static bool find_unopened(const struct run *run, struct fth_results *results, const struct key *key,
                          const struct failures *failures)
{
    static const int expected[] = {ENOENT, ENOTDIR, EEXIST, ENXIO, EAGAIN, EINTR, ELOOP, 0};
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    if (run->survey->classes->list[key->function].kind != FTH_CALLS_OPEN ||
        !is_of_system(function) || is_one_of(key->error, expected) ||
        (double)failures->calls < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)failures->calls <
            fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) * (double)run->calls[key->function])
        return false;
    struct fth_finding *finding =
        add_finding(run, results, failures, "openings_fail", "Files cannot be opened");
    fth_finding_say(finding, "%s of %s of %s fail: %s. The program goes on without these files.",
                    FTH_COUNT(failures->calls),
                    FTH_SEVERAL(run->calls[key->function], "call", "calls"), function->name,
                    describe(function, key->error));
    fth_finding_advise(
        finding, "%s",
        key->error == EMFILE || key->error == ENFILE
            ? "Close files that are no longer needed, or raise the limit (ulimit -n)."
            : "Check what each open returns, and report the error or stop when it fails.");
    return true;
}

static void find_nothing_works(const struct run *run, struct fth_results *results)
{
    const struct failures *most = NULL;
    const struct fth_function *function = NULL;
    uint32_t function_index = 0;
    int64_t error = 0;
    bool are_many = (double)run->failed >= 10 * fth_threshold_of(run->survey, FTH_THRESHOLD_MANY);
    if ((!are_many && (double)run->failed < few) ||
        (double)run->failed < nearly_all * (double)run->all)
        return;
    for (uint32_t i = 0; i < fth_keyed_count(&run->failures); i++) {
        const struct failures *failures = fth_keyed_item(&run->failures, i);
        if (most && failures->calls <= most->calls)
            continue;
        struct key key;
        memcpy(&key, fth_keyed_key(&run->failures, i), sizeof key);
        most = failures;
        function_index = key.function;
        function = fth_trace_function(run->survey->trace, key.function);
        error = key.error;
    }
    bool polls = error == ENOENT && is_of_system(function) &&
                 (double)most->most >= nearly_all * (double)run->failed;
    struct fth_finding *finding = add_finding(
        run, results, most, "calls_fail",
        polls ? "The program asks for one file again and again" : "Nearly all calls on files fail");
    finding->wrong = are_many;
    finding->aside = finding->of_most_calls = !are_many;
    if (polls) {
        fth_finding_say(finding,
                        "%s of %s of %s ask for one name that does not exist at the time: "
                        "the program polls for the file.",
                        FTH_COUNT(most->calls),
                        FTH_SEVERAL(run->calls[function_index], "call", "calls"), function->name);
        fth_finding_advise(finding,
                           "If the program waits for the file, sleep longer between two "
                           "calls, be notified of it (inotify), or let the one that makes it "
                           "send a message. If not, check the name.");
        return;
    }
    fth_finding_say(finding, "%s of %s fail, most of them calls of %s: %s.", FTH_COUNT(run->failed),
                    FTH_SEVERAL(run->all, "call", "calls"), function->name,
                    describe(function, error));
    fth_finding_advise(finding, "Check whether the program finds its files. `fathom dump --where "
                                "'failed'` shows these calls.");
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    bool is_found = false;
    for (uint32_t i = 0; i < fth_keyed_count(&run->failures); i++) {
        struct key key;
        const struct failures *failures = fth_keyed_item(&run->failures, i);
        memcpy(&key, fth_keyed_key(&run->failures, i), sizeof key);
        is_found |= find_unwritten(run, results, &key, failures);
        is_found |= find_unopened(run, results, &key, failures);
    }
    if (!is_found)
        find_nothing_works(run, results);
    fth_keyed_free(&run->failures);
    free(run->calls);
    free(run);
}

const struct fth_pass fth_pass_failures = {"failures", begin, open_process, call, merge,
                                           finish,     NULL,  NULL,         NULL, NULL};
