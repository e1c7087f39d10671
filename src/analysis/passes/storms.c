/* Metadata that every process looks up by itself: all of them look up, open and list the same
 * files, where one could do it and inform the others. The pass has no table: the table of
 * metadata counts the calls. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"

struct asked {
    uint64_t calls, processes;
    int64_t time;
    struct fth_example example;
};

struct process {
    struct fth_indexed files; /* of struct asked */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct asked */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct asked);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->files.size = sizeof(struct asked);
    return process;
}

/* Calls that any process can make for others: nobody writes through what they open, and they are
 * not made together. */
static void call(void *state, const struct fth_frame *frame)
{
    enum {
        ASKING = FTH_CALLS_BIT(FTH_CALLS_OPEN) | FTH_CALLS_BIT(FTH_CALLS_STAT) |
                 FTH_CALLS_BIT(FTH_CALLS_LIST)
    };
    struct process *process = state;
    if (!(ASKING >> frame->class->kind & 1) || frame->file.number == FTH_NO_FILE ||
        frame->file.object || frame->of_library || frame->collective ||
        fth_frame_has_group(frame) || (frame->file.access & FTH_ACCESS_WRITE) ||
        fth_frame_asked(frame) != frame)
        return;
    struct asked *asked = fth_indexed_get(&process->files, frame->file.number, 0);
    asked->calls += frame->calls;
    FTH_ADD_SATURATING(asked->time, frame->times.all);
    fth_example_see(&asked->example, frame);
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->files;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->files.count; i++) {
        uint32_t file = files[fth_indexed_at(&process->files, i)->number];
        const struct asked *more = fth_indexed_item(&process->files, i);
        if (run->survey->files[file].noise)
            continue;
        struct asked *asked = fth_indexed_get(&run->files, file, 0);
        asked->calls += more->calls;
        FTH_ADD_SATURATING(asked->time, more->time);
        asked->processes++;
        fth_example_merge(&asked->example, &more->example);
    }
    fth_indexed_free(&process->files);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    uint64_t ranks = run->survey->rank_count, calls = 0, files = 0;
    double share = fth_threshold_of(run->survey, FTH_THRESHOLD_STORM);
    struct fth_finding *finding = NULL;
    for (uint32_t i = 0; ranks > 1 && i < run->files.count; i++) {
        const struct asked *asked = fth_indexed_item(&run->files, i);
        if (asked->processes < 2 || (double)asked->processes < share * (double)ranks)
            continue;
        if (!finding)
            finding =
                fth_finding_write(run->survey, results, FTH_NO_FILE, &asked->example,
                                  "metadata_by_all", "All processes look up the same names", 0);
        FTH_ADD_SATURATING(finding->severity,
                           asked->time - asked->time / (int64_t)asked->processes);
        fth_finding_spread(finding, asked->processes);
        fth_finding_write_file(finding, run->survey, fth_indexed_at(&run->files, i)->number);
        calls += asked->calls;
        files++;
    }
    if (finding) {
        finding->classes = FTH_CLASSES_METADATA;
        fth_finding_say(
            finding,
            "%s look up, open or list %s. At least %.0f %% of the ranks do this for each of them.",
            FTH_SEVERAL(calls, "call", "calls"), FTH_SEVERAL(files, "file", "files"), 100 * share);
        fth_finding_advise(finding,
                           "Let one rank do it and broadcast the result (MPI_Bcast). For programs "
                           "and libraries: a copy on each node, or one packed file.");
        if ((double)calls < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) * (double)ranks ||
            !fth_finding_is_worth(run->survey, finding->severity))
            fth_finding_drop(&results->findings);
    }
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_storms = {
    "storms", begin, open_process,         call, merge, finish, NULL, by_file,
    NULL,     NULL,  fth_pass_takes_rounds};
