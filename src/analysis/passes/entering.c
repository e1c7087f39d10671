/* Enters the time of all calls into the ledger (analysis/survey/ledger.h), which knows nothing of
 * what other passes make of them. It has no table and no findings. */
#include "analysis/passes/passes.h"

#include "analysis/survey/ledger.h"
#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

/* FEW_CALLS: open, read, close. */
enum { DEEPEST = 32, FEW_CHAINS = 8, FEW_CALLS = 3 };

struct key {
    uint32_t chain, file, asked;
};

struct process {
    struct fth_intern
        chains; /* of lists of indices in fth_call_classes.list, the innermost first */
    struct fth_intern_trail trail;
    /* of int64_t: of calls about the file that was asked for, by file and up to FEW_CHAINS chains
     * of it, as there may be many files; of all others by struct key */
    struct fth_indexed of_files;
    struct fth_keyed times;
};

struct run {
    const struct fth_survey *survey;
    struct fth_ledger *ledger;
    struct fth_keyed chains; /* of numbers in the ledger, plus 1 */
    uint32_t *files;         /* by files of the run: numbers in the ledger, plus 1 */
    uint32_t file_limit;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->ledger = fth_ledger_new();
    run->chains.size = sizeof(uint32_t);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->of_files.size = process->times.size = sizeof(int64_t);
    process->of_files.expected = FEW_CALLS * fth_indexed_bytes(&process->of_files);
    return process;
}

static int64_t *sum_of(struct process *process, const struct key *key)
{
    int64_t *sum = NULL;
    if (key->file != FTH_NO_FILE && key->file == key->asked)
        sum = fth_indexed_among(&process->of_files, key->file, key->chain, FEW_CHAINS);
    return sum ? sum : fth_keyed_get(&process->times, key, sizeof *key);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    uint32_t functions[DEEPEST], count = 0;
    if (frame->class->region)
        return;
    for (const struct fth_frame *at = frame; at && count < DEEPEST; at = fth_frame_around(at))
        if (!at->class->region)
            functions[count++] = at->class->index;
    struct key key = {
        fth_intern_next(&process->chains, &process->trail, functions, count * sizeof *functions),
        frame->file.number, fth_frame_asked(frame)->file.number};
    int64_t *sum = sum_of(process, &key);
    FTH_ADD_SATURATING(*sum, frame->times.own);
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->of_files;
}

/* ---- all of them ---- */

static uint32_t chain_of(struct run *run, const uint8_t *functions, size_t length)
{
    uint32_t *known = fth_keyed_get(&run->chains, functions, length);
    if (*known)
        return *known - 1;
    struct fth_ledger_step steps[DEEPEST];
    size_t count = length / sizeof(uint32_t);
    for (size_t i = 0; i < count; i++) {
        uint32_t index;
        memcpy(&index, functions + i * sizeof index, sizeof index);
        steps[i] = (struct fth_ledger_step){fth_trace_function(run->survey->trace, index)->name,
                                            FTH_CALLS_BIT(run->survey->classes->list[index].kind)};
    }
    *known = fth_ledger_chain(run->ledger, steps, count) + 1;
    return *known - 1;
}

/* Paths are compared once for each file. */
static uint32_t file_of(struct run *run, uint32_t file, const uint32_t *files)
{
    if (file == FTH_NO_FILE)
        return FTH_LEDGER_NO_FILE;
    uint32_t number = files[file];
    run->files = fth_reach(run->files, &run->file_limit, number, sizeof *run->files);
    if (!run->files[number])
        run->files[number] = fth_ledger_file(run->ledger, run->survey->files[number].path) + 1;
    return run->files[number] - 1;
}

static void enter(struct run *run, const struct process *process, const struct key *key,
                  const uint32_t *files, int64_t time)
{
    size_t length;
    const uint8_t *functions = fth_interned(&process->chains, key->chain, &length);
    uint32_t chain = chain_of(run, functions, length), file = file_of(run, key->file, files),
             asked = key->asked == key->file ? file : file_of(run, key->asked, files);
    fth_ledger_enter(run->ledger, chain, file, asked, time);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->of_files.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&process->of_files, i);
        const struct key key = {(uint32_t)entry->sort, entry->number, entry->number};
        enter(run, process, &key, files, *(const int64_t *)fth_indexed_item(&process->of_files, i));
    }
    for (uint32_t i = 0; i < fth_keyed_count(&process->times); i++) {
        struct key key;
        memcpy(&key, fth_keyed_key(&process->times, i), sizeof key);
        enter(run, process, &key, files, *(const int64_t *)fth_keyed_item(&process->times, i));
    }
    fth_indexed_free(&process->of_files);
    fth_intern_free(&process->chains);
    fth_intern_trail_free(&process->trail);
    fth_keyed_free(&process->times);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    results->ledger = run->ledger;
    fth_keyed_free(&run->chains);
    free(run->files);
    free(run);
}

const struct fth_pass fth_pass_entering = {
    "entering", begin, open_process,         call, merge, finish, NULL, by_file,
    NULL,       NULL,  fth_pass_takes_rounds};
